import Documents
package import Foundation
import Glibc

/// An installation whose provider WebDAV has the domain `work` on a real server, with or without a proxy.
package struct RemoteInstallation: Sendable {
    package let installation: Installation
    package let server: WebDAVServer
    /// The proxy; nil if the domain uses the server directly.
    package let proxy: FaultProxy?

    package static let provider = "org.docent.WebDAV"
    package static let domain = "work"

    /// The options of an installation.
    package struct Options: Sendable {
        package var server = WebDAVServer.Options()
        /// Not possible with TLS, because the proxy only understands HTTP.
        package var throughProxy = true
        /// Whether listings are always requested again.
        package var isAlwaysFresh = true
        /// Variables for the daemon and `docent` that override the defaults.
        package var environment: [String: String] = [:]
        /// `KEY=VALUE` settings of the domain.
        package var settings: [String] = []
        /// Whether to add the domain.
        package var addsDomain = true

        package init(
            server: WebDAVServer.Options = WebDAVServer.Options(), throughProxy: Bool = true,
            isAlwaysFresh: Bool = true,
            environment: [String: String] = [:], settings: [String] = [], addsDomain: Bool = true
        ) {
            self.server = server
            self.throughProxy = throughProxy
            self.isAlwaysFresh = isAlwaysFresh
            self.environment = environment
            self.settings = settings
            self.addsDomain = addsDomain
        }
    }

    /// Runs `body` with the installation and removes it afterwards. `prepare` fills the server before the domain is
    /// added.
    package static func with<Result>(
        _ kind: WebDAVServer.Kind = .apache, options: Options = Options(),
        prepare: (WebDAVServer) async throws -> Void = { _ in },
        _ body: (RemoteInstallation) async throws -> Result
    ) async throws -> Result {
        try await WebDAVServer.with(kind, options: options.server) { server in
            try await prepare(server)
            guard options.throughProxy, !options.server.usesTLS else {
                return try await install(options, server, nil, body)
            }
            return try await FaultProxy.with(server.url) { try await install(options, server, $0, body) }
        }
    }

    /// Runs `body` with the installation of one more machine that uses a server, through a proxy of its own.
    package static func with<Result>(
        at server: WebDAVServer, options: Options = Options(), _ body: (RemoteInstallation) async throws -> Result
    ) async throws -> Result {
        try await FaultProxy.with(server.url) { try await install(options, server, $0, body) }
    }

    private static func install<Result>(
        _ options: Options, _ server: WebDAVServer, _ proxy: FaultProxy?,
        _ body: (RemoteInstallation) async throws -> Result
    ) async throws -> Result {
        var environment = ["DOCENT_POLL_SECONDS": "1"]
        if options.isAlwaysFresh { environment["DOCENT_FRESH_SECONDS"] = "0" }
        environment.merge(options.environment) { _, new in new }
        return try await Installation.with(environment: environment, localFolder: false) { installation in
            for point in ["FileProvider", "Picker"] {
                let name = "\(provider).\(point).plist"
                try FileManager.default.copyItem(
                    atPath: "\(Repository.root)/manifests/\(name)", toPath: "\(installation.manifests)/\(name)")
            }
            try await installation.docent("provider", "enable", provider, "--yes").succeeded()
            let remote = RemoteInstallation(installation: installation, server: server, proxy: proxy)
            if options.addsDomain { try await remote.addDomain(settings: options.settings).succeeded() }
            return try await body(remote)
        }
    }

    /// The address for the domain, through the proxy if there is one.
    package var url: String { proxy?.url ?? server.url }

    /// The location of a document of the domain, as an argument for `docent`.
    package func location(_ path: String) -> String { "webdav@\(Self.domain):/\(path)" }

    /// The domain's password file.
    package var passwordFile: String { installation.given + "/password" }

    /// Runs `docent domains add webdav NAME` with the server's account and certificate authority. Without an account,
    /// the server is not contacted.
    package func addDomain(
        _ name: String = domain, settings: [String] = [], arguments extra: [String] = []
    ) async throws -> Outcome {
        var arguments = ["domains", "add", "webdav", name, "--url", url]
        if let username = server.options.username {
            try write(password: server.options.password)
            arguments += ["--username", username, "--password-file", passwordFile]
        } else {
            arguments.append("--unchecked")
        }
        if let authority = server.certificateAuthority { arguments += ["--certificate-authority", authority] }
        for setting in settings { arguments += ["--set", setting] }
        return try await docent(arguments + extra)
    }

    /// Writes the password with which the domain signs in.
    package func write(password: String) throws {
        try Data((password + "\n").utf8).write(to: URL(fileURLWithPath: passwordFile))
        chmod(passwordFile, 0o600)
    }

    // MARK: Docent

    /// Runs `docent` with these arguments.
    package func docent(_ arguments: String..., input: Data? = nil) async throws -> Outcome {
        try await docent(arguments, input: input)
    }

    package func docent(_ arguments: [String], input: Data? = nil) async throws -> Outcome {
        try await installation.run(Installation.binaries + "/docent", arguments, input: input)
    }

    /// The output of `docent cat` for a document of the domain.
    package func read(_ path: String) async throws -> String {
        try await docent("cat", location(path)).succeeded().text
    }

    /// Replaces or creates a document of the domain through Docent.
    @discardableResult
    package func write(_ text: String, _ path: String) async throws -> Outcome {
        try await docent("write", location(path), input: Data(text.utf8))
    }

    /// Waits until all changes are uploaded.
    package func drain(seconds: Int = 180) async throws -> Outcome {
        try await docent("drain", "--timeout", "\(seconds)")
    }

    /// Kills the running daemon, if there is one; the next command starts another.
    package func killDaemon() async throws {
        guard let daemon = installation.daemonProcess else { return }
        kill(daemon, SIGKILL)
        // The process may not have been collected yet: a zombie keeps its number, but no locks.
        try await installation.eventually("daemon \(daemon) is gone") {
            installation.read("/proc/\(daemon)/stat")?.contains(") Z ") ?? true
        }
    }

    /// Stops the daemon cleanly and starts another, with additional variables if given.
    @discardableResult
    package func restartDaemon(environment: [String: String] = [:]) async throws -> ChildProcess {
        try await installation.restartDaemon(environment: environment)
    }
}
