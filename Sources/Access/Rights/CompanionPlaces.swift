import Rights
import Synchronization

/// Finds the rights that cover a name beside their documents. Thread-safe.
///
/// A client may have very many: for each folder it is remembered for ``settledAge`` which of their documents lie there,
/// so that an access beside them asks about those whose names fit alone. Finding that out costs at most ``mostAsked``
/// questions, or one listing of the folder.
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

    /// How long documents are believed to lie where they were told to, as long as there is no news and no other right.
    static let settledAge = Duration.seconds(5)
    /// How many documents are asked for one by one; where more are due, the folder is listed instead.
    static let mostAsked = 32
    /// How many documents with a fitting name are asked for in one check.
    private static let mostTried = 64
    private static let mostFolders = 1_000

    private let grants: GrantStore
    private let hierarchy: ItemHierarchy
    private let folders = Mutex<[Folder: Settled]>([:])

    init(grants: GrantStore, hierarchy: ItemHierarchy) {
        self.grants = grants
        self.hierarchy = hierarchy
    }

    /// The rights that may cover an item's name, as far as memory tells. Takes locks only.
    ///
    /// - Parameter age: how long ago the documents' places may have been told; nil is any time.
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

    /// The right that covers an item's name beside its document; the providers are asked where the documents lie now.
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
            // What is learned may be news again the next moment: it is judged as it was told.
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
        // A provider that cannot be asked leaves documents where they were last.
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
