import Synchronization

/// Bytes that arrive in pieces.
final class Collected: Sendable {
    private let state = Mutex<[UInt8]>([])
    var bytes: [UInt8] { state.withLock { $0 } }
    func add(_ bytes: [UInt8]) { state.withLock { $0 += bytes } }
}
