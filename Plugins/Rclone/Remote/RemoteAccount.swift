import FileProvider

/// What a domain refers to: an rclone remote with a path, and the configuration that it needs.
struct RemoteAccount: Sendable {
    var configuration: RemoteConfiguration
    /// `NAME:PATH`, `:BACKEND:PATH` or a path on this machine.
    var root: String

    /// Reads the domain's settings and its credential.
    ///
    /// - Throws: `FileProviderError` for invalid settings.
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

    // Either the configuration stored at sign-in, or parameters as a user writes them.
    private static func secretParameters(_ secret: String?) throws -> [String: String] {
        guard let secret else { return [:] }
        guard secret.hasPrefix("{") else { return try RemoteConfiguration.parameters(secret) }
        return try RemoteConfiguration(text: secret).sections[RemoteConfiguration.onlySection] ?? [:]
    }

    /// Whether the remote is described. Its section may arrive only at sign-in.
    var isComplete: Bool {
        guard let colon = root.firstIndex(of: ":"), colon > root.startIndex, !root.hasPrefix("/") else { return true }
        return configuration.sections[String(root[..<colon])] != nil
    }
}
