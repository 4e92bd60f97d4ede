import DocentInterfaces
import Synchronization

/// Changes by others in observed items.
struct ForeignObserving: Sendable {
    private struct State {
        var identifiers: Set<String> = []
        var hasResync = false
    }

    /// What has been reported so far.
    private final class News: Sendable {
        private let state = Mutex(State())

        func take(_ event: FileProviderInterface.Events.Reply) {
            state.withLock { state in
                switch event.kind {
                case "changed", "deleted":
                    // A provider may report endlessly.
                    if state.identifiers.count < 10_000 { state.identifiers.formUnion(event.identifiers) }
                case "resync": state.hasResync = true
                default: break
                }
            }
        }

        /// Forgets everything.
        func clear() { state.withLock { $0 = State() } }

        /// Whether one of these items was named, or everything.
        func names(_ identifiers: Set<String>) -> Bool {
            state.withLock { $0.hasResync || !$0.identifiers.isDisjoint(with: identifiers) }
        }

        /// Whether something other than these items was named, or everything.
        func namesOther(than identifiers: Set<String>) -> Bool {
            state.withLock { $0.hasResync || !$0.identifiers.isSubset(of: identifiers) }
        }

        var text: String {
            state.withLock { $0.identifiers.isEmpty ? "nothing" : "only " + PlainText.names($0.identifiers.sorted()) }
        }
    }

    private let context: CaseContext
    private let place: ForeignCases.Place

    init(_ context: CaseContext, _ place: ForeignCases.Place) {
        self.context = context
        self.place = place
    }

    func run() async throws {
        let context = context
        let path = place.path + "/watched.bin"
        try await context.changeService(.write(path: path, content: context.randomBytes(300)))
        let document = try await ForeignCases.listed(
            context, "watched.bin", in: place, after: "made it", as: "the document"
        ).identifier
        let news = News()
        let session = try context.session
        let listening = Task {
            try await session.listen(
                FileProviderInterface.Events.self, .init(), did: "Events", patience: .seconds(600)
            ) { event in
                news.take(event)
                return !Task.isCancelled
            }
        }
        defer { listening.cancel() }
        for identifier in [place.folder, document] {
            let problem = try await context.problem { try await context.observe(identifier, true) }
            if problem?.code == .notSupported {
                try context.skip("the provider does not watch items (Observe): its host polls instead")
            }
            if let problem { throw problem }
        }
        // By then the events of the preparation have arrived.
        try await Task.sleep(for: .milliseconds(400))
        let known: Set = [document, place.folder]
        try await expect("changed it", news) {
            try await context.changeService(.write(path: path, content: context.randomBytes(450)))
        } isReported: {
            news.names(known)
        }
        // The identifier of a new document is not known yet.
        try await expect("made another document beside it", news) {
            try await context.changeService(.write(path: place.path + "/beside.bin", content: [1, 2, 3]))
        } isReported: {
            news.namesOther(than: [document])
        }
        try await expect("deleted it", news) {
            try await context.changeService(.delete(path: path))
        } isReported: {
            news.names(known)
        }
        for identifier in [document, place.folder] { try? await context.observe(identifier, false) }
    }

    /// Reports unless a change is reported. The provider may name the item or its folder. No call is made meanwhile: it
    /// might be what reveals the change to the provider.
    private func expect(
        _ what: String, _ news: News, _ change: () async throws -> Void, isReported: () -> Bool
    ) async throws {
        news.clear()
        try await change()
        let isKnown = try await context.eventually { isReported() }
        context.expect(
            isKnown, did: "Observe of a document and its folder, and waiting after another client \(what)",
            expected: "an event about the document, its folder or everything (Events)", got: news.text,
            requirement: .news)
    }
}
