import DocentInterfaces
import FoundationEssentials
import HostCore
package import RemoteDocuments

/// What the user's own commands ask of a provider about a domain as a whole, such as letting another machine into a
/// drive. The caller has checked that the client is not confined: arguments and results may be secret, and are neither
/// recorded nor kept.
package struct ActionService: Sendable {
    /// The longest name of an action, in bytes.
    private static let longestName = 64
    /// The most arguments, and the most bytes of all of them.
    private static let mostArguments = 64
    private static let mostBytes = 64 << 10

    private let access: ProviderAccess

    /// Uses the host's services.
    package init(access: ProviderAccess) { self.access = access }

    /// Has a provider carry out an action.
    ///
    /// - Parameters:
    ///   - provider: its identifier, or the last component of it.
    ///   - arguments: texts by name.
    /// - Returns: rows of texts by name, as the provider gave them.
    /// - Throws: ``Failure``: `NotSupported` if the provider has no actions, or not this one.
    package func perform(
        _ action: String, provider: String, domain: String, arguments: [String: String]
    ) async throws -> [[String: String]] {
        guard (1...Self.longestName).contains(action.utf8.count), arguments.count <= Self.mostArguments,
            arguments.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) <= Self.mostBytes
        else { throw Failure(.invalidArgument, "This is not an action that a provider can have.") }
        guard try await access.features(provider).contains("actions") else {
            throw Failure(.notSupported, "\(provider) has no actions of its own.", provider: provider)
        }
        // The person asks: an account that was offline a moment ago is tried.
        return try await access.call(
            FileProviderInterface.Perform.self, .init(domain: domain, action: action, arguments: arguments),
            provider: provider, domain: domain, isForced: true
        ).rows.map(\.values)
    }
}
