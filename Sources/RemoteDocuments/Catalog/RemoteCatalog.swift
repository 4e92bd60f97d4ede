package import DocentInterfaces
package import FoundationEssentials
package import HostCore
package import Logging
package import Records
package import Rights

/// What is known about the items of remote providers: the index while it is fresh, else the provider's answer, else
/// (provider unreachable) the index again, else the error (HAZARDS 2 to 4, 6).
///
/// Concurrent requests for the same thing share one call. It does not check grants.
package struct RemoteCatalog: Sendable {
    let index: ItemIndex
    /// Calls the providers.
    package let access: ProviderAccess
    let states: UploadStates
    let keeper: ConflictKeeper
    let local: LocalStore
    let changes: ContentChanges
    let settings: RemoteSettings
    let recent: RecentUse
    let logger: Logger
    /// Documents whose local copies have become out of date, for ``RemoteReading/keepCurrent()``.
    let stale = AsyncStream<RemoteItem>.makeStream()
    /// Moves that are running, and recent ones.
    package let moves = PendingMoves()
    /// Packages whose elements keep their known state, because their new versions are not known yet.
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

    /// Whether the index has anything of a provider. Such a provider is known to be remote without being started.
    package func knows(_ provider: String) async throws -> Bool {
        try await index.knows(provider: provider)
    }

    // MARK: Items

    /// What is known about an item, under its current identifier. A document that is not stored here gets a placeholder
    /// (D7, D12).
    ///
    /// - Parameter forced: asks the provider even if the index is fresh, and fails when it does not answer.
    /// - Throws: ``Failure``: `NotFound` when the item is certainly gone, else why nothing is known.
    package func item(_ given: ItemKey, forced: Bool = false) async throws -> RemoteItem {
        let item = try await current(given, forced: forced)
        placeholders.note(item)
        return item
    }

    /// The same as ``item(_:forced:)``, without a placeholder: the caller is about to read the content.
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
            // Not proof of a deletion: local content stays readable for clients with a grant (HAZARDS 3, 18).
            case .refused: if let known, !forced, isServed(known, despite: failure) { return known }
            }
            throw failure
        }
        throw Failure(
            .unavailable, "\(key.provider) does not answer.", suggestion: "Try again.", provider: key.provider)
    }

    /// Whether an item is served from here although its service forbids access: its content is here, either as the
    /// service last had it or as it was saved here.
    func isServed(_ item: RemoteItem, despite failure: Failure) -> Bool {
        guard failure.kind == .forbidden, item.local != nil else { return false }
        return item.isCurrent || states.contains(item.key)
    }

    /// Refuses an identifier whose item is gone.
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

    /// Asks the provider and stores its answer.
    ///
    /// - Parameter isForced: asks even while the domain counts as offline.
    func ask(_ key: ItemKey, isForced: Bool = false) async throws -> RemoteItem {
        let began = Date.now
        let said = try await access.call(
            FileProviderInterface.Item.self, .init(domain: key.domain, identifier: key.identifier),
            provider: key.provider, domain: key.domain, isForced: isForced
        ).item
        guard key.sibling(said.identifier) == key else {
            throw Self.broken(key.provider, "answered with a different item from the one requested")
        }
        try await requireSettled(key)
        // The answer may predate one of our own moves.
        if moves.hasLeft(key, since: began), let now = try await known(key), now.key != key { return now }
        if let known = try await replacing(key) { return known }
        return try await take(said, as: ItemDescription(said), key, isChild: false, asked: began)
    }

    /// An element, in its known state, of a package that is being replaced; nil for any other item.
    func replacing(_ key: ItemKey) async throws -> RemoteItem? {
        guard !replaced.isEmpty, let known = try await index.item(key),
            try await replaced.contains(key.sibling(known.description.parent), in: index)
        else { return nil }
        return known
    }

    /// Stores one description, and reports a local copy that it makes stale.
    ///
    /// - Parameter asked: when the request was made; nil when the description results from a change of ours.
    package func take(
        _ said: Wire.ProviderItem, as description: ItemDescription, _ key: ItemKey, isChild: Bool, asked: Date? = nil
    ) async throws -> RemoteItem {
        if let problem = ItemDescription.problem(said, isChild: isChild) {
            throw Self.broken(key.provider, "returned an invalid item: \(problem)")
        }
        let merged = try await index.merge(
            [description], provider: key.provider, domain: key.domain, at: asked ?? .now, isAnswer: asked != nil)
        guard let (item, changed) = merged.first else {
            guard try await index.isDeleted(key.sibling(description.identifier), in: description.parent) else {
                throw Self.broken(key.provider, "returned nothing")
            }
            throw Self.deleted(description.name, key.provider)
        }
        if changed { note(changed: [item]) }
        return item
    }

    /// Ends the serving of documents whose version has changed, and has their local copies updated.
    func note(changed: [RemoteItem]) {
        // One of them may be new in its folder.
        for folder in Set(changed.map { $0.key.sibling($0.description.parent) }) { changes.entriesChanged(folder) }
        for item in changed where item.local == nil { changes.descriptionChanged(item.key) }
        // Readers keep seeing what is saved here and not sent yet. The upload detects the conflict.
        for item in changed where item.local != nil && !states.contains(item.key) {
            changes.contentChanged(item.key)
            if !item.isCurrent { stale.continuation.yield(item) }
        }
    }

    static func gone(_ item: RemoteItem, _ failure: Failure) -> Failure {
        Failure(
            .notFound, "\"\(item.description.name)\" is gone from \(item.key.provider).",
            suggestion: "Somebody deleted or moved it; `docent ls` shows what is there.", provider: item.key.provider,
            causes: failure.causes)
    }

    // Its provider still has it, until the deletion cannot be taken back any more.
    private static func deleted(_ name: String, _ provider: String) -> Failure {
        var failure = Failure(
            .notFound, "\"\(name)\" was deleted.", suggestion: "`docent trash list` shows what can be restored.",
            provider: provider)
        failure.providerCode = .noSuchItem
        return failure
    }

    static func broken(_ provider: String, _ what: String) -> Failure {
        Failure(
            .providerFailed, "\(provider) \(what).", suggestion: "Report this to the authors of \(provider).",
            provider: provider)
    }
}

extension RemoteItem {
    /// Whether the local copy is the content that the provider last described.
    ///
    /// Without versions, the size decides.
    package var isCurrent: Bool {
        guard let local else { return false }
        guard let version = description.version else {
            return local.version == nil && (description.size == nil || description.size == local.size)
        }
        return local.version.isSame(as: version)
    }
}
