import DocentInterfaces
import ExtensionHosting
import ExtensionManifest
import Logging
import Synchronization
import Varlink

/// Receives the keyring requests of one extension for as long as its process lives, and answers them.
final class ProviderKeychain: Sendable {
    private typealias Message = FileProviderInterface.Keychain.Reply

    private struct State {
        var waiting: [Message] = []
        var running = 0
        var tasks: [Int: Task<Void, Never>] = [:]
        var count = 0
        var hasEnded = false
    }

    /// The maximum number of waiting and running requests of one extension (T4).
    private static let maximumRequests = 64
    /// The maximum number of running requests. The keyring service handles them one by one anyway.
    private static let maximumRunning = 4

    private let caller: KeychainCaller
    private let connection: ExtensionConnection
    private let keychain: KeychainService
    private let logger: Logger
    private let state = Mutex(State())

    private init(
        _ caller: KeychainCaller, _ connection: ExtensionConnection, _ keychain: KeychainService, _ logger: Logger
    ) {
        self.caller = caller
        self.connection = connection
        self.keychain = keychain
        self.logger = logger
    }

    /// Runs until the extension ends or reports that it makes no keyring requests.
    static func follow(
        _ provider: KnownProvider, _ point: ExtensionPoint, _ connection: ExtensionConnection,
        _ keychain: KeychainService, _ logger: Logger
    ) async {
        let follower = ProviderKeychain(KeychainCaller(provider, point), connection, keychain, logger)
        defer { follower.end() }
        try? await connection.withStream(FileProviderInterface.Keychain.self, .init()) { follower.take($0.value) }
    }

    private func take(_ message: Message) {
        guard !message.request.isEmpty, message.request.utf8.count <= 128 else { return }
        let isTaken = state.withLock { state in
            guard state.waiting.count + state.running < Self.maximumRequests else { return false }
            state.waiting.append(message)
            return true
        }
        if isTaken {
            startNext()
        } else {
            Task {
                await tell(
                    .init(
                        request: message.request, code: FailureCode.busy.rawValue,
                        message: "\(Self.maximumRequests) requests are already waiting for the keyring."))
            }
        }
    }

    private func startNext() {
        state.withLock { state in
            guard !state.hasEnded, state.running < Self.maximumRunning, !state.waiting.isEmpty else { return }
            let message = state.waiting.removeFirst()
            state.running += 1
            state.count += 1
            let number = state.count
            state.tasks[number] = Task { await self.run(message, number) }
        }
    }

    private func run(_ message: Message, _ number: Int) async {
        let answer = await keychain.answer(message, to: caller)
        if answer.code == nil { connection.learnKept(message) }
        if answer.code == FailureCode.notPermitted.rawValue {
            logger.warning(
                "an extension was denied access to the keychain",
                metadata: ["provider": "\(caller.provider)", "why": "\(answer.message ?? "")"])
        }
        await tell(answer)
        state.withLock { state in
            state.running -= 1
            state.tasks[number] = nil
        }
        startNext()
    }

    private func tell(_ answer: FileProviderInterface.KeychainAnswered.Parameters) async {
        // An error means that the extension stopped waiting or is about to end.
        _ = try? await connection.call(FileProviderInterface.KeychainAnswered.self, answer)
    }

    private func end() {
        let tasks = state.withLock { state in
            state.hasEnded = true
            state.waiting = []
            return state.tasks.values
        }
        for task in tasks { task.cancel() }
    }
}
