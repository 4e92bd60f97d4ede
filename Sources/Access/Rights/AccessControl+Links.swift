package import DocentInterfaces
package import HostCore
package import Rights

/// Links and rights: what a client does with a link it does with what that leads to, by its right to that alone (2.3,
/// law 2).
///
/// So a link that is turned to another document never widens a right: where it leads is asked, and the right checked,
/// each time.
extension AccessControl {
    /// What a link leads to, for a client that may read the link; nil for what is no link, and for all others. Asks
    /// nobody about an item that is known to be no link.
    ///
    /// - Throws: ``Failure``: why what it leads to cannot be told.
    func linkTarget(_ session: Session, _ key: ItemKey) async throws -> ItemKey? {
        guard let hierarchy, hierarchy.mayBeLink(key), await stillAllows(session, key, .read) else { return nil }
        return try await hierarchy.linkTarget(of: key)
    }

    /// What a client uses when it names an item: that, or what it leads to as a link, to which the client has a right
    /// of its own.
    ///
    /// - Throws: ``Failure`` `NotPermitted` without that; why what a link leads to cannot be told. Whether there is a
    ///   right to an item that is no link is for the use itself to ask.
    package func used(
        _ session: Session, _ key: ItemKey, _ access: AccessLevel, for what: String
    ) async throws -> ItemKey {
        guard let target = try await linkTarget(session, key) else { return key }
        try await require(session, target, access, for: what)
        return target
    }

    /// An item as a client may see it: what a link leads to is told to those who may read that.
    package func told(_ session: Session, _ item: Wire.Item) async -> Wire.Item {
        guard let target = item.symbolicLinkTarget,
            !(await stillAllows(session, item.reference.key.sibling(target), .read))
        else { return item }
        var item = item
        item.symbolicLinkTarget = nil
        return item
    }
}
