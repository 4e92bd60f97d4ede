import Dispatch
import FileProvider
import Synchronization
import Varlink

/// The Swift SDK's server in this process.
struct InProcessTransport: ValidationTransport {
    var name: String { "in process" }

    var abilities: TransportAbilities { [.restart, .direct, .lifeCycle] }

    func start(_ subject: ProviderSubject, in directory: String) async throws -> any ProviderInstance {
        try InProcessInstance(storage: directory)
    }
}

/// One server, until its first connection ends.
private final class InProcessInstance: ProviderInstance {
    let storage: String
    private let socket: Mutex<UnixSocket.Pair>
    private let ended = Mutex(Waiters())

    private struct Waiters {
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    init(storage: String) throws {
        self.storage = storage
        var pair = try UnixSocket.pair()
        let server = try ExtensionServer(try pair.takeSecond())
        socket = Mutex(pair)
        // Blocks as long as the server runs.
        DispatchQueue(label: "org.docent.validation.server").async { [weak self] in
            server.wait()
            self?.finish()
        }
    }

    var visibleStorage: String { storage }
    var isApart: Bool { false }
    var process: Int32? { nil }
    var end: String? { nil }
    var errorText: String { "" }

    func takeSocket() throws -> OwnedDescriptor { try socket.withLock { try $0.takeFirst() } }

    func stop(kill: Bool) async -> String? {
        // Closes the socket if it was never taken.
        _ = try? takeSocket()
        guard !kill else { return "was left" }
        await withCheckedContinuation { continuation in
            let isOver = ended.withLock { state in
                if !state.isOver { state.waiting.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        return "ended"
    }

    private func finish() {
        let waiting = ended.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
