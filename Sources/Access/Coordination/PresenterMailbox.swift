package import DocentInterfaces
import Synchronization

/// The messages waiting to be sent to one presenter, in order. Above the limit, news is replaced by one `resync`;
/// messages that need an answer are always kept (T4). Thread-safe.
package final class PresenterMailbox: Sendable {
    package typealias Message = DocumentsInterface.Present.Reply

    private struct State {
        var queue: [Message] = []
        var isEnded = false
    }

    /// The maximum number of waiting messages.
    package static let limit = 256

    private let state = Mutex(State())
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    package init() {}

    /// Adds a message. Above the limit, queued news is replaced by `resync`.
    package func put(_ message: Message) {
        state.withLock { state in
            guard !state.isEnded else { return }
            if state.queue.count >= Self.limit {
                // Messages that need an answer stay, together with what belongs to them. The rest can only be dropped
                // as a whole.
                let kept = state.queue.filter { Self.mustStay($0) }
                state.queue = kept + [Message(kind: "resync")]
                guard Self.mustStay(message) else { return }
            }
            if message.message == nil, state.queue.last == message { return }
            state.queue.append(message)
        }
        signal.continuation.yield()
    }

    private static func mustStay(_ message: Message) -> Bool { message.message != nil }

    /// Ends the stream once the waiting messages were taken.
    package func end() {
        state.withLock { $0.isEnded = true }
        signal.continuation.finish()
    }

    /// Takes all waiting messages.
    private func take() -> [Message] {
        state.withLock { state in
            defer { state.queue = [] }
            return state.queue
        }
    }

    /// Passes each message to `send` until the mailbox ends or the task is cancelled. Only one caller may use it.
    package func deliver(_ send: (Message) async throws -> Void) async throws {
        for message in take() { try await send(message) }
        for await _ in signal.stream {
            for message in take() { try await send(message) }
        }
        for message in take() { try await send(message) }
    }
}
