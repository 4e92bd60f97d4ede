import DocentInterfaces
import Synchronization

/// The messages of an extension during a sign-in, on their way to the client.
///
/// The client may be slower than the extension. If the buffer is full, the oldest messages are dropped and replaced by
/// one message with their number. Thread-safe; for one reader.
final class SignInMessages: Sendable {
    /// The maximum number of waiting steps.
    static let room = 64
    /// The maximum size of the waiting text in bytes.
    static let bytes = 256 * 1024

    private struct State {
        var steps: [Wire.SignInStep] = []
        var bytes = 0
        var dropped = 0

        /// The step that the person needs least: the oldest message, or else the oldest step that is not a question.
        var leastUseful: Int? {
            steps.firstIndex { $0.kind == "message" } ?? steps.firstIndex { $0.kind != "question" }
        }

        mutating func add(_ step: Wire.SignInStep) {
            steps.append(step)
            bytes += SignInMessages.size(step)
            while steps.count > SignInMessages.room || bytes > SignInMessages.bytes {
                // The newest step stays, whatever its size. With more questions than a login may have, the first ones
                // are enough to end it.
                let index = leastUseful ?? steps.count - 1
                guard index < steps.count - 1 || steps.count > SignInMessages.room else { return }
                bytes -= SignInMessages.size(steps.remove(at: index))
                dropped += 1
            }
        }
    }

    private let state = Mutex(State())
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    init() {
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    private static func size(_ step: Wire.SignInStep) -> Int {
        [step.url, step.userCode, step.completeURL, step.message, step.question?.label, step.question?.help]
            .reduce(64) { $0 + ($1?.utf8.count ?? 0) }
    }

    /// Appends a step.
    func add(_ step: Wire.SignInStep) {
        state.withLock { $0.add(step) }
        ring.yield()
    }

    /// Marks the end: no more steps are added.
    func finish() { ring.finish() }

    /// The number of waiting steps.
    var count: Int { state.withLock { $0.steps.count } }

    /// Passes on each step until the end.
    func forEach(_ body: (Wire.SignInStep) async throws -> Void) async throws {
        for await _ in bell {
            while let step = take() { try await body(step) }
        }
        while let step = take() { try await body(step) }
    }

    private func take() -> Wire.SignInStep? {
        state.withLock { state in
            if state.dropped > 0 {
                defer { state.dropped = 0 }
                let what = state.dropped == 1 ? "One message was" : "\(state.dropped) messages were"
                return Wire.SignInStep(
                    kind: "message",
                    message: "\(what) left out here: the provider sent more than can be shown.")
            }
            guard !state.steps.isEmpty else { return nil }
            let step = state.steps.removeFirst()
            state.bytes -= Self.size(step)
            return step
        }
    }
}
