package import DocentInterfaces
import FoundationEssentials
import HostCore
package import Records
package import RemoteDocuments
import Rights
package import Saving

/// Lists what waits for the user's decision: clients that change too much at once, and listings that lack too much.
package struct HoldService: Sendable {
    private let limiter: ChangeLimiter
    private let index: ItemIndex
    private let gateway: DocumentGateway

    package init(limiter: ChangeLimiter, index: ItemIndex, gateway: DocumentGateway) {
        self.limiter = limiter
        self.index = index
        self.gateway = gateway
    }

    /// Everything that is held.
    package func list() async throws -> AdministrationInterface.Held.Reply {
        var listings: [Wire.HeldListing] = []
        for held in try await index.heldListings() {
            listings.append(
                Wire.HeldListing(
                    reference: held.folder.reference, path: try? await gateway.path(of: held.folder),
                    known: held.before, listed: held.after, since: held.since.timeIntervalSince1970))
        }
        let clients = limiter.held().map { held in
            Wire.HeldClient(
                clientKind: held.principal.kind.rawValue, client: held.principal.identifier,
                documents: held.documents, since: held.since.timeIntervalSince1970,
                isNoise: held.isNoise ? true : nil)
        }
        return .init(clients: clients, listings: listings, limit: limiter.limit)
    }

    /// Lets a client go on.
    ///
    /// - Returns: until when, in seconds since 1970.
    /// - Throws: ``Failure`` `InvalidArgument` for an unknown kind or an impossible time.
    package func allow(_ given: AdministrationInterface.AllowHeld.Parameters) async throws -> Double {
        let kind = Principal.Kind(rawValue: given.clientKind)
        guard let kind, kind != .unknown, (1...256).contains(given.client.utf8.count) else {
            throw Failure(.invalidArgument, "This is not a client.", suggestion: "`docent held list` shows them.")
        }
        let seconds = given.seconds ?? ChangeLimiter.allowedSeconds
        guard seconds > 0, seconds <= ChangeLimiter.longestSeconds else {
            throw Failure(.invalidArgument, "A client can be allowed for at most a day.")
        }
        return try await limiter.allow(Principal(kind: kind, identifier: given.client), seconds: seconds)
            .timeIntervalSince1970
    }

    /// Sets the limit; 0 for none.
    package func setLimit(_ documents: Int) async throws { try await limiter.setLimit(documents) }
}
