import CLinux
import Synchronization

/// The destination of an item's content. Safe to use from any thread.
public final class ContentWriter: Sendable {
    private struct State {
        var beginning: Int?
        var end = 0
    }

    /// The descriptor, open for writing and valid while this object exists. Before you write to it directly, call
    /// ``begin(at:)``.
    public let descriptor: CInt
    /// How many bytes are present already: the most that ``begin(at:)`` accepts.
    public let resumableBytes: Int
    private let state = Mutex(State())

    /// Takes ownership of a descriptor that is open for writing.
    public convenience init(owning descriptor: CInt) { self.init(owning: descriptor, resumableBytes: 0) }

    /// Takes ownership of a descriptor of a file that already has its first bytes.
    init(owning descriptor: CInt, resumableBytes: Int) {
        self.descriptor = descriptor
        self.resumableBytes = resumableBytes
    }

    deinit { _ = clinux_close(descriptor) }

    /// How many bytes of content are present from the start, including those before ``begin(at:)``.
    public var bytesWritten: Int { state.withLock { $0.end } }

    /// Where writing began.
    var beginning: Int { state.withLock { $0.beginning ?? 0 } }

    /// Sets where writing begins: at the ``ResumePoint`` or before it if the bytes before that are kept, else at 0.
    /// Call it before anything is written; otherwise writing begins at 0. ``write(_:)`` continues from there.
    ///
    /// - Parameter offset: How many bytes are kept.
    /// - Throws: ``FileProviderError`` when fewer bytes are present, or writing has begun elsewhere.
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

    /// Appends to what was written before.
    ///
    /// - Throws: ``FileProviderError`` when writing fails, for example for lack of space.
    public func write(_ data: some Sequence<UInt8>) throws {
        let bytes = Array(data)
        try beginIfNeeded()
        let offset = state.withLock { state in
            defer { state.end += bytes.count }
            return state.end
        }
        try put(bytes, at: offset)
    }

    /// Writes a part at an offset.
    ///
    /// - Throws: ``FileProviderError`` when writing fails, for example for lack of space.
    public func write(_ data: some Sequence<UInt8>, at offset: Int) throws {
        let bytes = Array(data)
        try beginIfNeeded()
        try put(bytes, at: offset)
        state.withLock { $0.end = max($0.end, offset + bytes.count) }
    }

    /// Copies an open file from its start, sharing its blocks where the file system can.
    ///
    /// - Parameters:
    ///   - source: A regular file open for reading; its offset is not used.
    ///   - count: How many bytes to copy.
    /// - Throws: ``FileProviderError`` when copying fails; `CancellationError` when the task is cancelled.
    public func copy(from source: CInt, count: Int) throws {
        try beginIfNeeded()
        do {
            try FileCopy.copy(from: source, to: descriptor, count: count)
        } catch let failure as SystemFailure {
            throw failure.providerError
        }
        state.withLock { $0.end = max($0.end, count) }
    }

    /// Records how much content is present after writing to the ``descriptor`` directly.
    ///
    /// - Parameter end: In bytes from the start of the content.
    public func advance(to end: Int) {
        state.withLock { $0.end = max($0.end, end) }
    }

    /// Ends writing. Empty content is written by writing nothing.
    func finish(size: Int?) throws {
        if size == 0 { try beginIfNeeded() }
    }

    private func beginIfNeeded() throws {
        try state.withLock { state in
            if state.beginning == nil { try start(at: 0, &state) }
        }
    }

    private func start(at offset: Int, _ state: inout State) throws {
        // Cuts off what follows the bytes that are kept. A new file is left alone: it may have reserved space.
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
