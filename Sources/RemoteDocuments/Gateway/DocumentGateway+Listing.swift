package import DocentInterfaces
import ExtensionHosting
import HostCore
package import Rights
import Storage
import Synchronization
import UniformTypes
import Varlink

/// A page of a folder, by the token that clients have.
struct ListedPlace: Hashable, Sendable {
    let folder: ItemKey
    let path: String?
    let page: String
}

/// A page of a folder, by its provider's token.
struct ProvidedPlace: Hashable, Sendable {
    let folder: ItemKey
    let token: String
}

extension DocumentGateway {
    /// One page of a folder.
    package func children(
        of folder: ItemKey, page: String?
    ) async throws -> (items: [Wire.Item], nextPage: String?) {
        let listed = try await listing(of: folder, path: nil, page: page)
        return (listed.items, listed.nextPage)
    }

    /// One page of a folder, and whether it comes from memory (``RemoteCatalog/children(of:page:)``).
    package func listing(of folder: ItemKey, path: String?, page: String?) async throws -> FolderPage {
        try closed.require(folder)
        if try await isRemote(folder.provider) {
            let listed = try await reading.catalog.children(of: folder, page: page)
            return FolderPage(
                items: try await describer.items(listed.items, folderPath: path), nextPage: listed.nextPage,
                remembered: listed.remembered)
        }
        let listed = try await listingInPlace(of: folder, path: path, page: page)
        listings.withLock { $0 }?(folder, listed.items)
        return listed
    }

    /// Sets who is told of pages of folders in place, of which nothing is recorded. Called in the task that lists.
    package nonisolated func followListings(_ follower: @escaping @Sendable (ItemKey, [Wire.Item]) -> Void) {
        listings.withLock { $0 = follower }
    }

    /// One page of a folder that is listed in place.
    func listOnce(
        of folder: ItemKey, path: String?, page: String?, _ connection: ExtensionConnection
    ) async throws -> FolderPage {
        let place = try CountedPage(page)
        let reply = try await children(of: folder, place.token, connection)
        let next = try place.following(
            reply.nextPage, items: reply.items.count, provider: folder.provider,
            folder: path ?? folder.identifier, limits: reading.catalog.settings.inPlaceLimits)
        // Repeating a deep folder's path for each of its items could make the page larger than a message may be (T4).
        let prefix = path.map { $0 == "/" ? "/" : $0 + "/" }.flatMap { prefix in
            reply.items.reduce(0) { $0 + prefix.utf8.count + $1.name.utf8.count } <= 100_000 ? prefix : nil
        }
        if page != nil, let token = reply.nextPage { readAhead(of: folder, token, connection) }
        var types = FileTypes(types.registry)
        let inPlace = connection.features.contains("inPlace")
        let (isCaching, isWaiting) = (cache.count > 0, pending.count > 0)
        let items = reply.items.map { item in
            var key: ItemKey?
            if isCaching || isWaiting {
                key = ItemKey(provider: folder.provider, domain: folder.domain, identifier: item.identifier)
            }
            return ItemTranslation.item(
                item, provider: folder.provider, domain: folder.domain, path: prefix.map { $0 + item.name },
                inPlace: inPlace, materialised: key.map { hasContent($0, item.version) } ?? false,
                pending: key.map(pending.contains) ?? false, types: &types)
        }
        return FolderPage(items: items, nextPage: next)
    }

    typealias Provided = FileProviderInterface.Children.Reply

    /// One page of a folder that is listed in place. Whoever reads the second page will probably read them all: then
    /// the next page is made ready, and the provider is asked for the one after it.
    func listingInPlace(of folder: ItemKey, path: String?, page: String?) async throws -> FolderPage {
        guard let page else {
            return try await listOnce(of: folder, path: path, page: nil, fileProvider(folder.provider).1)
        }
        let listed: FolderPage
        if let ready = listedAhead.take(.init(folder: folder, path: path, page: page), at: clock.now),
            let page = try await Self.page(ready)
        {
            listed = page
        } else {
            listed = try await listOnce(of: folder, path: path, page: page, fileProvider(folder.provider).1)
        }
        if let next = listed.nextPage {
            let (place, now) = (ListedPlace(folder: folder, path: path, page: next), clock.now)
            let isAsked = listedAhead.ask(place, at: now) {
                let (_, connection) = try await self.fileProvider(folder.provider)
                return try await Self.ahead(connection) {
                    try await self.listOnce(of: folder, path: path, page: next, connection)
                }
            }
            if isAsked {
                afterPatience { $0.listedAhead.drop(place, askedAt: now) }
            }
        }
        return listed
    }

    /// One page of a folder, as its provider describes it.
    func children(of folder: ItemKey, _ token: String?, _ connection: ExtensionConnection) async throws -> Provided {
        if let token, let ready = providedAhead.take(.init(folder: folder, token: token), at: clock.now),
            let page = try await Self.page(ready)
        {
            return page
        }
        return try await Self.ask(folder, token, connection)
    }

    /// Asks the provider for a page before anybody reads it.
    func readAhead(of folder: ItemKey, _ token: String, _ connection: ExtensionConnection) {
        let (place, now) = (ProvidedPlace(folder: folder, token: token), clock.now)
        let isAsked = providedAhead.ask(place, at: now) {
            try await Self.ahead(connection) { try await Self.ask(folder, token, connection) }
        }
        if isAsked {
            afterPatience { $0.providedAhead.drop(place, askedAt: now) }
        }
    }

    private func afterPatience(_ body: @escaping @Sendable (isolated DocumentGateway) -> Void) {
        Task {
            try? await clock.sleep(for: listedAhead.patience)
            body(self)
        }
    }

    /// A page that was asked for ahead. Its failure is the reader's, who would otherwise wait for another deadline.
    private static func page<Page: Sendable>(_ asked: Task<Page?, any Error>) async throws -> Page? {
        try await withTaskCancellationHandler {
            try await asked.value
        } onCancel: {
            asked.cancel()
        }
    }

    /// Makes a page ahead.
    ///
    /// - Returns: nil if the provider's process ended meanwhile. Nobody waited for it: the next one can be asked.
    private static func ahead<Page: Sendable>(
        _ connection: ExtensionConnection, _ make: @Sendable () async throws -> Page
    ) async throws -> Page? {
        do {
            return try await make()
        } catch let failure as Failure where failure.code == .unavailable && !connection.isAlive {
            return nil
        }
    }

    private static func ask(
        _ folder: ItemKey, _ token: String?, _ connection: ExtensionConnection
    ) async throws -> Provided {
        try await connection.call(
            FileProviderInterface.Children.self,
            .init(domain: folder.domain, parent: folder.identifier, page: token)
        ).value
    }
}
