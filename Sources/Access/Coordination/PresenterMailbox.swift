package import DocentInterfaces
import Synchronization

/// The messages of one presenter that wait to be sent, in order (T4): news beyond the limit become one `resync`; what
/// needs an answer is always kept. Thread-safe.
package final class PresenterMailbox: Sendable {
    package typealias Message = DocumentsInterface.Present.Reply

    private struct State {
        var queue: [Message] = []
        var isEnded = false
    }

    /// The most messages that wait.
    package static let limit = 256

    private let state = Mutex(State())
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    package init() {}

    /// Adds a message.
    package func put(_ message: Message) {
        state.withLock { state in
            guard !state.isEnded else { return }
            if state.queue.count >= Self.limit {
                // What must be answered, and what belongs to it, stays; of the rest nothing can be left out singly.
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

    /// Ends the stream once what waits was taken.
    package func end() {
        state.withLock { $0.isEnded = true }
        signal.continuation.finish()
    }

    /// Takes what waits.
    private func take() -> [Message] {
        state.withLock { state in
            defer { state.queue = [] }
            return state.queue
        }
    }

    /// Gives each message to `send`, until the mailbox ends or the task is cancelled. For one caller.
    package func deliver(_ send: (Message) async throws -> Void) async throws {
        for message in take() { try await send(message) }
        for await _ in signal.stream {
            for message in take() { try await send(message) }
        }
        for message in take() { try await send(message) }
    }
}
