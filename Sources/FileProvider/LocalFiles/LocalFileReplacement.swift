import CLinux
import Glibc
import Synchronization

/// New content of a local file, staged beside its target and then put in its place without ever destroying what another
/// program has saved meanwhile.
///
/// ```swift
/// let staged = try LocalFileReplacement(of: name, in: folder, contents: contents, operation: operation.identifier)
/// let outcome = try staged.replace(base: version)
/// ```
/// A staged file that is not published is removed with the last reference. Safe to use from any thread.
public final class LocalFileReplacement: Sendable {
    /// The result of a replacement.
    public struct Outcome: Hashable, Sendable {
        /// The facts of the file that now has the name.
        public let facts: LocalFileFacts
        /// The name under which the displaced file is kept, if it was not the base.
        public let conflict: LocalName?
    }

    /// The facts of the staged file. Publishing keeps the inode and the birth time.
    public let facts: LocalFileFacts
    private let directory: LocalDirectory
    private let name: LocalName
    private let operation: String
    private let staged: Mutex<LocalName?>

    /// Stages content for a new file.
    ///
    /// - Parameters:
    ///   - name: The name of the new file.
    ///   - directory: The directory of the file.
    ///   - contents: The content.
    ///   - operation: Identifies the change, so that ``leftover(of:in:)`` finds what a crash left.
    ///   - progress: Receives the number of copied bytes.
    /// - Throws: ``FileProviderError``; `CancellationError` when the task is cancelled.
    public convenience init(
        new name: LocalName, in directory: LocalDirectory, contents: ContentReader, operation: String,
        progress: TransferProgress = TransferProgress()
    ) throws {
        try self.init(name, directory, contents, operation, progress, like: nil)
    }

    /// Stages content for an existing file, with its owner, mode, ACL and attributes.
    ///
    /// - Parameters:
    ///   - name: The name of the target.
    ///   - directory: The directory of the target.
    ///   - contents: The content.
    ///   - operation: Identifies the change, so that ``leftover(of:in:)`` finds what a crash left.
    ///   - progress: Receives the number of copied bytes.
    /// - Throws: ``FileProviderError``; `notPermitted` with the reason when the target has several hard links or may
    ///   not be written, or when its owner or ACL cannot be carried over; `CancellationError`.
    public convenience init(
        of name: LocalName, in directory: LocalDirectory, contents: ContentReader, operation: String,
        progress: TransferProgress = TransferProgress()
    ) throws {
        let target = try directory.facts(of: name)
        try Self.refuseUnlessReplaceable(target, name, directory)
        try self.init(name, directory, contents, operation, progress, like: target)
    }

    private init(
        _ name: LocalName, _ directory: LocalDirectory, _ contents: ContentReader, _ operation: String,
        _ progress: TransferProgress, like target: LocalFileFacts?
    ) throws {
        self.directory = directory
        self.name = name
        self.operation = operation
        let temporary = TemporaryName.stage()
        let mode = target.map { $0.permissions & 0o777 } ?? 0o666
        let flags = CLINUX_O_RDWR | CLINUX_O_CREAT | CLINUX_O_EXCL | CLINUX_O_NOFOLLOW
        do {
            let raw = temporary.withCString { clinux_openat(directory.descriptor, $0, flags, mode) }
            let file = OpenFile(owning: try SystemFailure.check(raw, "stage \"\(name.displayed)\""))
            do {
                try FileCopy.copy(from: contents.descriptor, to: file.descriptor, count: contents.size) {
                    progress.note(completed: $0, total: contents.size)
                }
                if let target { try FileAttributes.carryOver(from: name, target, in: directory, to: file.descriptor) }
                if let metadata = contents.metadata { FileAttributes.apply(metadata, to: file.descriptor) }
                try SystemFailure.check(clinux_fsync(file.descriptor), "make \"\(name.displayed)\" durable")
                facts = try LocalFileFacts(descriptor: file.descriptor)
            } catch {
                _ = directory.unlink(temporary)
                throw error
            }
        } catch let failure as SystemFailure {
            throw failure.providerError
        }
        staged = Mutex(temporary)
    }

    deinit {
        if let name = staged.withLock({ $0 }) { _ = directory.unlink(name) }
    }

    /// Gives the new file its name.
    ///
    /// - Returns: The file's facts.
    /// - Throws: ``FileProviderError``; `filenameCollision` if the name is taken.
    public func create() throws -> LocalFileFacts {
        try directory.rename(try takeStaged(), to: name)
        staged.withLock { $0 = nil }
        try directory.synchronize()
        return try directory.facts(of: name)
    }

    /// Puts the file in the place of its target.
    ///
    /// - Parameter base: The version that may be replaced; nil for the current one. The current file is kept as a
    ///   conflict if it is not the base, changes meanwhile, or is still open for writing.
    /// - Throws: ``FileProviderError``. The target is untouched then, unless making it durable failed.
    public func replace(base: ItemVersion?) throws -> Outcome {
        let saved = TemporaryName.save(operation)
        try directory.rename(try takeStaged(), to: saved)
        staged.withLock { $0 = saved }
        let before = try directory.facts(of: name)
        try Self.refuseUnlessReplaceable(before, name, directory)
        let result = directory.exchangeNames(saved, name, CLINUX_RENAME_EXCHANGE)
        if result == -EINVAL || result == -EOPNOTSUPP || result == -ENOSYS {
            try replaceWithoutExchange(saved)
        } else if result < 0 {
            throw SystemFailure(-result, "replace \"\(name.displayed)\"").providerError
        }
        // From here on that name belongs to another program's file.
        staged.withLock { $0 = nil }
        let displaced = try directory.facts(of: saved)
        guard displaced.kind == .file else {
            _ = directory.exchangeNames(saved, name, CLINUX_RENAME_EXCHANGE)
            _ = directory.unlink(saved)
            throw FileProviderError(.versionOutOfDate, "\"\(name.displayed)\" is no longer a document.")
        }
        try directory.synchronize()
        let isBase = (base ?? before.version) == before.version && displaced.hasSameContent(as: before)
        let conflict = try dispose(of: saved, keep: !isBase)
        return Outcome(facts: try directory.facts(of: name), conflict: conflict)
    }

    private func takeStaged() throws -> LocalName {
        guard let name = staged.withLock({ $0 }) else {
            throw FileProviderError(.failed, "The staged file was published before.")
        }
        return name
    }

    private func replaceWithoutExchange(_ saved: LocalName) throws {
        let stage = TemporaryName.stage()
        try directory.rename(saved, to: stage)
        staged.withLock { $0 = stage }
        let linked = name.withCString { from in
            saved.withCString { clinux_linkat(directory.descriptor, from, directory.descriptor, $0) }
        }
        do {
            try SystemFailure.check(linked, "keep \"\(name.displayed)\" while it is replaced")
            try SystemFailure.check(directory.exchangeNames(stage, name, 0), "replace \"\(name.displayed)\"")
        } catch {
            if linked == 0 { _ = directory.unlink(saved) }
            throw error.providerError
        }
    }

    private func dispose(of saved: LocalName, keep: Bool) throws -> LocalName? {
        try Self.dispose(of: saved, displacedFrom: name, in: directory, keep: keep || hasWriter(saved))
    }

    private func hasWriter(_ saved: LocalName) -> Bool {
        guard let file = try? directory.openFile(saved) else { return false }
        return clinux_has_writer(file.descriptor) == 1
    }

    private static func refuseUnlessReplaceable(
        _ facts: LocalFileFacts, _ name: LocalName, _ directory: LocalDirectory
    ) throws {
        guard facts.kind == .file else {
            throw FileProviderError(.notPermitted, "\"\(name.displayed)\" is not a document.")
        }
        guard facts.links == 1 else {
            throw FileProviderError(
                .notPermitted,
                "\"\(name.displayed)\" has \(facts.links) names (hard links); replacing splits them.")
        }
        guard facts.permissions & 0o222 != 0, directory.isWritable(name) else {
            throw FileProviderError(.notPermitted, "\"\(name.displayed)\" is read-only.")
        }
    }
}
