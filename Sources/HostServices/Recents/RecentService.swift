package import Access
package import DocentInterfaces
package import ExtensionHosting
import FoundationEssentials
package import HostCore
package import Logging
package import Records
package import RemoteDocuments
import Rights

/// The documents that clients used last, and the user's favourites (C12).
///
/// Uses are noted in memory where they happen (``AccessControl/noteUsed(_:_:)``) and stored every few seconds. A
/// confined client is given only what it used itself, and of that only what it may still read.
package struct RecentService: Sendable {
    private static let standardItems = 50
    private static let mostItems = 1_000
    // How long providers are asked in one call; what remains is shown as it was then.
    private static let patience = Duration.seconds(2)

    private let store: RecentStore
    private let uses: DocumentUses
    private let accounts: SearchAccounts
    private let gateway: DocumentGateway
    private let catalog: RemoteCatalog
    private let index: ItemIndex
    private let describer: RemoteDescriber
    private let access: AccessControl
    private let aliases: ItemAliases
    private let logger: Logger
    private let clock: any HostClock

    package init(
        store: RecentStore, uses: DocumentUses, registry: ProviderRegistry, gateway: DocumentGateway,
        catalog: RemoteCatalog, index: ItemIndex, describer: RemoteDescriber, monitor: DomainMonitor,
        access: AccessControl, aliases: ItemAliases, logger: Logger, clock: any HostClock
    ) {
        (self.store, self.uses, self.gateway, self.catalog) = (store, uses, gateway, catalog)
        (self.index, self.describer, self.access, self.aliases) = (index, describer, access, aliases)
        (self.logger, self.clock) = (logger, clock)
        accounts = SearchAccounts(registry: registry, gateway: gateway, index: index, monitor: monitor)
    }

    // MARK: Recording

    /// Loads the user's decisions. Until then, uses of all clients are noted; none is stored against a decision.
    package func prepare() async {
        do {
            uses.setUnrecorded(try await store.unrecorded())
        } catch {
            logger.error("cannot read of which clients no use is remembered", metadata: ["why": "\(error)"])
        }
    }

    /// Stores what was noted.
    package func flush() async {
        let noted = uses.take().map { use in
            let (document, key) = (use.document, aliases.current(use.document.key))
            guard key != document.key else { return use }
            return DocumentUse(
                principal: use.principal,
                document: UsedDocument(
                    key: key, name: document.name, contentType: document.contentType, isFolder: document.isFolder),
                moment: use.moment)
        }
        do {
            try await store.add(noted, at: clock.date)
        } catch {
            logger.warning("the documents used last cannot be stored", metadata: ["why": "\(error)"])
        }
    }

    /// Stops or resumes remembering what a client uses.
    ///
    /// - Parameter client: nil for all clients.
    /// - Returns: the clients for which it is stopped.
    package func remember(_ isRemembered: Bool?, client: String?) async throws -> [String] {
        if let isRemembered {
            if let client { try Self.check(client) }
            try await store.setRecorded(isRemembered, client: client ?? DocumentUses.everyone)
            uses.setUnrecorded(try await store.unrecorded())
        }
        return try await store.unrecorded().sorted()
    }

    private static func check(_ client: String) throws(Failure) {
        guard SessionRegistry.isAcceptable(client) else {
            throw Failure(
                .invalidArgument, "\"\(client)\" is not a client identifier.",
                suggestion: "Use reverse DNS, like org.example.Editor.")
        }
    }

    // MARK: Used documents

    /// The documents that were used last, newest first.
    ///
    /// - Throws: ``Failure`` `NotPermitted` when a confined client names a client.
    package func list(_ session: Session, client: String?, limit: Int?) async throws -> [Wire.RecentItem] {
        let limit = limit ?? Self.standardItems
        guard (1...Self.mostItems).contains(limit) else {
            throw Failure(.invalidArgument, "A list has 1 to \(Self.mostItems) items.")
        }
        let principal = try own(session, client)
        await flush()
        let open = Set(try await accounts.open())
        var patience = Self.patience
        var items: [Wire.RecentItem] = []
        var gone: [ItemKey] = []
        var rest = try await store.all(of: principal, client: client)[...]
        while items.count < limit, !rest.isEmpty {
            let next = rest.prefix(limit - items.count)
            rest = rest.dropFirst(next.count)
            var allowed: [DocumentUse] = []
            for use in next where open.contains(SearchAccount.Identity(DomainKey(use.document.key))) {
                if principal != nil, !(await access.stillAllows(session, use.document.key, .read)) { continue }
                allowed.append(use)
            }
            let described = try await describe(allowed.map(\.document), session, &patience)
            for (use, outcome) in zip(allowed, described) {
                switch outcome {
                case .gone: gone.append(use.document.key)
                case .known(let item, let isRemembered):
                    items.append(
                        Wire.RecentItem(
                            item: item, used: use.moment.timeIntervalSince1970,
                            client: principal == nil ? use.principal.identifier : nil,
                            remembered: isRemembered ? true : nil))
                }
            }
        }
        if !gone.isEmpty { _ = try? await store.forget(gone) }
        return items
    }

    /// Forgets uses.
    ///
    /// - Parameter references: the documents; nil for all.
    /// - Returns: how many were forgotten.
    package func forget(
        _ session: Session, _ references: [Wire.ItemReference]?, client: String?
    ) async throws -> Int {
        let principal = try own(session, client)
        await flush()
        return try await store.forget(
            references.map { $0.map { aliases.current($0.key) } }, of: principal, client: client)
    }

    /// The client whose uses a confined client may see: itself.
    private func own(_ session: Session, _ client: String?) throws(Failure) -> Principal? {
        guard session.principal.isConfined else { return nil }
        guard client == nil else {
            throw Failure(.notPermitted, "A confined program sees only what it used itself.")
        }
        return session.principal
    }

    // MARK: Favourites

    /// The favourites in the accounts that are open, in the order in which they were marked. Those that are gone are
    /// left out; they are shown again if they come back.
    package func favourites(_ session: Session) async throws -> [Wire.RecentItem] {
        let open = Set(try await accounts.open())
        let marked = try await store.favourites().filter {
            open.contains(SearchAccount.Identity(DomainKey($0.key)))
        }
        var patience = Self.patience
        return try await describe(marked, session, &patience).compactMap { outcome in
            guard case .known(let item, let isRemembered) = outcome else { return nil }
            return Wire.RecentItem(item: item, remembered: isRemembered ? true : nil)
        }
    }

    /// Marks an item as a favourite, or removes the mark.
    ///
    /// - Returns: the item if it is marked now, and whether that is new.
    /// - Throws: ``Failure``: of the provider if the item cannot be described; `InvalidArgument` for too many.
    package func mark(
        _ reference: Wire.ItemReference, _ isFavourite: Bool
    ) async throws -> (item: Wire.Item?, changed: Bool) {
        let key = aliases.current(reference.key)
        guard key.isStorable else { throw Failure(.invalidArgument, "This reference names no item.") }
        guard isFavourite else { return (nil, try await store.removeFavourite(key)) }
        try access.requireNoDropBox(key)
        let item = try await gateway.bare(key)
        let isNew = try await !store.favourites().contains { $0.key == item.reference.key }
        let document = UsedDocument(
            key: item.reference.key, name: item.name, contentType: item.contentType, isFolder: item.isFolder)
        guard try await store.addFavourite(document, at: clock.date) else {
            throw Failure(
                .invalidArgument, "There are \(RecentStore.mostFavourites) favourites, which is the most there can be.",
                suggestion: "`docent star --remove LOCATION` takes a mark away.")
        }
        return (item, isNew)
    }

    // MARK: Describing

    private enum Described: Sendable {
        case known(Wire.Item, isRemembered: Bool)
        case gone
    }

    /// What clients see of items now; as they were when nobody can be asked in time.
    private func describe(
        _ documents: [UsedDocument], _ session: Session, _ patience: inout Duration
    ) async throws -> [Described] {
        let isConfined = session.principal.isConfined
        let indexed = try await describer.items(index.items(documents.map(\.key)), folderPath: nil)
        let known = Dictionary(indexed.map { ($0.reference.key, $0) }) { first, _ in first }
        var result: [Described] = []
        for document in documents {
            let key = document.key
            if var item = known[key] {
                if !isConfined { item.path = try? await catalog.path(of: key) }
                result.append(.known(await told(session, item), isRemembered: false))
                continue
            }
            let answer = await within(&patience) { [gateway] in
                var item = try await gateway.bare(key)
                item.path = isConfined ? nil : try? await gateway.path(of: key)
                return item
            }
            switch answer {
            case .success(let item): result.append(.known(await told(session, item), isRemembered: false))
            case .failure(let failure as Failure) where failure.code == .notFound: result.append(.gone)
            default: result.append(.known(document.remembered, isRemembered: true))
            }
        }
        return result
    }

    private func told(_ session: Session, _ item: Wire.Item) async -> Wire.Item {
        session.principal.isConfined ? await access.told(session, item) : item
    }

    /// Runs a body for as long as there is patience; it then continues by itself.
    ///
    /// - Returns: nil if it was not done in time.
    private func within<Value: Sendable>(
        _ patience: inout Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error>? {
        guard patience > .zero else { return nil }
        let began = ContinuousClock.now
        let answer = Answer<Value>()
        await Patience.wait(patience) {
            do {
                await answer.set(.success(try await body()))
            } catch {
                await answer.set(.failure(error))
            }
        }
        patience -= ContinuousClock.now - began
        return await answer.result
    }

    private actor Answer<Value: Sendable> {
        var result: Result<Value, any Error>?

        func set(_ result: Result<Value, any Error>) { self.result = result }
    }
}

extension UsedDocument {
    /// The item as clients see it while nobody can be asked about it.
    fileprivate var remembered: Wire.Item {
        Wire.Item(
            reference: key.reference, name: name, contentType: contentType, isFolder: isFolder, isDownloaded: false,
            isUploaded: true)
    }
}
