import Coordination
import DocentInterfaces
import Isolation

extension CoordinationService {
    /// Where something lies, and the item if there is one.
    struct Located: Sendable {
        var location: ItemLocation
        var item: Wire.Item?
    }

    /// Finds a place: links and case are settled by the identifier that its provider gives (2.3).
    ///
    /// - Throws: ``Failure``; an item that a name stands for may be missing, one that is named by its reference may not.
    func locate(_ place: Wire.ItemPlace) async throws -> Located {
        let key = documents.key(place.reference)
        guard let name = place.name else { return Located(location: try await hierarchy.location(key)) }
        _ = try ItemPath.name(name)
        if let child = try await gateway.child(name, of: key) {
            hierarchy.note(child)
            return Located(location: try await hierarchy.location(child.reference.key), item: child)
        }
        return Located(location: try await hierarchy.absent(name, in: key))
    }

    /// The same for a client: without a right it learns nothing of what is there, and no provider is asked about it (G7).
    ///
    /// - Throws: ``Failure`` `NotPermitted` and others.
    func locate(
        _ session: Session, _ place: Wire.ItemPlace, _ level: AccessLevel, for what: String
    ) async throws -> ItemLocation {
        let key = documents.key(place.reference)
        guard place.name != nil else {
            if !(await access.stillAllows(session, key, level)) {
                try await access.require(session, key, level, for: what)
            }
            return try await hierarchy.location(key)
        }
        let location: ItemLocation
        do {
            location = try await locate(place).location
        } catch {
            if !(await access.stillAllows(session, key, .read)) {
                try await access.require(session, key, .read, for: what)
            }
            throw error
        }
        try await require(session, location, level, for: what)
        return location
    }

    /// The same from memory alone; nil when that does not know it.
    func locateAtOnce(_ place: Wire.ItemPlace) -> ItemLocation? {
        guard place.name == nil else { return nil }
        return hierarchy.cached(documents.key(place.reference))
    }
}
