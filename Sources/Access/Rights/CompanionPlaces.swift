import Rights
import Synchronization

/// Finds the rights that cover a name beside their documents. Thread-safe.
///
/// A client may have very many such rights. For each folder it is remembered for ``settledAge`` which of the client's
/// documents it contains, so that an access beside them only asks about documents with matching names. Finding that out
/// costs at most ``mostAsked`` questions, or one listing of the folder.
final class CompanionPlaces: Sendable {
    private struct Folder: Hashable {
        let principal: Principal
        let key: ItemKey
    }

    private struct Settled {
        let documents: [ItemKey]
        let moment: ContinuousClock.Instant
        let news: UInt64
        let changes: UInt64
    }

    /// How long a reported location of a document is trusted, if there is no news and no other right in between.
    static let settledAge = Duration.seconds(5)
    /// The maximum number of documents that are asked about one by one. Above it the folder is listed instead.
    static let mostAsked = 32
    /// The maximum number of documents with a matching name that one check asks about.
    private static let mostTried = 64
    private static let mostFolders = 1_000

    private let grants: GrantStore
    private let hierarchy: ItemHierarchy
    private let folders = Mutex<[Folder: Settled]>([:])

    init(grants: GrantStore, hierarchy: ItemHierarchy) {
        self.grants = grants
        self.hierarchy = hierarchy
    }

    /// The rights that may cover an item's name, as far as known in memory. Takes only locks.
    ///
    /// - Parameter age: the maximum age of the documents' locations; nil is any age.
    func companions(
        of principal: Principal, beside place: RightDecision.Place, within age: Duration?
    ) -> [RightDecision.Companion] {
        guard let folder = place.folders.first, let name = place.name, !place.isFolder else { return [] }
        let candidates: [Grant]
        if let known = settled(principal, folder) {
            candidates = known.compactMap { grants.grant(of: principal, to: $0) }
        } else if age == nil {
            candidates = grants.companions(of: principal, in: folder)
        } else {
            return []
        }
        return candidates.compactMap { grant in
            guard let known = hierarchy.folder(of: grant.item, within: age), known.folder == folder,
                grant.companions.contains(where: { $0.matches(name, beside: known.name) })
            else { return nil }
            return RightDecision.Companion(grant: grant, name: known.name, folder: folder)
        }
    }

    /// The right that covers an item's name beside its document. Providers are asked for the documents' current
    /// locations.
    func currentGround(
        _ principal: Principal, _ place: RightDecision.Place, _ access: AccessLevel, within age: Duration
    ) async -> Grant? {
        guard let folder = place.folders.first, let name = place.name, !place.isFolder else { return nil }
        var tried = 0
        for document in await documents(of: principal, in: folder, within: age) {
            guard let grant = grants.grant(of: principal, to: document), grant.access >= access else { continue }
            if let known = hierarchy.folder(of: document, within: nil),
                !grant.companions.contains(where: { $0.matches(name, beside: known.name) })
            {
                continue
            }
            tried += 1
            guard tried <= Self.mostTried else { return nil }
            // News may arrive the next moment: the decision uses the answer as it was.
            guard let now = try? await hierarchy.currentPlace(of: document, within: age), let present = now.name,
                now.folders.first == folder
            else { continue }
            let companion = RightDecision.Companion(grant: grant, name: present, folder: folder)
            if let ground = grants.ground(principal, place, access, companions: [companion]) { return ground }
        }
        return nil
    }

    private func settled(_ principal: Principal, _ folder: ItemKey) -> [ItemKey]? {
        let (news, changes) = (hierarchy.news, grants.companionChanges)
        return folders.withLock { folders in
            guard let known = folders[Folder(principal: principal, key: folder)], known.news == news,
                known.changes == changes, .now - known.moment <= Self.settledAge
            else { return nil }
            return known.documents
        }
    }

    private func documents(of principal: Principal, in folder: ItemKey, within age: Duration) async -> [ItemKey] {
        if let known = settled(principal, folder) { return known }
        let (moment, news, changes) = (ContinuousClock.now, hierarchy.news, grants.companionChanges)
        let all = grants.companions(of: principal, in: folder).sorted { $0.id < $1.id }
        guard !all.isEmpty else { return [] }
        let due = all.filter { hierarchy.folder(of: $0.item, within: Self.settledAge) == nil }
        var listed: Set<ItemKey> = []
        if due.count > Self.mostAsked {
            listed = (try? await hierarchy.children(of: folder)) ?? []
        } else {
            for grant in due { _ = try? await hierarchy.currentPlace(of: grant.item, within: age) }
        }
        // If a provider cannot be asked, the last known locations count.
        let here = all.map(\.item).filter {
            listed.contains($0) || hierarchy.folder(of: $0, within: nil)?.folder == folder
        }
        folders.withLock { folders in
            if folders.count >= Self.mostFolders { folders = [:] }
            folders[Folder(principal: principal, key: folder)] = Settled(
                documents: here, moment: moment, news: news, changes: changes)
        }
        return here
    }
}
