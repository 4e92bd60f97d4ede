import CLinux
package import Cryptography
import Glibc

/// The staged files of write sessions, up to the commit point (W1 to W4). The host does the commit and the later steps.
///
/// Blocking; call it on a `BlockingWorker`.
package struct StagingArea: Sendable {
    private let layout: StorageLayout
    private let crashPoint: CrashPoint

    /// The mode of a document that was saved here.
    private static let fileMode: UInt32 = 0o600

    /// - Parameter crashPoint: called after each numbered step, for tests.
    package init(layout: StorageLayout, crashPoint: @escaping CrashPoint = { _ in }) {
        self.layout = layout
        self.crashPoint = crashPoint
    }

    /// Step 1: creates the staged file of an operation and reserves its space.
    ///
    /// - Parameter expectedSize: the bytes to reserve; 0 when unknown.
    /// - Throws: `.noSpace` before anything is damaged; `.exists` for an operation that has begun already; `.badName`
    ///   for one that cannot name a file.
    package func begin(_ operation: String, expectedSize: UInt64 = 0) throws -> StagedWrite {
        let name = try Self.name(operation)
        let staging = try Directory(path: layout.stagingDirectory)
        let staged = try staging.create(name)
        do {
            try Space.reserve(staged.number, size: expectedSize)
            try staging.sync()
        } catch {
            try? staging.remove(name)
            throw error
        }
        crashPoint(.opened)
        return try StagedWrite(name: name, staged: staged)
    }

    /// Reopens an uncommitted session after a restart of the daemon.
    package func resume(_ operation: String) throws -> StagedWrite {
        let name = try Self.name(operation)
        let staging = try Directory(path: layout.stagingDirectory)
        // A commit that was interrupted before the commit point has linked and frozen the file.
        try Directory(path: layout.uploadsDirectory).remove(name)
        let frozen = try staging.open(name)
        try checked(clinux_fchmod(frozen.number, 0o600), "reopen the content")
        return try StagedWrite(name: name, staged: OpenDescriptor.reopenForWriting(frozen.number))
    }

    /// Steps 2 to 4: the content is frozen, durable and linked into `Uploads`. Only then may it be committed.
    ///
    /// - Parameter progress: the bytes read for the digest, and in total; on the calling thread.
    /// - Throws: the session can then be frozen again, discarded or kept. After a failed fsync (`.failed`, `.noSpace`)
    ///   its content is not reliable.
    package func freeze(
        _ session: StagedWrite, policy: FreezePolicy = .copyIfWriterLeft, cancellation: Cancellation = Cancellation(),
        progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws -> (digest: SHA256.Digest, size: UInt64) {
        let name = session.name
        let staging = try Directory(path: layout.stagingDirectory)
        let uploads = try Directory(path: layout.uploadsDirectory)

        let frozen = try freeze(
            session, named: name, in: staging, policy: policy, cancellation: cancellation, progress: progress)
        crashPoint(.frozen)
        try checked(clinux_fchmod(frozen.file.number, Self.fileMode), "set the mode of the file")
        try checked(clinux_fsync(frozen.file.number), "sync the content")
        crashPoint(.durable)
        guard try staging.link(name, to: uploads, as: name) else {
            throw FileSystemError(.exists, "The operation \(name) was already committed.")
        }
        do {
            try uploads.sync()
            crashPoint(.linked)
            try cancellation.check()
        } catch {
            try? uploads.remove(name)
            throw error
        }
        return (frozen.digest, frozen.size)
    }

    /// Gives up a session and discards its content.
    package func discard(_ operation: String) throws {
        let name = try Self.name(operation)
        try Directory(path: layout.stagingDirectory).remove(name)
        try Directory(path: layout.uploadsDirectory).remove(name)
    }

    // MARK: After a restart

    /// Refuses committed content that has changed since the commit. Does not change anything.
    ///
    /// - Throws: `.corrupt`.
    package func requireIntact(_ operation: String, digest: String, size: Int64) throws {
        let name = try Self.name(operation)
        let uploads = try Directory(path: layout.uploadsDirectory)
        guard try uploads.status(of: name) != nil else {
            throw FileSystemError(.corrupt, "The content of operation \(operation) is missing in Uploads.")
        }
        let file = try uploads.open(name)
        let found = try withExtendedLifetime(file) { try FileDigest.sha256(of: file.number) }
        guard found.digest.description == digest, found.size == UInt64(clamping: size) else {
            throw FileSystemError(.corrupt, "The content of operation \(operation) is not what was committed.")
        }
    }

    /// Removes files and packages in `Staging` and `Uploads` that do not belong to an operation in the journal: left by
    /// a kill before step 1 was recorded, or after the last step. Idempotent.
    ///
    /// - Parameter known: the operations whose files stay.
    /// - Returns: how many were removed.
    @discardableResult
    package func removeOrphans(known: Set<String>) throws -> Int {
        let names = try Set(known.map { try FileName($0) })
        var removed = 0
        for path in [layout.stagingDirectory, layout.uploadsDirectory] {
            let directory = try Directory(path: path)
            for name in try directory.names() where !names.contains(name) {
                try directory.removeTree(name)
                removed += 1
            }
        }
        return removed
    }

    // MARK: Steps

    private static func name(_ operation: String) throws -> FileName {
        let name = try FileName(operation)
        guard !operation.hasPrefix(".") else {
            throw FileSystemError(.badName, "\"\(operation)\" cannot name an operation.")
        }
        return name
    }

    // Step 2. The write permission is removed first, so that no new writer appears after the check.
    private func freeze(
        _ session: StagedWrite, named name: FileName, in staging: Directory, policy: FreezePolicy,
        cancellation: Cancellation, progress: (UInt64, UInt64) -> Void
    ) throws -> (file: OpenDescriptor, digest: SHA256.Digest, size: UInt64) {
        try session.endFilling()
        var file = try staging.open(name)
        guard try FileStatus(of: file.number).identity == session.stagedIdentity else {
            throw FileSystemError(.corrupt, "The staged file was replaced.", path: staging.shown(name))
        }
        try checked(clinux_fchmod(file.number, 0o400), "freeze the content")
        // Any result other than a clear "no writer" counts as a writer.
        if policy == .alwaysCopy || clinux_has_writer(file.number) != 0 {
            file = try freshCopy(of: file, named: name, in: staging, cancellation: cancellation)
            session.stagedIdentity = try FileStatus(of: file.number).identity
        }
        let before = try FileStatus(of: file.number)
        let (digest, size) = try FileDigest.sha256(of: file.number, cancellation: cancellation) {
            progress($0, before.size)
        }
        guard try FileStatus(of: file.number).sameContent(as: before), size == before.size else {
            throw FileSystemError(.changed, "The content changed while it was being saved.")
        }
        return (file, digest, size)
    }

    private func freshCopy(
        of file: OpenDescriptor, named name: FileName, in staging: Directory, cancellation: Cancellation
    ) throws -> OpenDescriptor {
        let aside = FileName(unchecked: Array((".copy-".utf8 + name.bytes).prefix(FileName.maximumLength)))
        try staging.remove(aside)
        do {
            let copy = try staging.create(aside)
            _ = try FileCopier.copy(from: file.number, to: copy.number, bound: .max, cancellation: cancellation)
            try CarriedAttributes.carry(from: file.number, to: copy.number)
            try checked(clinux_fchmod(copy.number, 0o400), "freeze the copy")
        } catch {
            try? staging.remove(aside)
            throw error
        }
        try checked(staging.rename(aside, to: staging, as: name, flags: 0), "put the copy in place")
        return try staging.open(name)
    }
}
