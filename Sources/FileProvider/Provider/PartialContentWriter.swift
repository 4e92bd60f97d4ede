import CLinux
import Glibc
import Synchronization

/// The destination of a part of an item's content: a pipe to the host, which takes the bytes in their order. Safe to
/// use from any thread, by one writer at a time.
///
/// Both ways to write wait while the host has not read enough yet, so at most a pipe's worth of content is under way.
/// The host may close the pipe before the end, when nobody needs the rest. Both ways then throw `CancellationError`,
/// and ``isUnwanted`` is true. Stop then; the SDK answers the call properly, whatever the method throws.
public final class PartialContentWriter: Sendable {
    private struct State {
        var written = 0
        var isWriting = false
        var isWaiting = false
        var isUnwanted = false
        var isStopped = false
        var confirmed: ItemVersion?
        var onConfirmation: (@Sendable () -> Void)?
    }

    // How soon a waiting writer notices that its call has ended.
    private static let pause: CInt = 100

    /// The part that was asked for, in bytes of the content. Content that ends before has fewer bytes.
    public let range: Range<Int>
    /// The writing end of the pipe, valid while this object exists, for calls such as `splice`. It does not block:
    /// `EAGAIN` means that the host has to read first. After writing to it directly, call ``advance(by:)``.
    public let descriptor: CInt
    private let state = Mutex(State())

    /// Takes ownership of the writing end of a pipe, and makes it non-blocking.
    ///
    /// - Parameters:
    ///   - descriptor: The writing end of a pipe.
    ///   - range: The part that is wanted, not empty.
    public init(owning descriptor: CInt, range: Range<Int>) {
        self.descriptor = descriptor
        self.range = range
        let flags = clinux_get_status_flags(descriptor)
        if flags >= 0 { _ = clinux_set_status_flags(descriptor, flags | O_NONBLOCK) }
    }

    deinit { _ = clinux_close(descriptor) }

    /// How many bytes of the part were written.
    public var bytesWritten: Int { state.withLock { $0.written } }

    /// How many bytes may still be written.
    public var bytesLeft: Int { range.count - bytesWritten }

    /// Whether the host has closed the pipe because it needs no more. Known only after an attempt to write.
    public var isUnwanted: Bool { state.withLock { $0.isUnwanted } }

    /// Says that everything that is written is of this version, if that is certain before all is written: for example
    /// because the service refuses another version, or has said it at the beginning of its answer. The host then uses
    /// the bytes as they come, and otherwise only when the method has returned. Nothing else can be said later.
    public func confirm(_ version: ItemVersion) {
        let notify = state.withLock { state in
            defer { state.confirmed = state.confirmed ?? version }
            return state.confirmed == nil ? state.onConfirmation : nil
        }
        notify?()
    }

    /// The version that the provider has confirmed.
    var confirmedVersion: ItemVersion? { state.withLock { $0.confirmed } }

    /// Has something done when the provider confirms the version.
    func whenConfirmed(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onConfirmation = body } }

    /// Appends to what was written before, and waits without blocking a thread of the tasks.
    ///
    /// - Throws: `CancellationError` when the host wants no more or the task is cancelled; ``FileProviderError``:
    ///   `invalidArgument` for more bytes than the ``range`` has, of which none is written, or when another writer is
    ///   writing; another code when writing fails.
    public func write(_ data: some Sequence<UInt8>) async throws {
        let bytes = Array(data)
        try begin(bytes.count)
        defer { end() }
        try Task.checkCancellation()
        let call = BlockingCall()
        let done = try bytes.withUnsafeBytes { try put($0) }
        guard done < bytes.count else { return }
        // The pipe is full: the rest is written by a thread that may wait.
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isStarted = BlockingThread.start { [self] in
                    continuation.resume(
                        with: Result {
                            try bytes.withUnsafeBytes {
                                try putAll(UnsafeRawBufferPointer(rebasing: $0[done...]), call)
                            }
                        })
                }
                guard !isStarted else { return }
                continuation.resume(
                    throwing: FileProviderError(.busy, "There are no more threads. Try again later."))
            }
        } onCancel: {
            _ = call.end(CancellationError())
        }
    }

    /// Appends to what was written before, and blocks the thread while the host has to read first. For threads of your
    /// own, such as those on which a C library calls back; never call it from a task.
    ///
    /// - Throws: `CancellationError` when the host wants no more or the call has ended; ``FileProviderError`` as
    ///   ``write(_:)``.
    public func writeBlocking(_ bytes: UnsafeRawBufferPointer) throws {
        try begin(bytes.count)
        defer { end() }
        try putAll(bytes, BlockingCall())
    }

    /// Records how many bytes were written to the ``descriptor`` directly.
    ///
    /// - Parameter count: The number of bytes, not negative. Beyond the ``range`` nothing is counted.
    public func advance(by count: Int) {
        state.withLock { $0.written += min(max(0, count), range.count - $0.written) }
    }

    /// Whether a writer waits for the host to read.
    var isWaiting: Bool { state.withLock { $0.isWaiting } }

    /// Ends the waits of all writers, because the call has ended.
    func stop() { state.withLock { $0.isStopped = true } }

    private func begin(_ count: Int) throws {
        try state.withLock { state in
            guard !state.isUnwanted, !state.isStopped else { throw CancellationError() }
            guard !state.isWriting else {
                throw FileProviderError(.invalidArgument, "The content is being written by another writer.")
            }
            guard count <= range.count - state.written else {
                throw FileProviderError(
                    .invalidArgument,
                    "The content cannot be written: \(state.written + count) bytes are more than the \(range.count) "
                        + "that were asked for.")
            }
            state.isWriting = true
        }
    }

    private func end() { state.withLock { $0.isWriting = false } }

    private func putAll(_ bytes: UnsafeRawBufferPointer, _ call: BlockingCall) throws {
        var rest = bytes
        defer { state.withLock { $0.isWaiting = false } }
        while !rest.isEmpty {
            try call.checkCancellation()
            guard !state.withLock({ $0.isStopped }) else { throw CancellationError() }
            let done = try put(rest)
            rest = UnsafeRawBufferPointer(rebasing: rest[done...])
            guard !rest.isEmpty else { return }
            state.withLock { $0.isWaiting = true }
            _ = QuietPipe.isReady(descriptor, within: Self.pause)
        }
    }

    /// Writes what fits now.
    private func put(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        var done = 0
        while done < bytes.count {
            let count = QuietPipe.write(UnsafeRawBufferPointer(rebasing: bytes[done...]), to: descriptor)
            switch count {
            case 1...: done += count
            case -Int(EINTR): continue
            case 0, -Int(EAGAIN):
                state.withLock { $0.written += done }
                return done
            case -Int(EPIPE):
                state.withLock { state in
                    state.written += done
                    state.isUnwanted = true
                }
                throw CancellationError()
            default:
                state.withLock { $0.written += done }
                throw SystemFailure(CInt(-count), "write the content").providerError
            }
        }
        state.withLock { $0.written += done }
        return done
    }
}
