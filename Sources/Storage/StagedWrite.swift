import CLinux
import Synchronization

/// A private staged file that a client fills, until it is committed or discarded.
///
/// No client ever holds a writable descriptor of committed content: if there may still be a writer, ``StagingArea``
/// freezes a fresh copy.
package final class StagedWrite: Sendable {
    /// The name of its file in `Staging` and `Uploads`: the operation's name.
    let name: FileName
    private let staged: OpenDescriptor
    private let identity: Mutex<FileIdentity>

    init(name: FileName, staged: OpenDescriptor) throws {
        self.name = name
        self.staged = staged
        identity = Mutex(try FileStatus(of: staged.number).identity)
    }

    /// The identity that the staged file must have; it changes when a fresh copy replaces the file.
    var stagedIdentity: FileIdentity {
        get { identity.withLock { $0 } }
        set { identity.withLock { $0 = newValue } }
    }

    /// The current size of the staged file in bytes, or what is reserved for it if that is more; 0 once a commit has
    /// begun.
    package var stagedBytes: UInt64 {
        var status = clinux_stat()
        guard clinux_stat_fd(staged.number, &status) == 0 else { return 0 }
        return max(status.size, status.blocks.multipliedReportingOverflow(by: 512).partialValue)
    }

    /// Trims and closes our own writable descriptor, so that any remaining writer is a client.
    func endFilling() throws {
        guard let number = staged.take() else { return }
        defer { clinux_close(number) }
        try Space.releaseExcess(number, size: FileStatus(of: number).size)
    }

    /// A separate descriptor for the client, readable and writable. Fails once a commit has begun.
    package func makeClientDescriptor() throws -> OpenDescriptor {
        try OpenDescriptor.reopenForWriting(staged.number)
    }

    /// Fills the staged file from a descriptor, as Export does.
    ///
    /// - Throws: what `FileCopier.copy` throws; the session stays open.
    @discardableResult
    package func fill(
        from source: Int32, bound: UInt64, cancellation: Cancellation = Cancellation(),
        progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws -> FileCopier.Outcome {
        try FileCopier.copy(
            from: source, to: staged.number, bound: bound, cancellation: cancellation, progress: progress)
    }
}

/// When the committed file must be a copy that no client ever had open.
package enum FreezePolicy: Sendable {
    /// When `F_SETLEASE` reports a remaining writer, or cannot tell.
    case copyIfWriterLeft
    /// Always: the client is confined and could reopen a descriptor that it kept.
    case alwaysCopy
}
