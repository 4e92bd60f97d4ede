import FileSystemMessages
import Synchronization

/// What an earlier server of the mount had done for requests whose replies did not arrive: the kernel sends them again.
/// Thread-safe.
final class FormerAnswers: Sendable {
    private struct State {
        var handles: [UInt64: UInt64] = [:]
        var savings: [UInt64: KeptOperation] = [:]
    }

    private let state = Mutex(State())

    /// The name of a request without the mark of a repetition.
    static func name(of unique: UInt64) -> UInt64 { unique & ~KernelRequest.repetition }

    /// Notes what the keeper had kept.
    func note(_ entries: [KeptState.Entry]) {
        state.withLock { state in
            for entry in entries {
                switch entry.kind {
                case .file, .folder: if entry.request != 0 { state.handles[entry.request] = entry.key }
                case .saving: state.savings[entry.key] = entry.operation
                default: break
                }
            }
        }
    }

    /// The handle that the reply would have been about. Nobody has it, and nobody will close it.
    func takeHandle(_ unique: UInt64) -> UInt64? {
        state.withLock { $0.handles.removeValue(forKey: Self.name(of: unique)) }
    }

    /// The change that a change of name had begun to commit.
    func takeSaving(_ unique: UInt64) -> KeptOperation? {
        state.withLock { $0.savings.removeValue(forKey: Self.name(of: unique)) }
    }
}
