import Access
package import DocentInterfaces
import ExtensionHosting
import FoundationEssentials
package import HostCore
import Records
import RemoteDocuments
import Rights
import UniformTypes
import Varlink

extension SearchService {
    private static let pageSize = 100

    /// Checks a client's search.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for a query that cannot be understood; `NotPermitted` when a confined
    ///   client names another client, or a folder that it may not read.
    package func request(
        _ session: Session, _ parameters: DocumentsInterface.Find.Parameters
    ) async throws -> SearchRequest {
        let parsed = SearchQueryParser.parse(parameters.query, now: clock.date)
        if let problem = parsed.problems.first {
            throw Failure(
                .invalidArgument, problem, suggestion: "`docent find --help` shows how to search; quote what it means.")
        }
        let limit = parameters.limit ?? SearchRequest.standardItems
        guard (1...SearchRequest.mostItems).contains(limit) else {
            throw Failure(.invalidArgument, "A search gives 1 to \(SearchRequest.mostItems) items.")
        }
        let folders = (parameters.folders ?? []).map { aliases.current($0.key) }
        guard folders.count <= SearchRequest.mostFolders else {
            throw Failure(.invalidArgument, "A search is limited to at most \(SearchRequest.mostFolders) folders.")
        }
        guard folders.allSatisfy(\.isStorable) else {
            throw Failure(.invalidArgument, "An identifier with a NUL names no folder.")
        }
        if session.principal.isConfined {
            guard parameters.grantedTo == nil else {
                throw Failure(.notPermitted, "A confined program searches only what it was granted itself.")
            }
            for folder in folders { try await access.require(session, folder, .read, for: "search") }
        }
        return SearchRequest(
            query: parsed.query, folders: folders, grantedTo: parameters.grantedTo, limit: limit)
    }

    /// Searches once.
    ///
    /// - Parameter send: receives the items in pages, the best first, and what could not be searched.
    package func find(
        _ session: Session, _ request: SearchRequest, _ send: (SearchReply) async throws -> Void
    ) async throws {
        let open = try await accounts.open()
        try await makeReady(open, isConfined: session.principal.isConfined)
        let found = try await gather(session, request)
        try await Self.send(found, gaps: gaps(session, open), send)
    }

    static func send(
        _ found: (items: [SearchReply.RankedItem], isCut: Bool), gaps: [Wire.SearchGap],
        _ send: (SearchReply) async throws -> Void
    ) async throws {
        var rest = found.items[...]
        while rest.count > pageSize {
            try await send(.found(Array(rest.prefix(pageSize))))
            rest = rest.dropFirst(pageSize)
        }
        try await send(.gathered(Array(rest), gaps: gaps, isCut: found.isCut))
    }

    // MARK: Results

    func gather(
        _ session: Session, _ request: SearchRequest
    ) async throws -> (items: [SearchReply.RankedItem], isCut: Bool) {
        let scope = try await scope(session, request)
        let now = clock.date
        let answer = try await store.use {
            try await $0.find(request.query, in: scope, limit: request.limit, now: now)
        }
        return (try await items(session, answer.hits), answer.isCut)
    }

    /// Where a client's search looks. Its rights are read again each time.
    func scope(_ session: Session, _ request: SearchRequest) async throws -> SearchScope {
        var granted: [ItemKey]?
        if session.principal.isConfined {
            granted = access.grants.grants(GrantFilter(principal: session.principal)).map(\.item)
        } else if let client = request.grantedTo {
            granted = access.grants.grants(GrantFilter(clientIdentifier: client)).map(\.item)
        }
        let registry = types.registry
        return SearchScope(
            accounts: Set(try await accounts.open()), folders: request.folders, granted: granted
        ) { type, wanted in
            guard let type = UniformType(type), let wanted = UniformType(wanted) else { return type == wanted }
            return registry.conforms(type, to: wanted)
        }
    }

    /// What clients see of found items. Those that are gone by now, and those that the client may not read, are left
    /// out.
    func items(_ session: Session, _ hits: [SearchHit]) async throws -> [SearchReply.RankedItem] {
        let isConfined = session.principal.isConfined
        var hits = hits
        if isConfined {
            var allowed: [SearchHit] = []
            for hit in hits where await access.stillAllows(session, hit.item.key, .read) { allowed.append(hit) }
            hits = allowed
        }
        let described = try await describer.items(index.items(hits.map(\.item.key)), folderPath: nil)
        let known = Dictionary(described.map { ($0.reference.key, $0) }) { first, _ in first }
        var result: [SearchReply.RankedItem] = []
        var patience = Self.inPlacePatience
        for hit in hits {
            let key = hit.item.key
            var item: Wire.Item
            if let described = known[key] {
                item = described
            } else {
                let began = ContinuousClock.now
                guard let now = await current(hit, patience) else { continue }
                patience -= ContinuousClock.now - began
                item = now
            }
            // Where it lies around what was granted is no business of the program.
            item.path = isConfined ? nil : hit.path
            if isConfined { item = await access.told(session, item) }
            result.append(.init(item: item, rank: hit.score))
        }
        return result
    }

    // How long the providers of items in place are asked in one search; what remains is as it was known before.
    private static let inPlacePatience = Duration.seconds(2)

    private func current(_ hit: SearchHit, _ patience: Duration) async -> Wire.Item? {
        let key = hit.item.key
        guard patience > .zero, !gateway.isKnownRemote(key.provider) else { return hit.item.remembered }
        let asked = AskedItem()
        await Patience.wait(patience) { [gateway] in
            do {
                await asked.set(.success(try await gateway.bare(key)))
            } catch {
                await asked.set(.failure(error))
            }
        }
        switch await asked.result {
        case .success(let item): return item
        case .failure(let failure as Failure) where failure.code == .notFound:
            feed.note([key])
            return nil
        default: return hit.item.remembered
        }
    }

    private actor AskedItem {
        var result: Result<Wire.Item, any Error>?

        func set(_ result: Result<Wire.Item, any Error>) { self.result = result }
    }

    // MARK: What is missing

    /// The accounts that the index does not cover, or not all of them. A confined client learns it only of accounts in
    /// which it has rights, and no sentence.
    func gaps(_ session: Session, _ open: [SearchAccount.Identity]) async throws -> [Wire.SearchGap] {
        let states = try await store.use { index in
            Dictionary(try await index.accounts().map { ($0.identity, $0) }) { $1 }
        }
        let isComparing = await feed.isComparing
        let isConfined = session.principal.isConfined
        var gaps: [Wire.SearchGap] = []
        for account in try await accounts.all() {
            if isConfined, !access.grants.hasGrants(of: session.principal, in: account.top) {
                continue
            }
            guard try await !isUnset(account, states[account]) else { continue }
            let all = missing(of: account, states[account], isComparing: isComparing)
            gaps += all.map { gap in
                var gap = gap
                if isConfined { gap.message = nil }
                return gap
            }
        }
        return gaps
    }

    /// Whether an account is the default one of a provider that needs a set-up, which nobody has made. Nothing is
    /// missing then.
    func isUnset(_ account: SearchAccount.Identity, _ known: SearchAccount?) async throws -> Bool {
        switch known?.state {
        case .unset: return try await accounts.isBare(account)
        case nil, .never:
            guard accounts.obstacle(account)?.kind == "notAuthenticated" else { return false }
            return try await accounts.isBare(account)
        case .running, .paused, .done, .failed: return false
        }
    }

    private func missing(
        of account: SearchAccount.Identity, _ known: SearchAccount?, isComparing: Bool
    ) -> [Wire.SearchGap] {
        func gap(_ kind: String, _ message: String, _ progress: Double? = nil) -> Wire.SearchGap {
            Wire.SearchGap(
                provider: account.provider, domain: account.domain, kind: kind, progress: progress, message: message)
        }
        let obstacle = accounts.obstacle(account)
        if let obstacle, obstacle.kind == "signedOut" { return [obstacle] }
        let progress = known?.progress ?? 0
        let percent = Int(progress * 100)
        var gaps: [Wire.SearchGap] = []
        switch known?.state {
        case nil, .never, .unset: gaps.append(gap("unlisted", "Nobody has listed its folders yet."))
        case .running:
            // A round that only looks again misses nothing that an earlier one has found.
            if known?.finished == nil {
                gaps.append(gap("listing", "Its folders are being listed; \(percent) % are done.", progress))
            }
        case .paused:
            gaps.append(gap("paused", "Listing its folders was paused at \(percent) %.", progress))
        case .failed:
            gaps.append(gap("failed", "Its folders could not be listed: \(known?.message ?? "")", progress))
        case .done:
            if let message = known?.message { gaps.append(gap("failed", message)) }
            if let count = known?.failures, count > 0 {
                gaps.append(gap("failed", "\(count == 1 ? "A folder" : "\(count) folders") could not be listed."))
            }
        }
        if let obstacle { gaps.append(obstacle) }
        if isComparing { gaps.append(gap("comparing", "The index is being made from other records.")) }
        return gaps
    }
}
