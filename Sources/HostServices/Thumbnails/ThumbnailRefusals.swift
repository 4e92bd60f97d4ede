import DocentInterfaces
import HostCore
import Rights
import Synchronization

/// The documents of which no picture could be had, so that it is not tried again at once: a folder is looked at many
/// times, and a program that fails would run each time. Thread-safe.
final class ThumbnailRefusals: Sendable {
    /// The picture that was asked for.
    struct Key: Hashable, Sendable {
        let item: ItemKey
        let version: String
        let size: ThumbnailSize
    }

    private struct State {
        var refusals: [Key: (failure: Failure, until: ContinuousClock.Instant)] = [:]
    }

    private static let duration = Duration.seconds(600)
    private static let most = 4_096

    private let clock: any HostClock
    private let state = Mutex(State())

    init(clock: any HostClock) { self.clock = clock }

    /// Why there was no picture a while ago; nil if it is to be tried.
    func refusal(_ key: Key) -> Failure? {
        state.withLock { state in
            guard let known = state.refusals[key] else { return nil }
            if known.until > clock.now { return known.failure }
            state.refusals[key] = nil
            return nil
        }
    }

    /// Remembers that there is no picture, if the failure says something about the document: not if its provider could
    /// not be reached, or nobody waited.
    func note(_ failure: Failure, _ key: Key) {
        guard [.notSupported, .providerFailed, .deadlineExceeded, .invalidArgument].contains(failure.code) else {
            return
        }
        state.withLock { state in
            if state.refusals.count >= Self.most {
                let now = clock.now
                state.refusals = state.refusals.filter { $0.value.until > now }
                if state.refusals.count >= Self.most { state.refusals = [:] }
            }
            state.refusals[key] = (failure, clock.now + Self.duration)
        }
    }
}
