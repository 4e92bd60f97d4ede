import DocentTestSupport
import Foundation
import Glibc

/// A WebDAV server with an account, a session with or without a keyring, and an installation that is not signed in.
struct SignInWorld: Sendable {
    let remote: RemoteInstallation
    let services: KeyringServices

    static let username = "ada"
    static let password = "hush-5e1d77b2"
    static let wrongPassword = "hush-0bad0bad"

    var installation: Installation { remote.installation }

    /// Creates all that for a test and removes it afterwards. The server has `a.txt` and `b.txt`.
    ///
    /// - Parameter environment: further variables of the daemon and the commands, given the services' directory.
    static func with<Result>(
        _ kind: KeyringServices.Kind, server: WebDAVServer.Kind = .apache, throughProxy: Bool = false,
        usesTLS: Bool = false,
        environment: (KeyringServices) throws -> [String: String] = { _ in [:] },
        _ body: (SignInWorld) async throws -> Result
    ) async throws -> Result {
        try await KeyringServices.with(kind) { services in
            var options = RemoteInstallation.Options()
            options.server.username = username
            options.server.password = password
            options.throughProxy = throughProxy
            options.server.usesTLS = usesTLS
            options.addsDomain = false
            options.environment = services.environment.merging(try environment(services)) { _, new in new }
            return try await RemoteInstallation.with(
                server, options: options,
                prepare: {
                    try await $0.put("Alpha\n", "a.txt")
                    try await $0.put("Beta\n", "b.txt")
                },
                { try await body(SignInWorld(remote: $0, services: services)) })
        }
    }

    // MARK: Signing in and out

    /// The arguments of `docent login` besides the account; the form is the one with a password.
    var answers: [String] { ["--form", "password", "--url", remote.url, "--username", Self.username] }

    /// `docent login webdav@work`, with the password on standard input.
    func login(
        _ more: String..., domain: String = "work", password: String = SignInWorld.password
    ) async throws -> Outcome {
        try await remote.docent(
            ["login", "webdav@\(domain)"] + answers + ["--password-stdin"] + more, input: Data((password + "\n").utf8))
    }

    /// `docent logout webdav@work`.
    func logout(_ more: String..., domain: String = "work") async throws -> Outcome {
        try await remote.docent(["logout", "webdav@\(domain)"] + more)
    }

    // MARK: State

    /// The domain in the output of `docent domains --json`; nil if there is none.
    func domain(_ name: String = "work") async throws -> [String: Any]? {
        let outcome = try await remote.docent("domains", "list", "--json").succeeded()
        let all = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
        return all?.first { $0["identifier"] as? String == name }
    }

    /// Its state.
    func state(_ name: String = "work") async throws -> String? { try await domain(name)?["state"] as? String }

    /// Waits for a state of the domain, at most a minute.
    func wait(for state: String) async throws {
        var last: [String: Any]?
        do {
            try await installation.eventually("the domain is \(state)", within: 60) {
                last = try await domain()
                return last?["state"] as? String == state
            }
        } catch {
            throw Problem("\(error): \(last ?? [:])\n\(installation.read(installation.log)?.suffix(4000) ?? "")")
        }
    }

    /// The keyring check of `docent doctor --json`.
    func doctor() async throws -> (status: String, detail: String, remedy: String?) {
        let outcome = try await remote.docent("doctor", "--json")
        let all = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
        guard let check = all?.first(where: { $0["name"] as? String == "keyring" }),
            let status = check["status"] as? String, let detail = check["detail"] as? String
        else { throw Problem("no check of the keyring: \(outcome.text) \(outcome.errors)") }
        return (status, detail, check["remedy"] as? String)
    }

    /// The files of the installation that contain a text, except those in which the test passed it.
    func files(with text: String) throws -> [String] {
        let needle = Data(text.utf8)
        let all = FileManager.default.enumerator(atPath: installation.root)?.compactMap { $0 as? String } ?? []
        guard !all.isEmpty else { throw Problem("\(installation.root) cannot be read") }
        return all.filter { path in
            guard !path.hasPrefix("given/") else { return false }
            var status = stat()
            let whole = "\(installation.root)/\(path)"
            guard lstat(whole, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
            return (try? Data(contentsOf: URL(fileURLWithPath: whole)))?.range(of: needle) != nil
        }
    }
}
