import FileProvider
import FoundationEssentials
import Synchronization

/// A domain's remote in the shared rclone process. Registers the remote with each new run, sends requests, and saves
/// renewed tokens.
actor RemoteSession {
    /// The remote in one run of rclone.
    struct Connection: Sendable {
        let endpoint: RcloneService.Endpoint
        /// The name of the domain's root, with its colon.
        let root: String
        /// The same with earlier versions as further documents, with its colon; nil if the back end cannot show them.
        let history: String?
        let traits: RemoteTraits
    }

    private static let numbers = Atomic(0)
    // How often to check whether rclone renewed a token: normally, and when a token is due or not yet saved.
    private static let pause: Duration = .seconds(20)
    private static let pauseWhenDue: Duration = .seconds(1)

    private var service: RcloneService
    private let save: @Sendable (Credential) async throws -> Void
    private let questions = Turnstile(12)
    private var account: RemoteAccount
    private var prefix: String
    private var names: [String] = []
    private var connection: Connection?
    private var connecting: Task<Connection, any Error>?
    private var lastLook: ContinuousClock.Instant?
    private var isSaved = true

    init(_ account: RemoteAccount, service: RcloneService, save: @escaping @Sendable (Credential) async throws -> Void)
    {
        self.account = account
        self.service = service
        self.save = save
        prefix = Self.newPrefix()
    }

    private static func newPrefix() -> String {
        "d\(numbers.wrappingAdd(1, ordering: .relaxed).newValue)-"
    }

    /// Replaces the account, and the rclone service if one is given.
    func use(_ account: RemoteAccount, service: RcloneService? = nil) async {
        await forget()
        if let service { self.service = service }
        self.account = account
        lastLook = nil
        isSaved = true
    }

    /// Removes the configuration from rclone.
    func forget() async {
        let known = connection
        let former = names
        connection = nil
        connecting = nil
        names = []
        account.configuration = RemoteConfiguration()
        // Rclone caches each remote by name, so the next configuration gets another name.
        prefix = Self.newPrefix()
        guard let known, !known.endpoint.process.hasEnded else { return }
        for name in former {
            _ = try? await Self.post(known.endpoint, "config/delete", ["name": .text(name)], patience: 10)
        }
    }

    /// The remote in the running rclone.
    func connected() async throws -> Connection {
        let endpoint = try await service.endpoint()
        if let connection, connection.endpoint.run == endpoint.run { return connection }
        let task = connecting ?? Task { try await connect(endpoint) }
        connecting = task
        defer { connecting = nil }
        let result = try await task.value
        connection = result
        return result
    }

    private func connect(_ endpoint: RcloneService.Endpoint) async throws -> Connection {
        guard account.isComplete else {
            throw FileProviderError(.notAuthenticated, "The configuration of the remote is missing. Sign in with it.")
        }
        let configuration = account.configuration
        let prefix = prefix
        let root = prefix + "root"
        do {
            for (name, parameters) in configuration.prefixed(prefix) {
                try await Self.create(endpoint, name, parameters, isPlain: configuration.hasPlainPasswords)
            }
            let remote = configuration.prefixed(references: account.root, prefix)
            try await Self.create(endpoint, root, ["type": "alias", "remote": remote], isPlain: false)
            var history: String?
            if let remote = configuration.history(of: account.root, prefix) {
                history = prefix + "history"
                try await Self.create(
                    endpoint, prefix + "history", ["type": "alias", "remote": remote], isPlain: false)
            }
            let answer = try await Self.post(endpoint, "operations/fsinfo", ["fs": .text(root + ":")], patience: 120)
            let traits = try JSONDecoder().decode(RemoteTraits.self, from: Data(answer))
            names = configuration.sections.keys.map { prefix + $0 } + [root] + [history].compactMap(\.self)
            return Connection(
                endpoint: endpoint, root: root + ":", history: history.map { $0 + ":" }, traits: traits)
        } catch let failure as RemoteFailure {
            if endpoint.process.hasEnded { throw endpoint.process.end }
            throw failure.providerError(cannot: "reach the remote", hiding: configuration.hiddenValues)
        }
    }

    private static func create(
        _ endpoint: RcloneService.Endpoint, _ name: String, _ parameters: [String: String], isPlain: Bool
    ) async throws {
        let values = parameters.filter { $0.key != "type" }.mapValues { RemoteValue.text($0) }
        _ = try await post(
            endpoint, "config/create",
            [
                "name": .text(name), "type": .text(parameters["type"] ?? ""), "parameters": .object(values),
                "opt": .object([
                    "nonInteractive": true, "noOutput": true, isPlain ? "obscure" : "noObscure": true,
                ]),
            ], patience: 60)
    }

    /// Sends a request to rclone.
    ///
    /// - Parameters:
    ///   - parameters: `fs` defaults to the domain's root. With `dstFs` the root has to be given.
    ///   - what: Completes "rclone cannot".
    ///   - isQuestion: Whether the request changes nothing. It is then repeated once if rclone ends meanwhile.
    ///   - run: The run that has to answer, if the request has no meaning in another one.
    ///   - names: Names in the parameters, which must not be mistaken for a part of an error.
    /// - Throws: `FileProviderError`.
    func call<Answer: Decodable & Sendable>(
        _ method: String, _ parameters: @Sendable (Connection) -> [String: RemoteValue], cannot what: String,
        isQuestion: Bool = true, patience: Int = 120, names: [String] = [], in run: Connection? = nil,
        as type: Answer.Type
    ) async throws -> Answer {
        if let run { return try await once(run, method, parameters, what, patience, names, type) }
        let connection = try await connected()
        do {
            return try await once(connection, method, parameters, what, patience, names, type)
        } catch let error as FileProviderError
            where isQuestion && error.code == .serverUnreachable && connection.endpoint.process.hasEnded
        {
            return try await once(try await connected(), method, parameters, what, patience, names, type)
        }
    }

    private func once<Answer: Decodable & Sendable>(
        _ connection: Connection, _ method: String, _ parameters: @Sendable (Connection) -> [String: RemoteValue],
        _ what: String, _ patience: Int, _ names: [String], _ type: Answer.Type
    ) async throws -> Answer {
        let values = parameters(connection)
        do {
            let answer = try await questions.pass {
                try await Self.post(connection.endpoint, method, values, patience: patience)
            }
            await saveRenewedTokens(connection)
            return try JSONDecoder().decode(type, from: Data(answer))
        } catch let failure as RemoteFailure {
            // The refusal may come from the next process on the same socket, which knows neither the password nor the
            // remote.
            if connection.endpoint.process.hasEnded { throw connection.endpoint.process.end }
            throw error(failure, cannot: what, names: names)
        } catch is DecodingError {
            throw FileProviderError(
                .failed, "rclone's answer to \(method) is invalid. rclone must be newer than 1.66.")
        }
    }

    /// An error of rclone as an error for the host.
    func error(_ failure: RemoteFailure, cannot what: String, names: [String] = []) -> FileProviderError {
        failure.providerError(cannot: what, hiding: account.configuration.hiddenValues, names: names)
    }

    /// The configuration with the latest known tokens.
    var configuration: RemoteConfiguration { account.configuration }

    // Rclone renews tokens by itself and keeps them only in memory. A token that is not saved here is lost when rclone
    // ends.
    private func saveRenewedTokens(_ connection: Connection) async {
        let tokens = account.configuration.sections.compactMapValues { $0["token"].map(RemoteToken.init) }
        let pause = !isSaved || tokens.values.contains { $0.isDue } ? Self.pauseWhenDue : Self.pause
        guard !tokens.isEmpty, lastLook.map({ $0 + pause < .now }) ?? true else { return }
        lastLook = .now
        var changed = account.configuration
        for name in tokens.keys {
            guard
                let answer = try? await Self.post(
                    connection.endpoint, "config/get", ["name": .text(prefix + name)], patience: 10),
                let kept = try? JSONDecoder().decode([String: String].self, from: Data(answer)),
                let token = kept["token"], !token.isEmpty
            else { continue }
            changed.sections[name]?["token"] = token
        }
        guard connection.root == prefix + "root:" else { return }
        if changed.sections != account.configuration.sections {
            // The next rclone needs it too: the service may accept a refresh token only once.
            account.configuration = changed
            isSaved = false
        }
        // If the keyring is locked, the next round tries again.
        guard !isSaved, let text = try? changed.credentialText,
            (try? await save(Credential(kind: .oauth, secret: text))) != nil
        else { return }
        isSaved = account.configuration.sections == changed.sections
    }

    /// The error text of a failed call.
    static func errorText(_ bytes: [UInt8], _ status: Int) -> String {
        struct Refusal: Decodable { var error: String }
        let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(bytes))
        return refusal?.error ?? "rclone answered \(status)" + (status == 404 ? " Not Found: object not found" : "")
    }

    private static func post(
        _ endpoint: RcloneService.Endpoint, _ method: String, _ parameters: [String: RemoteValue], patience: Int
    ) async throws -> [UInt8] {
        let body = try JSONEncoder().encode(RemoteValue.object(parameters))
        let receiver = AnswerReceiver()
        let request = RcloneRequest(
            to: endpoint, path: method, body: Array(body), patience: patience, into: receiver)
        let status = try await request.perform()
        guard status == 200 else { throw RemoteFailure(status: status, text: errorText(receiver.bytes, status)) }
        return receiver.bytes
    }
}
