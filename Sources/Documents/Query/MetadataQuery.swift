import DocentInterfaces
import Synchronization
import Varlink

/// A search that stays: it gathers what there is, then follows what changes, until it is stopped.
///
/// It searches names, folders, types, times, sizes and states, also of documents that are only at their provider, and
/// downloads nothing. What this or any other program creates, renames, moves or deletes through Docent is in the
/// results at once; other changes are when Docent learns of them.
///
/// ```swift
/// let query = MetadataQuery(client: client, predicate: .words("invoice") && .type("public.pdf"))
/// query.start()
/// for await update in query.updates { print(update, query.count) }
/// ```
public final class MetadataQuery: Sendable {
    private let client: DocumentsClient
    /// What is searched.
    public let predicate: MetadataPredicate
    /// Where it is searched.
    public let scopes: [MetadataQueryScope]
    /// The order of the results; facts that decide first come first.
    public let sortDescriptors: [MetadataSortDescriptor]
    /// The largest number of results.
    public let limit: Int
    /// What the query reports, for one reader. If many reports wait, the oldest are dropped; ``results`` is complete
    /// all the same.
    public let updates: AsyncStream<MetadataUpdate>

    private let reports: AsyncStream<MetadataUpdate>.Continuation
    private let state: Mutex<MetadataResults>
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Creates a query; it does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - client: whose rights decide what is found.
    ///   - predicate: what is found.
    ///   - scopes: where to search. If there are several folders, what is in any of them is found. Only one client
    ///     can be named.
    ///   - sortDescriptors: the order of the results; facts that decide first come first.
    ///   - limit: the largest number of results, 1 to 10000.
    public init(
        client: DocumentsClient, predicate: MetadataPredicate, scopes: [MetadataQueryScope] = [.accessible],
        sortDescriptors: [MetadataSortDescriptor] = [.relevance], limit: Int = 1000
    ) {
        self.client = client
        self.predicate = predicate
        self.scopes = scopes
        self.sortDescriptors = sortDescriptors
        self.limit = limit
        state = Mutex(MetadataResults(sortDescriptors))
        (updates, reports) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    deinit { stop() }

    // MARK: Running

    /// Begins to search. Does nothing if the query was started before.
    public func start() {
        task.withLock { task in
            guard task == nil else { return }
            task = Task { [weak self, parameters, client, reports] in
                await Self.run(client, parameters, reports) { self?.take($0) }
            }
        }
    }

    /// Ends the search for good. The results stay as they are.
    public func stop() {
        task.withLock { task in
            task?.cancel()
            // It cannot be started again.
            if task == nil { task = Task {} }
        }
        reports.finish()
    }

    private var parameters: DocumentsInterface.Find.Parameters {
        var folders: [Wire.ItemReference] = []
        var client: String?
        for scope in scopes {
            switch scope {
            case .accessible: break
            case .folder(let folder): folders.append(folder.wire)
            case .granted(let name): client = name
            }
        }
        return .init(
            query: predicate.queryText, folders: folders.isEmpty ? nil : folders, grantedTo: client, limit: limit,
            live: true)
    }

    private static func run(
        _ client: DocumentsClient, _ parameters: DocumentsInterface.Find.Parameters,
        _ reports: AsyncStream<MetadataUpdate>.Continuation,
        _ take: @escaping @Sendable (DocumentsInterface.Find.Reply?) -> Void
    ) async {
        var pause = Duration.seconds(1)
        while !Task.isCancelled {
            let failure: DocumentsError
            do {
                take(nil)
                _ = try await client.follow(DocumentsInterface.Find.self, parameters, attempts: 1) { reply in
                    take(reply)
                    pause = .seconds(1)
                }
                failure = DocumentsError(.unavailable, "The daemon has ended the search.")
            } catch {
                failure = error as? DocumentsError ?? DocumentsError(.failed, "\(error)")
            }
            if Task.isCancelled { break }
            guard failure.code == .unavailable || failure.code == .cancelled else {
                reports.yield(.failed(failure))
                break
            }
            reports.yield(.interrupted(failure))
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(30))
        }
        reports.finish()
    }

    private func take(_ reply: DocumentsInterface.Find.Reply?) {
        let update = state.withLock { state in
            guard let reply else {
                state.beginGathering()
                return nil as MetadataUpdate?
            }
            return state.take(reply)
        }
        if let update { reports.yield(update) }
    }

    // MARK: Results

    /// Whether the search is still finding what there is.
    public var isGathering: Bool { state.withLock { $0.isGathering } }

    /// What could not be searched.
    public var gaps: [SearchGap] { state.withLock { $0.gaps } }

    /// Whether there is more than ``limit``, or so much that not all of it was compared.
    public var isCut: Bool { state.withLock { $0.isCut } }

    /// The number of results.
    public var count: Int { state.withLock { $0.shown.count } }

    /// All results, in their order.
    public var results: [MetadataResult] { state.withLock { $0.shown } }

    /// The result at a place; nil if there are fewer.
    public func result(at index: Int) -> MetadataResult? {
        state.withLock { $0.shown.indices.contains(index) ? $0.shown[index] : nil }
    }

    /// The place of an item among the results; nil if it is not among them.
    public func index(of reference: DocumentReference) -> Int? {
        state.withLock { $0.shown.firstIndex { $0.item.reference == reference } }
    }

    /// How many results have each value of a fact, the most frequent first.
    public func valueList(of key: MetadataValueKey) -> [MetadataValueCount] {
        MetadataValueCount.list(of: key, in: results)
    }

    // MARK: Standing still

    /// Keeps the results as they are, for as long as ``enableUpdates()`` is not called as often as this.
    public func disableUpdates() { state.withLock { $0.disable() } }

    /// Shows what has changed since ``disableUpdates()``.
    public func enableUpdates() {
        let update = state.withLock { $0.enable() }
        if let update { reports.yield(update) }
    }
}
