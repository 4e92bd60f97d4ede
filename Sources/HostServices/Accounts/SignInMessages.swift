import DocentInterfaces
import Synchronization

/// What an extension says while a person signs in, on its way to the client.
///
/// The client may be slower than the extension: where there is more than has room, the oldest messages are dropped, and
/// a message takes their place that says how many. Thread-safe; for one reader.
final class SignInMessages: Sendable {
    /// How many steps wait at most.
    static let room = 64
    /// Bytes of text at which messages are dropped too.
    static let bytes = 256 * 1024

    private struct State {
        var steps: [Wire.SignInStep] = []
        var bytes = 0
        var dropped = 0

        /// What is of least use to the person: the oldest message, or else the oldest step that asks nothing.
        var leastUseful: Int? {
            steps.firstIndex { $0.kind == "message" } ?? steps.firstIndex { $0.kind != "question" }
        }

        mutating func add(_ step: Wire.SignInStep) {
            steps.append(step)
            bytes += SignInMessages.size(step)
            while steps.count > SignInMessages.room || bytes > SignInMessages.bytes {
                // The newest stays, whatever its size. Of more questions than a login may have the first ones are
                // enough to end it.
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

    /// Adds a step behind the others.
    func add(_ step: Wire.SignInStep) {
        state.withLock { $0.add(step) }
        ring.yield()
    }

    /// Nothing is added any more.
    func finish() { ring.finish() }

    /// How many steps wait.
    var count: Int { state.withLock { $0.steps.count } }

    /// Hands on each step, until there will be no further one.
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
                    message: "\(what) left out here: the provider sends more than can be shown.")
            }
            guard !state.steps.isEmpty else { return nil }
            let step = state.steps.removeFirst()
            state.bytes -= Self.size(step)
            return step
        }
    }
}
