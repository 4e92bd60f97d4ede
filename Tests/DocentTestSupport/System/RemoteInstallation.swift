import Documents
package import Foundation
import Glibc

/// An installation whose provider WebDAV has the domain `work` on a real server, through a proxy or not.
package struct RemoteInstallation: Sendable {
    package let installation: Installation
    package let server: WebDAVServer
    /// nil where the domain leads straight to the server.
    package let proxy: FaultProxy?

    package static let provider = "org.docent.WebDAV"
    package static let domain = "work"

    /// How an installation is made.
    package struct Options: Sendable {
        package var server = WebDAVServer.Options()
        /// Not with TLS: the proxy sees HTTP only.
        package var throughProxy = true
        /// Whether listings are always asked for again.
        package var isAlwaysFresh = true
        /// Of the daemon and of `docent`, over the defaults.
        package var environment: [String: String] = [:]
        /// `KEY=VALUE` settings of the domain.
        package var settings: [String] = []
        /// Whether the domain is added.
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

    /// Gives all that to a test and removes it afterwards. `prepare` fills the server before the domain is added.
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

    /// What the domain is told: through the proxy where there is one.
    package var url: String { proxy?.url ?? server.url }

    /// The location of a document of the domain, as `docent` takes it.
    package func location(_ path: String) -> String { "webdav@\(Self.domain):/\(path)" }

    /// The file with the password, which the domain is told of.
    package var passwordFile: String { installation.given + "/password" }

    /// `docent domains add webdav NAME`, with the server's account and certificate authority; where it has none, the
    /// server is not asked.
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

    /// Writes the password that the domain signs in with.
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

    /// What `docent cat` gives of a document of the domain.
    package func read(_ path: String) async throws -> String {
        try await docent("cat", location(path)).succeeded().text
    }

    /// Replaces or creates a document of the domain through Docent.
    @discardableResult
    package func write(_ text: String, _ path: String) async throws -> Outcome {
        try await docent("write", location(path), input: Data(text.utf8))
    }

    /// Waits until all changes have been sent.
    package func drain(seconds: Int = 180) async throws -> Outcome {
        try await docent("drain", "--timeout", "\(seconds)")
    }

    /// kill -9 of the daemon that runs, if one does; the next command starts another.
    package func killDaemon() async throws {
        guard let daemon = installation.daemonProcess else { return }
        kill(daemon, SIGKILL)
        // Nobody may have collected it yet: a zombie has its number, but no locks.
        try await installation.eventually("daemon \(daemon) is gone") {
            installation.read("/proc/\(daemon)/stat")?.contains(") Z ") ?? true
        }
    }

    /// Ends the daemon in good order and starts another, with other variables if need be.
    @discardableResult
    package func restartDaemon(environment: [String: String] = [:]) async throws -> ChildProcess {
        try await installation.restartDaemon(environment: environment)
    }
}
