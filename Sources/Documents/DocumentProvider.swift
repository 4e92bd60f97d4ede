package import DocentInterfaces
import Varlink

/// An installed provider, as a picker's menu shows it (A13).
public struct DocumentProvider: Sendable, Hashable {
    /// Its bundle identifier.
    public let identifier: String
    /// Its name for people.
    public let displayName: String
    /// Whether the user enabled it (A14).
    public let isEnabled: Bool
    /// ready, disabled, changed, quarantined or broken.
    public let state: String
    /// Among import, open, export and move.
    public let modes: [String]
    /// Uniform types that it lists.
    public let supportedTypes: [String]
    /// Its domains.
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
    /// The providers that can take part.
    ///
    /// - Parameters:
    ///   - mode: import, open, export or move; nil for any.
    ///   - types: those that the client can use; a provider is offered when one conforms to a type that it lists (A7).
    public func providers(mode: String? = nil, types: [String]? = nil) async throws(DocumentsError)
        -> [DocumentProvider]
    {
        try await call(PickerInterface.ListProviders.self, .init(mode: mode, types: types)).value.providers
            .map(DocumentProvider.init)
    }
}
