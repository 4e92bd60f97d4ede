package import DocentInterfaces
package import FoundationEssentials
package import HostCore
package import Logging
package import Records
package import Rights

/// What is known of the items of remote providers: the index as long as it is fresh, else the provider's word, else (nobody
/// knows) the index again, else the error (HAZARDS 2 to 4, 6).
///
/// Questions about the same thing at the same time share one call. It knows nothing of grants.
package struct RemoteCatalog: Sendable {
    let index: ItemIndex
    /// Reaches the providers.
    package let access: ProviderAccess
    let states: UploadStates
    let keeper: ConflictKeeper
    let local: LocalStore
    let changes: ContentChanges
    let settings: RemoteSettings
    let recent: RecentUse
    let logger: Logger
    /// Who makes local copies current that are behind.
    package let news = RemoteNews()
    /// What moves, and what moved a moment ago.
    package let moves = PendingMoves()
    /// Packages whose elements stay what they are known to be, because their versions are only just being learnt.
    package let replaced: ReplacedPackages
    let listings = SharedCalls<ListingQuestion, ListingResult>()
    let turns = ListingTurns()
    /// Writes the placeholder files.
    package let placeholders: PlaceholderWriter
    private let items = SharedCalls<ItemKey, RemoteItem>()

    package init(
        index: ItemIndex, access: ProviderAccess, states: UploadStates, keeper: ConflictKeeper, local: LocalStore,
        changes: ContentChanges, settings: RemoteSettings, recent: RecentUse,
        replaced: ReplacedPackages, logger: Logger
    ) {
        self.index = index
        self.access = access
        self.states = states
        self.keeper = keeper
        self.local = local
        self.changes = changes
        self.settings = settings
        self.recent = recent
        self.replaced = replaced
        self.logger = logger
        placeholders = PlaceholderWriter(index: index, local: local)
    }

    /// Whether the index has anything of a provider, so that it need not run to be known as remote.
    package func knows(_ provider: String) async throws -> Bool {
        try await index.knows(provider: provider)
    }

    // MARK: Items

    /// What is known of an item, under the identifier that it has now. A document that is not here gets a placeholder (D7, D12).
    ///
    /// - Parameter forced: asks the provider whatever the index has, and fails when it does not answer.
    /// - Throws: ``Failure``: `NotFound` when it is gone for certain, else why nothing is known.
    package func item(_ given: ItemKey, forced: Bool = false) async throws -> RemoteItem {
        let item = try await current(given, forced: forced)
        placeholders.note(item)
        return item
    }

    /// The same, for those who are about to read it.
    package func current(_ given: ItemKey, forced: Bool = false) async throws -> RemoteItem {
        try Self.requireLiving(given)
        try await waitForMove(of: given)
        let known = try await known(given)
        let key = known?.key ?? given
        recent.note(key)
        if let known, known.isProvisional || (!forced && settings.isFresh(known.checked)) { return known }
        do {
            let patience = known == nil || forced ? nil : Duration.seconds(settings.patienceSeconds)
            if let item = try await items.value(for: key, patience: patience, { try await ask(key, isForced: forced) })
            {
                return item
            }
            if let known { return known }
        } catch let failure as Failure {
            switch Existence(failure) {
            case .missing:
                guard let known else { throw failure }
                if try await isGone(known) { throw Self.gone(known, failure) }
                if !forced { return known }
            case .unknown: if let known, !forced { return known }
            // No proof of a deletion: what is here stays readable for who has a right to it (HAZARDS 3, 18).
            case .refused: if let known, !forced, isServed(known, despite: failure) { return known }
            }
            throw failure
        }
        throw Failure(
            .unavailable, "\(key.provider) does not answer.", suggestion: "Try again.", provider: key.provider)
    }

    /// Whether an item is served from here although its service forbids to look at it: its content is here, as the service
    /// had it last or as it was saved here.
    func isServed(_ item: RemoteItem, despite failure: Failure) -> Bool {
        guard (failure.providerCode ?? failure.code) == .notPermitted, item.local != nil else { return false }
        return item.isCurrent || states.contains(item.key)
    }

    /// Refuses an identifier that is only a memory of an item.
    static func requireLiving(_ key: ItemKey) throws(Failure) {
        guard let grave = Tombstone(identifier: key.identifier) else { return }
        throw Failure(
            .notFound, "The document (\(grave.former)) is gone from \(key.provider).",
            suggestion: "Somebody deleted or moved it; `docent ls` shows what is there.", provider: key.provider)
    }

    /// What the index has, also under a former identifier.
    package func known(_ key: ItemKey) async throws -> RemoteItem? {
        if let item = try await index.item(key) { return item }
        guard let now = try await index.alias(of: key), now != key else { return nil }
        return try await index.item(now)
    }

    /// Asks the provider, and takes in what it says.
    ///
    /// - Parameter isForced: also while its domain counts as offline.
    func ask(_ key: ItemKey, isForced: Bool = false) async throws -> RemoteItem {
        let began = Date.now
        let said = try await access.call(
            FileProviderInterface.Item.self, .init(domain: key.domain, identifier: key.identifier),
            provider: key.provider, domain: key.domain, isForced: isForced
        ).item
        guard key.sibling(said.identifier) == key else {
            throw Self.broken(key.provider, "answered with another item than it was asked for")
        }
        try await requireSettled(key)
        // The answer may be from before a move of ours.
        if moves.hasLeft(key, since: began), let now = try await known(key), now.key != key { return now }
        if let known = try await replacing(key) { return known }
        return try await take(said, as: ItemDescription(said), key, isChild: false, asked: began)
    }

    /// An element of a package that is only just being replaced, as it is known; nil for any other item.
    func replacing(_ key: ItemKey) async throws -> RemoteItem? {
        guard !replaced.isEmpty, let known = try await index.item(key),
            try await replaced.contains(key.sibling(known.description.parent), in: index)
        else { return nil }
        return known
    }

    /// Takes in one description; the local copy that it makes stale is told.
    ///
    /// - Parameter asked: when it was asked for; nil for what came of a change of ours.
    package func take(
        _ said: Wire.ProviderItem, as description: ItemDescription, _ key: ItemKey, isChild: Bool, asked: Date? = nil
    ) async throws -> RemoteItem {
        if let problem = ItemDescription.problem(said, isChild: isChild) {
            throw Self.broken(key.provider, "gave an item that cannot be: \(problem)")
        }
        let merged = try await index.merge(
            [description], provider: key.provider, domain: key.domain, at: asked ?? .now, isAnswer: asked != nil)
        guard let (item, changed) = merged.first else { throw Self.broken(key.provider, "gave nothing") }
        if changed { note(changed: [item]) }
        return item
    }

    /// Ends what was served of documents whose version is another one now, and has local copies made current.
    func note(changed: [RemoteItem]) {
        for item in changed where item.local == nil { changes.descriptionChanged(item.key) }
        // What is saved here and not sent yet stays what readers see; the upload finds out about the conflict.
        for item in changed where item.local != nil && !states.contains(item.key) {
            changes.contentChanged(item.key)
            if !item.isCurrent { news.becameStale(item) }
        }
    }

    static func gone(_ item: RemoteItem, _ failure: Failure) -> Failure {
        Failure(
            .notFound, "\"\(item.description.name)\" is gone from \(item.key.provider).",
            suggestion: "Somebody deleted or moved it; `docent ls` shows what is there.", provider: item.key.provider,
            causes: failure.causes)
    }

    static func broken(_ provider: String, _ what: String) -> Failure {
        Failure(
            .providerFailed, "\(provider) \(what).", suggestion: "Tell the authors of \(provider).",
            provider: provider)
    }
}

extension RemoteItem {
    /// Whether the local copy is the content that the provider described last.
    ///
    /// A provider that gives no versions is judged by the size.
    package var isCurrent: Bool {
        guard let local else { return false }
        guard let version = description.version else {
            return local.version == nil && (description.size == nil || description.size == local.size)
        }
        return local.version.isSame(as: version)
    }
}
