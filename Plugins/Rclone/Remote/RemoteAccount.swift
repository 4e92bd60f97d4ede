import FileProvider

/// What a domain stands for: a remote of rclone's with a path, and the configuration that it needs.
struct RemoteAccount: Sendable {
    var configuration: RemoteConfiguration
    /// `NAME:PATH`, `:BACKEND:PATH` or a path of this machine.
    var root: String

    /// From the domain's settings and what it signs in with.
    ///
    /// - Throws: `FileProviderError` for settings that make no sense.
    init(settings: [String: String], secret: String?) throws {
        if let backend = settings["backend"] {
            var parameters = try RemoteConfiguration.parameters(settings["parameters"] ?? "")
            parameters.merge(try Self.secretParameters(secret)) { _, kept in kept }
            configuration = RemoteConfiguration(backend: backend, parameters: parameters)
            root = "\(RemoteConfiguration.onlySection):\(settings["path"] ?? "")"
            return
        }
        guard let remote = settings["remote"], !remote.isEmpty else {
            throw FileProviderError(
                .invalidArgument,
                "The domain has no remote. Give NAME:PATH with the configuration, or a backend with its parameters.")
        }
        configuration = try secret.map { try RemoteConfiguration(text: $0) } ?? RemoteConfiguration()
        root = remote
    }

    // What was kept of a sign-in, or the parameters as a person writes them.
    private static func secretParameters(_ secret: String?) throws -> [String: String] {
        guard let secret else { return [:] }
        guard secret.hasPrefix("{") else { return try RemoteConfiguration.parameters(secret) }
        return try RemoteConfiguration(text: secret).sections[RemoteConfiguration.onlySection] ?? [:]
    }

    /// Whether the remote is described: its section may only come by signing in.
    var isComplete: Bool {
        guard let colon = root.firstIndex(of: ":"), colon > root.startIndex, !root.hasPrefix("/") else { return true }
        return configuration.sections[String(root[..<colon])] != nil
    }
}
