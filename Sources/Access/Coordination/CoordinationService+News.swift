package import Coordination
import DocentInterfaces
package import HostCore
import RemoteDocuments
package import Rights

extension CoordinationService {
    /// Called on news of an item from its provider, the file system or a poll. Presenters are notified only if the
    /// version differs from the one last reported to them, so our own saves are not news.
    ///
    /// Fast, and safe on any thread. No provider is asked about an item that has no presenter.
    package func noticed(_ key: ItemKey) {
        let location = hierarchy.cached(key, mayBeStale: true)
        let isWanted = withTable { table -> Bool in
            guard isPresented(key, location, table) else { return false }
            return !table.postpones(key, at: location)
        }
        hierarchy.drop(key)
        if isWanted { look(key) }
    }

    private func isPresented(
        _ key: ItemKey, _ location: ItemLocation?, _ table: CoordinationTable
    ) -> Bool {
        guard !table.presenters.isEmpty else { return false }
        guard let location else {
            // Its location is unknown: it may be new in a presented folder.
            return table.presenters.values.contains {
                $0.item.provider == key.provider && $0.item.domain == key.domain
            }
        }
        return table.presenters.values.contains { $0.item == location.item || location.folders.contains($0.item) }
    }

    /// Called when everything known of a provider may be outdated.
    package func noticedAll(_ provider: String, domain: String?) {
        hierarchy.dropAll(provider, domain: domain)
        let items = withTable { table in
            Set(table.presenters.values.map(\.item)).filter {
                $0.provider == provider && (domain == nil || $0.domain == domain)
            }
        }
        for item in items where !item.isAbsent { look(item.item) }
    }

    /// Looks an item up again, and notifies its presenters of what changed.
    func look(_ key: ItemKey) {
        guard looks.begin(key) else { return }
        Task { [self] in
            repeat { await lookOnce(key) } while looks.again(key)
        }
    }

    private func lookOnce(_ given: ItemKey) async {
        let key = aliases.current(given.reference.key)
        let former = hierarchy.place(key)
        do {
            let item = try await gateway.item(key)
            hierarchy.note(item)
            let location = try await hierarchy.location(key)
            let now = hierarchy.place(key)
            change { table in
                guard !table.postpones(key, at: location) else { return [] }
                let before = table.told[location.item]
                // News of a folder without a version is news of its children.
                guard !before.isSame(as: item.version) || (item.version == nil && !item.isFolder) else { return [] }
                guard isPresented(key, location, table) else { return [] }
                table.told[location.item] = item.version
                table.gone.remove(location.item)
                let isNew = before == nil && !table.presenters.values.contains { $0.item == location.item }
                var actions: [CoordinationTable.Action] = []
                if isNew, let folder = location.folders.first {
                    // A claim may be waiting for it under its name.
                    actions += table.handle(
                        .appeared(hierarchy.absentKey(item.name, in: folder), as: location, by: nil))
                } else {
                    if let former, let now, former != now {
                        actions += table.handle(.moved(nil, from: location.item, to: location))
                    }
                    actions += table.handle(.changed(location, by: origin(of: item), .content))
                }
                return actions
            }
        } catch let failure as Failure {
            guard failure.code == .notFound else { return }
            let known = hierarchy.cached(key, mayBeStale: true)
            hierarchy.drop(key)
            change { table in
                guard !table.postpones(key, at: known) else { return [] }
                let location =
                    known
                    ?? table.presenters.compactMap { table.engine.presenter($0.key)?.location }
                    .first { $0.item == key.coordinated }
                table.told[key.coordinated] = nil
                guard let location, table.gone.insert(key.coordinated).inserted else { return [] }
                return table.handle(.changed(location, by: .outside, .deleted))
            }
        } catch {}
    }

    // An in-place item was changed by a program that does not coordinate; a remote one by another user of the provider.
    private func origin(of item: Wire.Item) -> PresenterMessage.Origin {
        gateway.isKnownRemote(item.reference.provider) ? .provider : .outside
    }

    /// Called when the provider has given its own version to content that we sent. The content did not change.
    package func confirmed(_ key: ItemKey, version: String?) {
        withTable { table in
            guard table.told[key.coordinated] != nil else { return }
            table.told[key.coordinated] = version
        }
    }

    /// Called when a version of a document was kept or removed, or a conflict was resolved.
    package func versions(of key: ItemKey, _ kind: ChangeKind) {
        guard isBusy else { return }
        Task {
            let location = (try? await hierarchy.location(key)) ?? ItemLocation(item: key.coordinated)
            change { $0.handle(.changed(location, by: .provider, kind)) }
        }
    }

    /// Called when a client has resolved a conflict. The document's presenters are notified, with the client as the
    /// cause.
    ///
    /// - Throws: ``Failure`` `NotPermitted` without the right to write the document.
    package func resolved(_ session: Session, _ key: ItemKey, versions: [String]) async throws {
        try await access.require(session, key, .readWrite, for: "resolve a conflict")
        guard (1...100).contains(versions.count), versions.allSatisfy({ (1...200).contains($0.utf8.count) }) else {
            throw Failure(
                .invalidArgument, "1 to 100 versions can be resolved at once, with names of 1 to 200 bytes.",
                suggestion: "Name versions that were reported with didGainVersion.")
        }
        let location = (try? await hierarchy.location(key)) ?? ItemLocation(item: key.coordinated)
        let cause = CoordinationParty(session).cause(purpose: nil, operation: nil)
        change { table in
            table.speaking(for: cause) { table in
                versions.flatMap { table.handle(.changed(location, by: .outside, .resolvedVersion($0))) }
            }
        }
    }
}
