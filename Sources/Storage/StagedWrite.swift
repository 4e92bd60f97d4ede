import CLinux
import Synchronization

/// A private staged file that a client fills, until it is committed or given up (W0).
///
/// No client ever holds a writable descriptor of committed content: ``StagingArea`` freezes a fresh copy when a writer may be left.
package final class StagedWrite: Sendable {
    /// The name of its file in Staging and Uploads: that of its operation.
    let name: FileName
    private let staged: OpenDescriptor
    private let identity: Mutex<FileIdentity>

    init(name: FileName, staged: OpenDescriptor) throws {
        self.name = name
        self.staged = staged
        identity = Mutex(try FileStatus(of: staged.number).identity)
    }

    /// Which file the staged name must be; changes when a fresh copy takes its place.
    var stagedIdentity: FileIdentity {
        get { identity.withLock { $0 } }
        set { identity.withLock { $0 = newValue } }
    }

    /// How many bytes the staged file has now; 0 once a commit began.
    package var stagedBytes: UInt64 { (try? FileStatus(of: staged.number).size) ?? 0 }

    /// Trims and closes our own writable descriptor, so that whoever can still write is a stranger.
    func endFilling() throws {
        guard let number = staged.take() else { return }
        defer { clinux_close(number) }
        try Space.releaseExcess(number, size: FileStatus(of: number).size)
    }

    /// A descriptor of its own for the client, readable and writable (F2). None after a commit began.
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

/// When the committed file must be a copy that no client ever had open (W0).
package enum FreezePolicy: Sendable {
    /// When `F_SETLEASE` tells that a writer is left, or cannot tell.
    case copyIfWriterLeft
    /// Always: the client is confined and could reopen a descriptor that it kept.
    case alwaysCopy
}
