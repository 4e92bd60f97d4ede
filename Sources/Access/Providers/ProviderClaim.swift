package import Coordination
package import DocentInterfaces
package import ExtensionHosting
package import Rights

/// A request of an extension to read or write items of its provider (H1).
package struct ProviderClaim: Sendable {
    /// The host's call during which a request was made.
    package enum Call: Hashable, Sendable {
        /// A call about an item.
        case item(method: String, ItemKey)
        /// A change, by its operation name.
        case operation(String)
    }

    /// One item to access. It always belongs to the extension's provider.
    package struct Access: Sendable {
        package var key: ItemKey
        package var writing: Bool
        /// The option names of SEMANTICS 2.2.
        package var options: [String]
    }

    package var provider: String
    /// The extension's name for the claim.
    package var name: String
    package var accesses: [Access]
    /// The purpose that the extension states. Its own purpose is the provider's identifier (H3); nil is a unique one.
    package var purpose: String?
    package var call: Call?
    /// The parties that wait for the end of that call, if the call changes something.
    package var waiters: [ServedCalls.Waiter] = []
    /// Claims of the same extension that enclose this one.
    package var enclosing: [Claim.Identifier] = []

    /// Whether it is made under the provider's own purpose. It then does not wait for anything that waits for the
    /// provider (H3).
    package var hasProviderPurpose: Bool { purpose == provider }

    /// Parses a request.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for a request that no extension may make.
    package init(_ request: FileProviderInterface.Claims.Reply, provider: String) throws(Failure) {
        let accesses = request.accesses ?? []
        guard !accesses.isEmpty, accesses.count <= 64 else {
            throw Failure(.invalidArgument, "A claim covers 1 to 64 items.")
        }
        guard (request.purpose?.utf8.count ?? 1) <= 256, request.purpose != "",
            accesses.allSatisfy({ !$0.identifier.isEmpty && $0.identifier.utf8.count <= 4_096 })
        else { throw Failure(.invalidArgument, "A purpose has 1 to 256 bytes, and an identifier 1 to 4096.") }
        let domain = request.domain ?? ""
        self.provider = provider
        name = request.claim
        self.accesses = accesses.map {
            Access(
                key: ItemKey(provider: provider, domain: domain, identifier: $0.identifier),
                writing: $0.writing,
                options: $0.options ?? [])
        }
        purpose = request.purpose
        call = request.within.flatMap { Self.call($0, provider: provider) }
    }

    /// Parses "Method domain identifier", or an operation name.
    private static func call(_ text: String, provider: String) -> Call? {
        guard !text.isEmpty, text.utf8.count <= 8_192 else { return nil }
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[2].isEmpty, parts[0].first?.isUppercase == true else { return .operation(text) }
        return .item(
            method: parts[0], ItemKey(provider: provider, domain: parts[1], identifier: parts[2]))
    }
}
