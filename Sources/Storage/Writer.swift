import CLinux
import Glibc

/// Writes documents that lie in our containers: the numbered steps of W, in order.
///
/// Blocking; call it on a `BlockingWorker`. Writes of one item must not overlap: the coordinator sees to that.
package struct Writer: Sendable {
    private let layout: StorageLayout
    private let journal: any WriteJournal
    private let crashPoint: CrashPoint
    private let newFileMode: UInt32

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - newFileMode: permissions of a document that has no base.
    ///   - crashPoint: for tests only.
    package init(
        layout: StorageLayout, journal: any WriteJournal, newFileMode: UInt32 = 0o600,
        crashPoint: @escaping CrashPoint = { _ in }
    ) {
        self.layout = layout
        self.journal = journal
        self.newFileMode = newFileMode
        self.crashPoint = crashPoint
    }

    /// What the file in an item's place looks like now, to be the base of a write; nil when nothing is there.
    package func base(at place: ItemPlace) throws -> FileStamp? {
        let container = try Directory(path: place.container)
        guard try container.status(of: place.folder) != nil else { return nil }
        return try container.directory(place.folder).status(of: place.name)?.stamp
    }

    /// Step 1: reserves space, makes the staged file, opens the journal's record.
    ///
    /// - Parameter expectedSize: bytes to reserve, as far as known.
    /// - Throws: `.noSpace` before anything is damaged, `.exists` for an operation that began before, `.changed` when
    ///   the base is no longer what the record says.
    package func begin(_ record: WriteRecord, start: WriteStart = .empty, expectedSize: UInt64 = 0) throws
        -> StagedWrite
    {
        let name = try record.operationName()
        let staging = try Directory(path: layout.stagingDirectory)
        let base = try openBase(record)
        let staged = try staging.create(name)
        do {
            try Space.reserve(staged.number, size: expectedSize)
            if start == .copyOfBase, let base {
                _ = try FileCopier.copy(from: base.number, to: staged.number, bound: .max)
            }
            try staging.sync()
            try journal.opened(record)
        } catch {
            try? staging.remove(name)
            throw error
        }
        crashPoint(.opened)
        return try StagedWrite(record: record, staged: staged, base: base)
    }

    /// Takes an uncommitted session up again, after a restart of the daemon (D3).
    package func resume(_ record: WriteRecord) throws -> StagedWrite {
        let name = try record.operationName()
        let staging = try Directory(path: layout.stagingDirectory)
        // A commit that was interrupted before its point linked and froze the file.
        try Directory(path: layout.uploadsDirectory).remove(name)
        let frozen = try staging.open(name)
        try checked(clinux_fchmod(frozen.number, 0o600), "reopen the content")
        let staged = try OpenDescriptor.reopenForWriting(frozen.number)
        return try StagedWrite(record: record, staged: staged, base: openBase(record))
    }

    /// Steps 2 to 7. When it returns, "saved" may be said.
    ///
    /// - Throws: before the commit point only. The session may then be committed again, discarded or kept, except that a
    ///   failed fsync (`.failed`, `.noSpace`) makes its content doubtful.
    package func commit(
        _ session: StagedWrite, policy: FreezePolicy = .copyIfWriterLeft, cancellation: Cancellation = Cancellation()
    ) throws -> WriteOutcome {
        let record = try stage(session, policy: policy, cancellation: cancellation)
        do {
            return try publish(record)
        } catch {
            let pending = error as? FileSystemError ?? FileSystemError(.failed, "\(error)")
            return WriteOutcome(record: record, conflict: nil, pending: pending)
        }
    }

    /// Steps 2 to 5: what it returns is committed as far as the journal that this writer was given says so.
    ///
    /// - Parameter progress: bytes of the content that are read for the digest, and in all; on the calling thread.
    /// - Throws: before the commit point only, like `commit`.
    package func stage(
        _ session: StagedWrite, policy: FreezePolicy = .copyIfWriterLeft, cancellation: Cancellation = Cancellation(),
        progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws -> WriteRecord {
        var record = session.record
        let name = try record.operationName()
        let staging = try Directory(path: layout.stagingDirectory)
        let uploads = try Directory(path: layout.uploadsDirectory)

        let frozen = try freeze(
            session, named: name, in: staging, policy: policy, cancellation: cancellation, progress: progress)
        (record.digest, record.size) = (frozen.digest, frozen.size)
        crashPoint(.frozen)
        try makeDurable(frozen.file, base: session.base)
        crashPoint(.durable)
        guard try staging.link(name, to: uploads, as: name) else {
            throw FileSystemError(.exists, "The operation \(record.operation) was committed before.")
        }
        do {
            try uploads.sync()
            crashPoint(.linked)
            try cancellation.check()
        } catch {
            try? uploads.remove(name)
            throw error
        }
        record.state = .staged
        // A failed commit may have happened all the same, so the link stays for recovery to look at.
        try journal.staged(record)
        crashPoint(.committed)
        return record
    }

    /// Step 9, when the server has confirmed. Idempotent.
    package func confirmUploaded(_ record: WriteRecord) throws {
        var record = record
        record.state = .uploaded
        try journal.uploaded(record)
        crashPoint(.uploadRecorded)
        try Directory(path: layout.uploadsDirectory).remove(record.operationName())
        crashPoint(.uploaded)
    }

    /// Gives a session up and drops its content. The caller closes the journal's record.
    package func discard(_ record: WriteRecord) throws {
        let name = try record.operationName()
        try Directory(path: layout.stagingDirectory).remove(name)
        try Directory(path: layout.uploadsDirectory).remove(name)
    }

    /// Steps 6 and 7, for a record past the commit point.
    func publish(_ record: WriteRecord) throws -> WriteOutcome {
        var record = record
        let name = try record.operationName()
        let publication = Publication(
            versions: VersionStore(layout: layout), staging: try Directory(path: layout.stagingDirectory),
            stagedName: name, place: record.place, base: record.base, item: record.item,
            operation: record.operation)
        let uploads = try Directory(path: layout.uploadsDirectory)
        guard let committed = try uploads.status(of: name)?.identity else {
            throw FileSystemError(.corrupt, "The content of operation \(record.operation) is missing in Uploads.")
        }
        let folder = try publication.openFolder()
        var conflict: FileName?
        // The same inode under the name: an earlier run came this far.
        if try folder.status(of: record.place.name)?.identity != committed {
            let staging = publication.staging
            if try staging.status(of: name).map({ $0.identity != committed }) ?? false {
                conflict = try publication.settle(in: folder, published: committed)
            }
            if try staging.status(of: name) == nil {
                _ = try uploads.link(name, to: staging, as: name)
            }
            try publication.rename(in: folder)
        }
        crashPoint(.renamed)
        conflict = try publication.settle(in: folder, published: committed) ?? conflict
        crashPoint(.published)
        record.state = .published
        try journal.published(record, conflict: conflict)
        crashPoint(.recorded)
        return WriteOutcome(record: record, conflict: conflict, pending: nil)
    }

    // Step 2. Taking the permission to write away comes first, so that no new writer appears after the look.
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
        // Anything but a clear "no writer" counts as one.
        if policy == .alwaysCopy || clinux_has_writer(file.number) != 0 {
            file = try freshCopy(of: file, named: name, in: staging, cancellation: cancellation)
            session.stagedIdentity = try FileStatus(of: file.number).identity
        }
        let before = try FileStatus(of: file.number)
        let (digest, size) = try FileDigest.sha256(of: file.number, cancellation: cancellation) {
            progress($0, before.size)
        }
        guard try FileStatus(of: file.number).sameContent(as: before), size == before.size else {
            throw FileSystemError(.changed, "The content changed while it was saved.")
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

    // Step 3.
    private func makeDurable(_ file: OpenDescriptor, base: OpenDescriptor?) throws {
        if let base {
            try CarriedAttributes.carry(from: base.number, to: file.number)
        } else {
            try checked(clinux_fchmod(file.number, newFileMode), "set the mode of the file")
        }
        try checked(clinux_fsync(file.number), "make the content durable")
    }

    private func openBase(_ record: WriteRecord) throws -> OpenDescriptor? {
        guard let base = record.base else { return nil }
        let file = try Directory(path: record.place.container).directory(record.place.folder).open(record.place.name)
        guard try ForeignDescriptor.check(file.number, access: .readOnly, allowingFUSE: true).stamp == base else {
            throw FileSystemError(.changed, "The document changed since it was read.")
        }
        return file
    }
}
