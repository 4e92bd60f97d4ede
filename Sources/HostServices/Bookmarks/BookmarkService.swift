package import Access
package import DocentInterfaces
import FoundationEssentials
package import HostCore
package import RemoteDocuments
package import Rights

/// Makes and resolves bookmarks (G4 to G8).
///
/// A bookmark gives no more than the client's right allows at that moment. All unusable bookmarks get the same error;
/// the audit has the reason.
package struct BookmarkService: Sendable {
    /// The key that seals the bookmarks.
    package let key: BookmarkKey
    private let gateway: DocumentGateway
    private let access: AccessControl
    private let aliases: ItemAliases

    package init(gateway: DocumentGateway, access: AccessControl, aliases: ItemAliases, key: BookmarkKey) {
        self.gateway = gateway
        self.access = access
        self.aliases = aliases
        self.key = key
    }

    /// The options of a new bookmark.
    package struct Wishes: Sendable {
        /// Read-only, even if more is granted.
        package var readOnly: Bool
        /// The names of the values to embed.
        package var keys: [String]
        /// The folder that must be supplied when the bookmark is resolved.
        package var relativeTo: ItemKey?

        package init(readOnly: Bool = false, keys: [String] = [], relativeTo: ItemKey? = nil) {
            self.readOnly = readOnly
            self.keys = keys
            self.relativeTo = relativeTo
        }
    }

    // MARK: Making

    /// Makes a bookmark of a granted document; durable when it returns. The right becomes persistent.
    ///
    /// - Throws: ``Failure``: `NotPermitted`, `InvalidArgument`, `Unavailable` while the key is unavailable, or the
    ///   error of the provider, which is asked for the document (G8).
    package func make(_ session: Session, _ key: ItemKey, _ wishes: Wishes) async throws -> String {
        let keys = try Self.keys(wishes.keys)
        try await access.require(session, key, .read, for: "bookmark")
        let isWide = wishes.readOnly ? false : await access.stillAllows(session, key, .readWrite)
        if let folder = wishes.relativeTo { try await requireFolder(session, folder) }
        let item = try await gateway.bare(key)
        try await gateway.confirmIdentifier(of: item.reference.key)
        var content = BookmarkContent(
            item: key, access: isWide ? .readWrite : .read, name: item.name, parent: item.parent,
            relativeTo: wishes.relativeTo)
        content.values = await values(keys, of: item, for: session)
        let seal = try await self.key.seal(making: true)
        let row = try await row(session, key, &content, seal)
        guard let token = seal.seal(content, row: row, for: session.principal) else {
            throw Failure(
                .invalidArgument, "The information to embed is too long for a bookmark.",
                suggestion: "Embed less; most likely the path is too long.")
        }
        return token
    }

    private func row(
        _ session: Session, _ key: ItemKey, _ content: inout BookmarkContent, _ seal: BookmarkSeal
    ) async throws -> Data {
        for attempt in 0..<3 {
            // The document may have got its provider's identifier in the meantime.
            let now = try await gateway.currentKey(aliases.current(key))
            guard let ground = await access.currentGround(session.principal, now, content.access) else { break }
            do {
                if !ground.isPersistent { try await access.grants.take(session.principal, ground.item) }
                let made = try await access.bookmarks.makeRow(
                    session.principal, now, content.access, grant: ground.id, seal: seal.name)
                content.item = made.item
                return made.row
            } catch let error as AccessError {
                if error == .notPersistable { throw Self.notPersistable }
                guard error == .notGranted, attempt < 2 else { break }
            }
        }
        throw AccessControl.refusal(session, content.access)
    }

    private static var notPersistable: Failure {
        Failure(
            .notPermitted, "This right ends with the program that has it, so no bookmark can be made from it.",
            suggestion: "Choose the document again, with a right that lasts.")
    }

    private func requireFolder(_ session: Session, _ folder: ItemKey) async throws {
        try await access.require(session, folder, .read, for: "bookmark")
        guard try await gateway.bare(folder).isFolder else {
            throw Failure(
                .invalidArgument, "A bookmark can only be relative to a folder.",
                suggestion: "Give the folder that contains the document.")
        }
    }

    private static func keys(_ texts: [String]) throws -> Set<EmbeddedValues.Key> {
        Set(
            try texts.map { text in
                guard let key = EmbeddedValues.Key(rawValue: text) else {
                    throw Failure(
                        .invalidArgument, "\"\(text)\" cannot be embedded in a bookmark.",
                        suggestion: "Embed some of "
                            + EmbeddedValues.Key.allCases.map(\.rawValue).joined(separator: ", ") + ".")
                }
                return key
            })
    }

    private func values(
        _ keys: Set<EmbeddedValues.Key>, of item: Wire.Item, for session: Session
    ) async -> EmbeddedValues {
        var values = EmbeddedValues()
        if keys.contains(.name) { values.name = item.name }
        if keys.contains(.contentType) { values.contentType = item.contentType }
        if keys.contains(.size) { values.size = item.size }
        if keys.contains(.modificationDate) { values.modificationDate = item.modificationDate }
        if keys.contains(.creationDate) { values.creationDate = item.creationDate }
        // A confined client does not learn the names of folders.
        if keys.contains(.path), !session.principal.isConfined { values.path = await path(of: item) }
        return values
    }

    // Nil if the path to the top is not known.
    private func path(of item: Wire.Item) async -> String? {
        var names = [item.name]
        var key = item.reference.key
        var parent = item.parent
        while let folder = parent, folder != ItemKey.rootIdentifier {
            key = ItemKey(provider: key.provider, domain: key.domain, identifier: folder)
            guard names.count < 64, let above = try? await gateway.bare(key) else { return nil }
            names.append(above.name)
            parent = above.parent
        }
        return parent == nil ? nil : "/" + names.reversed().joined(separator: "/")
    }

    // MARK: Resolving

    /// A resolved bookmark.
    package struct Resolved: Sendable {
        /// The document as its provider reports it now.
        package var item: Wire.Item
        /// The access that the bookmark gives the client.
        package var access: AccessLevel
        /// Whether the client should make a new bookmark (G5).
        package var isStale: Bool
    }

    /// Resolves a bookmark to its document, with the right that it holds and no more (G5, G8).
    ///
    /// - Parameter relativeTo: the folder that was given when the bookmark was made.
    /// - Throws: ``Failure``: `NotFound` for every unusable bookmark, and immediately if the provider was removed
    ///   (complaint 1); `Unavailable` while the key is unavailable; the provider's error.
    package func resolve(_ session: Session, _ token: String, relativeTo: ItemKey?) async throws -> Resolved {
        guard BookmarkSeal.isSealed(token) else { return try await resolveOld(session, token) }
        do {
            let (row, content) = try await open(session, token)
            if let wanted = content.relativeTo { try await check(session, wanted, given: relativeTo) }
            // Checked before a provider is asked for locations.
            try await gateway.requireInstalled(row.item.provider)
            // The bookmark was sealed for this client, so the error reveals nothing new. It works again after a login.
            try access.requireOpen(session.principal, row.item)
            guard let allowed = await allowed(session, row.item, content.access) else { throw BookmarkFault.notAllowed }
            let item = try await gateway.item(row.item)
            return Resolved(
                item: item, access: allowed, isStale: row.isStale || hasMoved(item, since: content, row.item))
        } catch let fault as BookmarkFault {
            throw await refusal(session, token, fault)
        }
    }

    /// The values that were embedded in a bookmark. The provider is not asked and need not be installed (G4).
    ///
    /// - Throws: ``Failure`` `NotFound` for an unusable bookmark, `Unavailable` while the key is unavailable.
    package func values(
        _ session: Session, _ token: String
    ) async throws -> (provider: String, values: EmbeddedValues) {
        do {
            guard BookmarkSeal.isSealed(token) else {
                do {
                    let found = try await access.bookmarks.resolve(token, session.principal)
                    return (found.item.provider, EmbeddedValues())
                } catch is AccessError { throw BookmarkFault.malformed }
            }
            let content = try await open(session, token).content
            return (content.item.provider, content.values)
        } catch let fault as BookmarkFault {
            throw await refusal(session, token, fault)
        }
    }

    private func open(
        _ session: Session, _ token: String
    ) async throws -> (row: BookmarkStore.SealedRow, content: BookmarkContent) {
        guard let claimed = BookmarkSeal.row(of: token) else { throw BookmarkFault.malformed }
        let seal = try await key.seal(making: false)
        let opened: (row: Data, content: BookmarkContent)
        do {
            opened = try seal.open(token, for: session.principal)
        } catch {
            let row = try await access.bookmarks.row(claimed)
            if let row, row.principal != session.principal { throw BookmarkFault.anotherClients }
            throw error
        }
        guard let row = try await access.bookmarks.row(opened.row) else { throw BookmarkFault.revoked }
        guard row.principal == session.principal, row.item.provider == opened.content.item.provider,
            row.item.domain == opened.content.item.domain
        else { throw BookmarkFault.forged }
        return (row, opened.content)
    }

    private func check(_ session: Session, _ wanted: ItemKey, given: ItemKey?) async throws {
        guard let given else {
            // The bookmark was sealed for this client, so the error reveals nothing new.
            throw Failure(
                .invalidArgument, "This bookmark is relative to a folder, which must be given too.",
                suggestion: "Give the folder with which it was made.")
        }
        guard aliases.current(given) == aliases.current(wanted), await access.stillAllows(session, given, .read) else {
            throw BookmarkFault.anotherFolder
        }
    }

    private func allowed(_ session: Session, _ key: ItemKey, _ most: AccessLevel) async -> AccessLevel? {
        if await access.stillAllows(session, key, most) { return most }
        guard most > .read, await access.stillAllows(session, key, .read) else { return nil }
        return .read
    }

    private func hasMoved(_ item: Wire.Item, since content: BookmarkContent, _ key: ItemKey) -> Bool {
        if !item.name.isSame(as: content.name) { return true }
        guard let then = content.parent, let now = item.parent else { return false }
        return aliases.current(ItemKey(provider: key.provider, domain: key.domain, identifier: then))
            != ItemKey(provider: key.provider, domain: key.domain, identifier: now)
    }

    private func resolveOld(_ session: Session, _ token: String) async throws -> Resolved {
        let found: BookmarkResolution
        do {
            found = try await access.bookmarks.resolve(token, session.principal)
        } catch is AccessError {
            throw await refusal(session, token, .malformed)
        }
        try await gateway.requireInstalled(found.item.provider)
        try access.requireOpen(session.principal, found.item)
        guard let allowed = await allowed(session, found.item, found.access) else {
            throw await refusal(session, token, .notAllowed)
        }
        return Resolved(item: try await gateway.item(found.item), access: allowed, isStale: found.isStale)
    }

    private func refusal(_ session: Session, _ token: String, _ fault: BookmarkFault) async -> Failure {
        var known: BookmarkStore.SealedRow?
        if let row = BookmarkSeal.row(of: token) { known = try? await access.bookmarks.row(row) }
        try? await access.audit.recordRefused(
            session.principal, known?.item ?? AuditEntry.furtherItems, .read, reason: fault.reason,
            process: session.process, executable: session.executable)
        return Failure(
            .notFound, "This bookmark does not belong to \(session.principal.identifier), or its access was revoked.",
            suggestion: "Choose the document again and make a new one.")
    }
}
