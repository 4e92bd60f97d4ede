import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Records
package import Rights

extension RemoteCatalog {
    /// The item at a path, resolved name by name from the root.
    package func item(at path: ItemPath, provider: String, domain: String) async throws -> RemoteItem {
        let root = ItemKey(provider: provider, domain: domain, identifier: ItemKey.rootIdentifier)
        guard !path.names.isEmpty else { return try await item(root) }
        var folder = root
        var found: RemoteItem?
        for (position, name) in path.names.enumerated() {
            if let link = found {
                let end = try await followed(link)
                (found, folder) = (end, end.key)
            }
            if let found, !found.description.isFolder {
                throw Failure(.notFound, "\"\(found.description.name)\" is not a folder.", provider: provider)
            }
            let place = "/" + path.names[..<position].joined(separator: "/")
            let child = try await child(name, of: folder, in: place)
            folder = child.key
            found = child
        }
        guard let found else { throw Failure(.notFound, "There is nothing at \(path.text).", provider: provider) }
        recent.note(found.key)
        placeholders.note(found)
        return found
    }

    private func followed(_ item: RemoteItem) async throws -> RemoteItem {
        try await SymbolicLinks.end(
            of: item, key: { $0.key }, target: { $0.description.symbolicLinkTarget }, ask: { try await self.item($0) })
    }

    /// The path of an item as far as the index knows it; nil when it does not lead to the root.
    package func path(of key: ItemKey) async throws -> String? {
        var names: [String] = []
        var next = key
        for _ in 0..<256 {
            if next.identifier == ItemKey.rootIdentifier { return "/" + names.reversed().joined(separator: "/") }
            guard let item = try await index.item(next) else { return nil }
            names.append(item.description.name)
            next = key.sibling(item.description.parent)
        }
        return nil
    }

    /// The child with a name. The provider is asked unless the folder was listed a moment ago.
    ///
    /// - Parameter place: names the folder in an error.
    package func child(_ name: String, of folder: ItemKey, in place: String) async throws -> RemoteItem {
        try await waitForMove(of: folder)
        var known = try await index.child(named: name, of: folder)
        if let before = known {
            try await waitForMove(of: before.key)
            known = try await index.child(named: name, of: folder)
        }
        let isListed = settings.isFresh(try await index.item(folder)?.listed)
        if let known, known.isProvisional || isListed || settings.isFresh(known.checked) { return known }
        // A fresh listing without the item is not conclusive: it may have just been put there to be used here.
        let began = Date.now
        do {
            let said = try await access.call(
                FileProviderInterface.Child.self,
                .init(domain: folder.domain, parent: folder.identifier, name: name), provider: folder.provider,
                domain: folder.domain
            ).item
            guard !moves.hasLeft(folder.sibling(said.identifier), since: began) else {
                throw Self.absent(name, place, folder.provider, [])
            }
            try await requireSettled(folder.sibling(said.identifier))
            if let known = try await replacing(folder.sibling(said.identifier)) { return known }
            return try await take(
                said, as: ItemDescription(said, in: folder.identifier), folder, isChild: true, asked: began)
        } catch let failure as Failure {
            switch Existence(failure) {
            case .missing:
                // It may only have been renamed or moved: ask the provider for it by its identifier.
                if let known { _ = try? await current(known.key, forced: true) }
                if let still = try await index.child(named: name, of: folder) { return still }
                throw Self.absent(name, place, folder.provider, failure.causes)
            case .unknown: if let known { return known }
            case .refused: if let known, let shown = unconfirmed(known, failure) { return shown }
            }
            throw failure
        }
    }

    // The item to serve when its service forbids access. A document is served as stale, which marks it as unconfirmed;
    // a folder on the way to it is served as it is, because its own listing is still refused.
    private func unconfirmed(_ known: RemoteItem, _ failure: Failure) -> RemoteItem? {
        if known.description.isFolder {
            return failure.kind == .forbidden ? known : nil
        }
        guard isServed(known, despite: failure) else { return nil }
        var shown = known
        if !states.contains(known.key) { shown.local?.version = Self.unconfirmedVersion }
        return shown
    }

    // Not a provider's version: it only makes the copy differ from the description.
    private static let unconfirmedVersion = ".docent-unconfirmed"

    private static func absent(
        _ name: String, _ place: String, _ provider: String, _ causes: [Wire.ErrorDetail]
    ) -> Failure {
        Failure(
            .notFound, "There is no \"\(name)\" in \(place) of \(provider).",
            suggestion: "`docent ls` shows what is there.", provider: provider, causes: causes)
    }
}
