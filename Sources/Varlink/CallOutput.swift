import Glibc
import Synchronization

/// The replies to one call: its task queues them, and the connection's thread sends them.
final class CallOutput: Sendable {
    private struct State {
        var queue: [EncodedReply] = []
        var queuedBytes = 0
        var queuedDescriptors = 0
        var isFinished = false
        var isClosed = false
        var held: HeldCall?
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let limits: ServerLimits
    private let wake: WakeDescriptor
    private let state = Mutex(State())

    init(limits: ServerLimits, wake: WakeDescriptor) {
        self.limits = limits
        self.wake = wake
    }

    // MARK: The task's side

    /// Queues a reply; returns false if the queue is full.
    func offer(_ reply: EncodedReply) throws(VarlinkError) -> Bool {
        let reply = try reply.checked(limits)
        let outcome = state.withLock { state -> Result<Bool, VarlinkError> in
            guard !state.isClosed, !state.isFinished else { return .failure(.closed) }
            guard hasRoom(state, for: reply) else { return .success(false) }
            Self.append(reply, to: &state)
            return .success(true)
        }
        if try outcome.get() {
            wake.signal()
            return true
        }
        return false
    }

    /// Waits until something was sent. Throws `cancelled` or `closed`.
    func waitForRoom() async throws(VarlinkError) {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumesNow = state.withLock { state in
                    // Queued replies will be sent or dropped; with an empty queue there would be no wake-up.
                    if state.isClosed || state.queue.isEmpty || Task.isCancelled { return true }
                    state.waiters[waiter] = continuation
                    return false
                }
                if resumesNow { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume()
        }
        if Task.isCancelled { throw VarlinkError(.cancelled, "The call was cancelled.") }
        if state.withLock({ $0.isClosed }) { throw .closed }
    }

    /// Queues the last reply; nil for a one-way call.
    func finish(_ reply: EncodedReply?) {
        state.withLock { state in
            guard !state.isClosed, !state.isFinished else { return }
            if let reply { Self.append(reply, to: &state) }
            state.isFinished = true
        }
        wake.signal()
    }

    /// Queues the reply of a held call, or releases it when the caller has gone.
    func finish(_ held: HeldCall) {
        let isHeld = state.withLock { state in
            guard !state.isClosed, !state.isFinished else { return false }
            Self.append(held.first, to: &state)
            state.isFinished = true
            state.held = held
            return true
        }
        guard isHeld else { return held.released() }
        wake.signal()
    }

    // MARK: The thread's side

    enum Step {
        case send(EncodedReply)
        case wait
        case done
    }

    /// The thread's next step.
    func step() -> Step {
        state.withLock { state in
            if let first = state.queue.first { return .send(first) }
            return state.isFinished ? .done : .wait
        }
    }

    /// Removes the first reply, which was sent.
    func removeFirst() {
        let waiters = state.withLock { state in
            let reply = state.queue.removeFirst()
            state.queuedBytes -= reply.bytes.count
            state.queuedDescriptors -= reply.descriptorCount
            return Self.takeWaiters(&state)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The held call, after its first reply was sent. The caller must release it.
    func takeHeld() -> HeldCall? {
        state.withLock { $0.held.take() }
    }

    /// Ends the call: queued replies are dropped, a held call that was not taken is released, and all waiters are
    /// resumed.
    func close() {
        let (waiters, held) = state.withLock { state in
            state.isClosed = true
            state.queue.removeAll()
            return (Self.takeWaiters(&state), state.held.take())
        }
        held?.released()
        for waiter in waiters { waiter.resume() }
    }

    private static func takeWaiters(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        let waiters = state.waiters.sorted { $0.key < $1.key }.map(\.value)
        state.waiters.removeAll()
        return waiters
    }

    private static func append(_ reply: EncodedReply, to state: inout State) {
        state.queue.append(reply)
        state.queuedBytes += reply.bytes.count
        state.queuedDescriptors += reply.descriptorCount
    }

    private func hasRoom(_ state: State, for reply: EncodedReply) -> Bool {
        let bytesFit = state.queuedBytes == 0 || state.queuedBytes + reply.bytes.count <= limits.outputBytes
        let descriptorsFit =
            reply.descriptorCount == 0 || state.queuedDescriptors == 0
            || state.queuedDescriptors + reply.descriptorCount <= limits.outputDescriptors
        return bytesFit && descriptorsFit
    }
}
