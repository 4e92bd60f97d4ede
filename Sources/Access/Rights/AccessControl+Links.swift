package import DocentInterfaces
package import HostCore
package import Rights

/// Access through links: a client that uses a link uses its target, and needs a right to the target (2.3, law 2).
///
/// A link that is pointed at another document therefore never widens a right: the target is looked up, and its right
/// checked, each time.
extension AccessControl {
    /// The target of a link, for a client that may read the link; nil if the item is not a link or the client may not
    /// read it. The provider is not asked about an item that is known not to be a link.
    ///
    /// - Throws: ``Failure`` if the target cannot be determined.
    func linkTarget(_ session: Session, _ key: ItemKey) async throws -> ItemKey? {
        guard let hierarchy, hierarchy.mayBeLink(key), await stillAllows(session, key, .read) else { return nil }
        return try await hierarchy.linkTarget(of: key)
    }

    /// The item that a client uses when it names an item: the item itself, or the target of a link, to which the client
    /// needs a right of its own.
    ///
    /// - Throws: ``Failure`` `NotPermitted` without that right; an error if the target cannot be determined. The right
    ///   to an item that is not a link is not checked here.
    package func used(
        _ session: Session, _ key: ItemKey, _ access: AccessLevel, for what: String
    ) async throws -> ItemKey {
        guard let target = try await linkTarget(session, key) else { return key }
        try await require(session, target, access, for: what)
        return target
    }

    /// An item as a client may see it: the target of a link is included only if the client may read the target.
    package func told(_ session: Session, _ item: Wire.Item) async -> Wire.Item {
        guard let target = item.symbolicLinkTarget,
            !(await stillAllows(session, item.reference.key.sibling(target), .read))
        else { return item }
        var item = item
        item.symbolicLinkTarget = nil
        return item
    }
}
