import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc

extension RemoteInstallation {
    /// The initial password of the server's account.
    static let password = "hush-5e10c7ab"
    /// The password after the change.
    static let nextPassword = "hush-c0ffee19"

    /// An installation with its own keyring and an account on a real server, not signed in yet.
    static func withKeyring<Result>(
        _ kind: KeyringServices.Kind = .unlocked, server: WebDAVServer.Kind = .apache,
        prepare: (WebDAVServer) async throws -> Void = { _ in },
        _ body: (RemoteInstallation, KeyringServices) async throws -> Result
    ) async throws -> Result {
        try await KeyringServices.with(kind) { keyring in
            let options = Options(
                server: .init(username: "ada", password: password),
                environment: keyring.environment, addsDomain: false)
            return try await with(server, options: options, prepare: prepare) { try await body($0, keyring) }
        }
    }

    /// `docent login`, with a typed password.
    @discardableResult
    func login(
        _ name: String = domain, account: String = "ada", password: String = password, arguments: [String] = []
    ) async throws -> Outcome {
        try await docent(
            ["login", "webdav@\(name)", "--url", url, "--username", account, "--password-stdin"] + arguments,
            input: Data("\(password)\n".utf8))
    }

    /// `docent logout`, without a question.
    func logout(_ name: String = domain, arguments: [String] = []) async throws -> Outcome {
        try await docent(["logout", "webdav@\(name)", "--yes"] + arguments)
    }

    /// A login with a client that retries nothing and starts no daemon.
    ///
    /// - Returns: whether it was answered.
    func attemptLogin(password: String) async throws -> Bool {
        let values = ["url": url, "username": "ada", "password": password]
        do {
            _ = try await installation.passiveClient().call(
                AdministrationInterface.Login.self,
                .init(
                    provider: Self.provider, domain: Self.domain, form: "password", values: values,
                    attempt: UUID().uuidString))
            return true
        } catch {
            return false
        }
    }

    /// A logout of the same kind.
    func attemptLogout(discards: Bool = false) async throws -> Bool {
        do {
            _ = try await installation.passiveClient().call(
                AdministrationInterface.Logout.self,
                .init(provider: Self.provider, domain: Self.domain, discard: discards, timeout: 1))
            return true
        } catch {
            return false
        }
    }

    /// Changes the password of the account on the server, at once; it then has no other account.
    func changePassword(to password: String, of account: String = "ada") async throws {
        let hash = try await Outcome.run(
            "/usr/bin/openssl", ["passwd", "-apr1", "-stdin"], input: Data("\(password)\n".utf8),
            environment: ["PATH": "/usr/bin:/bin"], folder: server.directory
        ).succeeded().text
        let temporary = server.directory + "/users.new"
        try Data("\(account):\(hash)".utf8).write(to: URL(fileURLWithPath: temporary))
        guard rename(temporary, server.directory + "/users") == 0 else {
            throw Problem("the password could not be changed")
        }
    }

    /// A document's content on the server, read from its disk: no password is needed.
    func onServer(_ name: String) -> String? {
        try? String(contentsOfFile: "\(server.folder)/\(name)", encoding: .utf8)
    }

    /// All remaining files in the folders of a domain's documents: copies, placeholders and others.
    func filesHere(_ name: String = domain) -> [String] {
        let root = installation.data + "/Copies"
        let all = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.contains("/\(name)/") }
    }

    /// The files of unfinished downloads.
    var unfinished: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: installation.data + "/Downloads")) ?? []
    }

    /// The number of requests to the server since a moment, according to the proxy.
    func requestCount() async throws -> Int { try await faults().requests().count }
}
