package import Coordination
package import DocentInterfaces
package import ExtensionHosting
package import Rights

/// A wish of an extension to read or write some items of its provider (H1).
package struct ProviderClaim: Sendable {
    /// The host's call during which a wish was made.
    package enum Call: Hashable, Sendable {
        /// One about an item.
        case item(method: String, Rights.ItemKey)
        /// A change by its name.
        case operation(String)
    }

    /// One of its items. The provider is always that of the extension.
    package struct Access: Sendable {
        package var key: Rights.ItemKey
        package var writing: Bool
        /// Names of 2.2.
        package var options: [String]
    }

    package var provider: String
    /// As the extension calls it.
    package var name: String
    package var accesses: [Access]
    /// As the extension states it; its own is the provider's identifier (H3). nil: one that nobody else has.
    package var purpose: String?
    package var call: Call?
    /// Who waits for the end of that call, where it is one that changes something.
    package var waiters: [ServedCalls.Waiter] = []
    /// Claims of the same extension in whose access it is made.
    package var enclosing: [Claim.Identifier] = []

    /// Whether it is made under the provider's own purpose: then it does not wait for what waits for the provider (H3).
    package var hasProviderPurpose: Bool { purpose == provider }

    /// Reads a request.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for one that no extension may make.
    package init(_ request: FileProviderInterface.Claims.Reply, provider: String) throws(Failure) {
        let accesses = request.accesses ?? []
        guard !accesses.isEmpty, accesses.count <= 64 else {
            throw Failure(.invalidArgument, "A claim is for 1 to 64 items.")
        }
        guard (request.purpose?.utf8.count ?? 1) <= 256, request.purpose != "",
            accesses.allSatisfy({ !$0.identifier.isEmpty && $0.identifier.utf8.count <= 4_096 })
        else { throw Failure(.invalidArgument, "A purpose has 1 to 256 bytes, an identifier 1 to 4096.") }
        let domain = request.domain ?? ""
        self.provider = provider
        name = request.claim
        self.accesses = accesses.map {
            Access(
                key: Rights.ItemKey(provider: provider, domain: domain, identifier: $0.identifier),
                writing: $0.writing,
                options: $0.options ?? [])
        }
        purpose = request.purpose
        call = request.within.flatMap { Self.call($0, provider: provider) }
    }

    /// "Method domain identifier", or an operation.
    private static func call(_ text: String, provider: String) -> Call? {
        guard !text.isEmpty, text.utf8.count <= 8_192 else { return nil }
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[2].isEmpty, parts[0].first?.isUppercase == true else { return .operation(text) }
        return .item(
            method: parts[0], Rights.ItemKey(provider: provider, domain: parts[1], identifier: parts[2]))
    }
}
