import Coordination
import DocentInterfaces
import HostCore
import RemoteDocuments
import Rights

extension CoordinationService {
    /// A location, and the item if there is one.
    struct Located: Sendable {
        var location: ItemLocation
        var item: Wire.Item?
    }

    /// Finds a place. The identifier that the provider returns settles links and letter case (2.3).
    ///
    /// - Throws: ``Failure``. An item addressed by name may be missing; one addressed by reference may not.
    func locate(_ place: Wire.ItemPlace) async throws -> Located {
        let key = aliases.current(place.reference.key)
        guard let name = place.name else { return Located(location: try await hierarchy.location(key)) }
        _ = try ItemPath.name(name)
        if let child = try await gateway.child(name, of: key) {
            hierarchy.note(child)
            return Located(location: try await hierarchy.location(child.reference.key), item: child)
        }
        return Located(location: try await hierarchy.absent(name, in: key))
    }

    /// Finds a place for a client. Without a right the client learns nothing about it, not even from an error (G7). The
    /// target of a link needs a right of its own.
    ///
    /// - Parameter followsLinks: whether to return the place of the link's target.
    /// - Returns: the place, and the link that led to it.
    /// - Throws: ``Failure`` `NotPermitted` and others.
    func locate(
        _ session: Session, _ place: Wire.ItemPlace, _ level: AccessLevel, followsLinks: Bool = true, for what: String
    ) async throws -> (location: ItemLocation, link: CoordinatedItem?) {
        let key = aliases.current(place.reference.key)
        guard place.name != nil else {
            let target = followsLinks ? try await access.linkTarget(session, key) : nil
            let used = target ?? key
            if !(await access.stillAllows(session, used, level)) {
                try await access.require(session, used, level, for: what)
            }
            return (try await hierarchy.location(used), target == nil ? nil : key.coordinated)
        }
        // Rights in other accounts cover nothing in this one. A client without a right here must not make the provider
        // look for names: the time that this takes would show whether they exist.
        if !access.grants.hasGrants(of: session.principal, in: key) {
            try await access.require(session, key, level, for: what)
        }
        var location: ItemLocation
        var link: CoordinatedItem?
        do {
            var place = place
            if let folder = try await access.linkTarget(session, key) { place.reference = folder.reference }
            let found = try await locate(place)
            location = found.location
            if followsLinks, let item = found.item, item.symbolicLinkTarget != nil {
                link = location.item
                location = try await hierarchy.location(hierarchy.end(of: item).reference.key)
            }
        } catch {
            // The refusal is the same as for a name that exists.
            if !(await access.stillAllows(session, key, .read)) {
                try await access.require(session, key, level, for: what)
            }
            throw error
        }
        try await require(session, location, level, for: what)
        return (location, link)
    }

    /// Finds a place from memory alone; nil if it is unknown.
    func locateAtOnce(_ place: Wire.ItemPlace) -> ItemLocation? {
        let key = aliases.current(place.reference.key)
        guard place.name == nil, !hierarchy.mayBeLink(key) else { return nil }
        return hierarchy.cached(key)
    }
}
