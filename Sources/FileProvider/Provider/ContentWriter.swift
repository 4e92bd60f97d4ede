import CLinux
import Synchronization

/// Where the content of an item goes when the host asks for it. Safe to use from any thread.
public final class ContentWriter: Sendable {
    private struct State {
        var beginning: Int?
        var end = 0
    }

    /// The descriptor, valid while the writer lives; open for writing. Who writes to it without the methods of the
    /// writer calls ``begin(at:)`` first.
    public let descriptor: CInt
    /// How many bytes are there already: the most that ``begin(at:)`` takes.
    public let resumableBytes: Int
    private let state = Mutex(State())

    /// Takes ownership of a descriptor that is open for writing.
    public convenience init(owning descriptor: CInt) { self.init(owning: descriptor, resumableBytes: 0) }

    /// Takes ownership of a descriptor of a file that has its first bytes already.
    init(owning descriptor: CInt, resumableBytes: Int) {
        self.descriptor = descriptor
        self.resumableBytes = resumableBytes
    }

    deinit { _ = clinux_close(descriptor) }

    /// How far content is there, in bytes from its start; what was there before ``begin(at:)`` included.
    public var bytesWritten: Int { state.withLock { $0.end } }

    /// Where writing began.
    var beginning: Int { state.withLock { $0.beginning ?? 0 } }

    /// Says where writing begins: at the ``ResumePoint`` or before it, when what lies before is kept, else at 0. To be
    /// called before anything is written; without it writing begins at 0. ``write(_:)`` goes on from there.
    ///
    /// - Parameter offset: How many bytes are kept.
    /// - Throws: ``FileProviderError`` when more bytes are to be kept than are there, or writing has begun elsewhere.
    public func begin(at offset: Int) throws {
        guard (0...resumableBytes).contains(offset) else {
            throw FileProviderError(
                .invalidArgument, "Writing cannot begin at \(offset): \(resumableBytes) bytes are there.")
        }
        try state.withLock { state in
            guard state.beginning == nil || (state.beginning == offset && state.end == offset) else {
                throw FileProviderError(.invalidArgument, "Writing has begun at \(state.beginning ?? 0) already.")
            }
            try start(at: offset, &state)
        }
    }

    /// Writes after what was written before.
    ///
    /// - Throws: ``FileProviderError`` when writing fails, for example for want of space.
    public func write(_ data: some Sequence<UInt8>) throws {
        let bytes = Array(data)
        try beginIfNeeded()
        let offset = state.withLock { state in
            defer { state.end += bytes.count }
            return state.end
        }
        try put(bytes, at: offset)
    }

    /// Writes a part at its place.
    ///
    /// - Throws: ``FileProviderError`` when writing fails, for example for want of space.
    public func write(_ data: some Sequence<UInt8>, at offset: Int) throws {
        let bytes = Array(data)
        try beginIfNeeded()
        try put(bytes, at: offset)
        state.withLock { $0.end = max($0.end, offset + bytes.count) }
    }

    /// Copies the rest of an open file, sharing its blocks where the file system can.
    ///
    /// - Parameters:
    ///   - source: A regular file open for reading; its offset is not used.
    ///   - count: How many bytes to copy from its start.
    /// - Throws: ``FileProviderError`` when copying fails; `CancellationError` when the task was cancelled.
    public func copy(from source: CInt, count: Int) throws {
        try beginIfNeeded()
        do {
            try FileCopy.copy(from: source, to: descriptor, count: count)
        } catch let failure as SystemFailure {
            throw failure.providerError
        }
        state.withLock { $0.end = max($0.end, count) }
    }

    /// Tells how far the content is there after it was written to the ``descriptor`` without the methods of the writer.
    ///
    /// - Parameter end: In bytes from the start of the content.
    public func advance(to end: Int) {
        state.withLock { $0.end = max($0.end, end) }
    }

    /// Nothing more comes. Content of no bytes is written by writing nothing.
    func finish(size: Int?) throws {
        if size == 0 { try beginIfNeeded() }
    }

    private func beginIfNeeded() throws {
        try state.withLock { state in
            if state.beginning == nil { try start(at: 0, &state) }
        }
    }

    private func start(at offset: Int, _ state: inout State) throws {
        // What lies behind the bytes that are kept goes. A fresh file is left alone: it may have room reserved.
        if offset < resumableBytes, state.beginning == nil {
            do {
                try SystemFailure.check(clinux_ftruncate(descriptor, Int64(offset)), "begin the content anew")
            } catch {
                throw error.providerError
            }
        }
        state = State(beginning: offset, end: offset)
    }

    private func put(_ bytes: [UInt8], at offset: Int) throws {
        do {
            try FileCopy.write(bytes, to: descriptor, at: offset)
        } catch {
            throw FileProviderError(wrapping: error)
        }
    }
}
