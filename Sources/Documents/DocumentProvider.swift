package import DocentInterfaces
import Varlink

/// An installed provider, as a picker's menu shows it.
public struct DocumentProvider: Sendable, Hashable {
    /// The bundle identifier.
    public let identifier: String
    /// The name to show to people.
    public let displayName: String
    /// Whether the user has enabled the provider.
    public let isEnabled: Bool
    /// One of `ready`, `disabled`, `changed`, `quarantined` and `broken`.
    public let state: String
    /// The supported modes, from `import`, `open`, `export` and `move`.
    public let modes: [String]
    /// The uniform types that the provider supports.
    public let supportedTypes: [String]
    /// The provider's domains.
    public let domains: [String]

    package init(_ wire: Wire.ProviderSummary) {
        identifier = wire.identifier
        displayName = wire.displayName
        isEnabled = wire.enabled
        state = wire.state
        modes = wire.modes
        supportedTypes = wire.supportedTypes
        domains = wire.domains
    }
}

extension DocumentsClient {
    /// The providers that can be used.
    ///
    /// - Parameters:
    ///   - mode: `import`, `open`, `export` or `move`; nil for any.
    ///   - types: the types that the client can use. A provider is included when one of them conforms to a type that
    ///     the provider supports.
    public func providers(mode: String? = nil, types: [String]? = nil) async throws(DocumentsError)
        -> [DocumentProvider]
    {
        try await call(PickerInterface.ListProviders.self, .init(mode: mode, types: types)).value.providers
            .map(DocumentProvider.init)
    }
}
