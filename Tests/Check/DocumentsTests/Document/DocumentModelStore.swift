import DocentInterfaces
import FoundationEssentials
import Glibc
import Synchronization

@testable import Documents

/// One document as the daemon would keep it, shared by all who open it: claims take turns, and presenters get the
/// messages of SEMANTICS 2.4.
final class DocumentModelStore: DocumentStore {
    /// Whether a message is being handled; claims made then do not wait for the claim that the message is about (2.3).
    @TaskLocal static var isAnswering = false

    private struct State {
        var text = "one"
        var version = 1
        var name = "notes.txt"
        var conflicts = 0
        var exists = true
        var failure: DocumentsError?
        var failing = Int.max
        var gate: Gate?
        var presenters: [any FilePresenter] = []
        var log: [String] = []
        var isClaimed = false
        var waiting: [(number: Int, turn: CheckedContinuation<Void, any Error>)] = []
        var next = 0
        var usedMainThread = false
        var progress: [DownloadProgress] = []
        var lastReference: DocumentReference?
        var duringOpening: (@Sendable () async -> Void)?
        var kept: [String] = []
        var answering: [ObjectIdentifier: Int] = [:]
    }

    /// Blocks everyone at it until it is opened.
    final class Gate: Sendable {
        private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                return state.waiting
            }
            for one in waiting { one.resume() }
        }

        var waitingCount: Int { state.withLock { $0.waiting.count } }

        func pass() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }
    }

    let reference = DocumentReference(provider: "org.example.Cloud", identifier: UUID().uuidString)
    static let cause = ChangeCause(kind: .unconfined, client: "org.example.other")
    private let state = Mutex(State())
    private let mainThread: pthread_t

    /// Must be created on the main thread.
    @MainActor
    init() { mainThread = pthread_self() }

    /// A right to the document; no daemon is asked for it.
    func document() -> SecurityScopedDocument {
        SecurityScopedDocument(reference: reference, access: .readWrite, client: Self.client)
    }

    private static let client: DocumentsClient = {
        var configuration = DocumentsClient.Configuration(clientIdentifier: "org.example.test")
        configuration.environment = ["DOCENT_SOCKET": "/nonexistent"]
        return DocumentsClient(configuration)
    }()

    var client: DocumentsClient { Self.client }
    var text: String { state.withLock { $0.text } }
    var version: Int { state.withLock { $0.version } }
    var log: [String] { state.withLock { $0.log } }
    var presenterCount: Int { state.withLock { $0.presenters.count } }
    var isClaimed: Bool { state.withLock { $0.isClaimed } }
    var waitingCount: Int { state.withLock { $0.waiting.count } }
    var lastReference: DocumentReference? { state.withLock { $0.lastReference } }
    var usedMainThread: Bool { state.withLock { $0.usedMainThread } }
    var presenters: [any FilePresenter] { state.withLock { $0.presenters } }

    /// The contents that would survive the process.
    var kept: [String] { state.withLock { $0.kept } }

    func note(_ text: String) { state.withLock { $0.log.append(text) } }
    /// Lets all calls fail, or the next ones.
    func fail(_ failure: DocumentsError?, times: Int = .max) {
        state.withLock { ($0.failure, $0.failing) = (failure, times) }
    }
    func hold(at gate: Gate?) { state.withLock { $0.gate = gate } }
    func keepVersions(_ count: Int) { state.withLock { $0.conflicts = count } }
    func rename(_ name: String) { state.withLock { $0.name = name } }
    func tell(_ progress: [DownloadProgress]) { state.withLock { $0.progress = progress } }
    func duringOpening(_ work: @escaping @Sendable () async -> Void) { state.withLock { $0.duringOpening = work } }

    var item: DocumentItem {
        state.withLock { state in
            DocumentItem(
                Wire.Item(
                    reference: reference.wire, name: state.name,
                    contentType: state.name.hasSuffix(".md") ? "net.daringfireball.markdown" : "public.plain-text",
                    size: state.text.utf8.count, modificationDate: Double(state.version), isFolder: false,
                    isDownloaded: true, isUploaded: true, version: "v\(state.version)", conflicts: state.conflicts))
        }
    }

    // MARK: Others

    /// A change that has not been reported yet.
    func changeQuietly(_ text: String) { store(text) }

    /// Another program reads in coordination.
    func othersRead() async throws -> String {
        try await claim(nil) {
            let reacquirers = try await askForReading(others(nil))
            let found = text
            for reacquirer in reacquirers { await reacquirer() }
            return found
        }
    }

    /// Another program writes in coordination.
    ///
    /// - Parameters:
    ///   - merging: whether presenters save their unsaved changes first (2.4).
    ///   - gate: where the writer waits, once it has its turn, before presenters are asked.
    ///   - change: the new text from the old; nil to change nothing.
    func othersWrite(
        merging: Bool = false, after gate: Gate? = nil, _ change: @Sendable (String) -> String?
    ) async throws {
        try await write(by: nil, merging: merging, after: gate) {
            if let text = change(text) { store(text) }
        }
    }

    /// Another program writes without coordination.
    func othersWriteUncoordinated(_ text: String) async {
        store(text)
        let change = PresentedChange(cause: Self.cause, isUncoordinated: true, version: "v\(version)")
        for presenter in others(nil) { await presenter.presentedItemDidChange(change) }
    }

    /// Another program deletes in coordination.
    func othersDelete() async throws {
        try await claim(nil) {
            for presenter in others(nil) {
                _ = await presenter.relinquishPresentedItem(toWriter: Self.cause)
                try await presenter.accommodatePresentedItemDeletion()
            }
            state.withLock { $0.exists = false }
        }
    }

    // MARK: Store

    func read(
        _ document: SecurityScopedDocument, opening: Bool, for presenter: any FilePresenter,
        cancellation: AccessCancellation, progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> StoredDocument {
        note("read")
        for value in state.withLock({ $0.progress }) { progress(value) }
        return try await claim(cancellation) {
            var reacquirers: [@Sendable () async -> Void] = []
            if opening {
                reacquirers = try await askForReading(others(presenter))
                try await register(presenter)
            }
            let found = StoredDocument(item: item, contents: .data(Data(text.utf8)))
            if opening, let work = state.withLock({ $0.duringOpening }) { await work() }
            for reacquirer in reacquirers { await reacquirer() }
            return found
        }
    }

    func overwrite(
        _ document: SecurityScopedDocument, with writing: DocumentWriting, for presenter: any FilePresenter
    ) async throws -> DocumentItem {
        state.withLock { $0.lastReference = document.reference }
        if let gate = state.withLock({ $0.gate }) { await gate.pass() }
        return try await write(by: presenter, writing.cancellation) {
            try writing.check(against: item)
            store(String(decoding: writing.contents.data ?? Data(), as: UTF8.self))
            note("wrote \(text)")
            return item
        }
    }

    func create(
        at target: Document.SaveTarget, with writing: DocumentWriting, for presenter: any FilePresenter
    ) async throws -> (document: SecurityScopedDocument, item: DocumentItem) {
        try check()
        if let gate = state.withLock({ $0.gate }) { await gate.pass() }
        store(String(decoding: writing.contents.data ?? Data(), as: UTF8.self))
        note("created \(target.name ?? "")")
        return (document(), item)
    }

    private struct Kept: KeptContents {
        let text: String
        let store: DocumentModelStore

        func drop() async {
            store.state.withLock { state in
                if let index = state.kept.firstIndex(of: text) { state.kept.remove(at: index) }
            }
        }
    }

    func keepSafe(
        _ contents: DocumentContents, of document: SecurityScopedDocument
    ) async throws -> (any KeptContents)? {
        let text = String(decoding: contents.data ?? Data(), as: UTF8.self)
        state.withLock { $0.kept.append(text) }
        return Kept(text: text, store: self)
    }

    func item(_ document: SecurityScopedDocument) async throws -> DocumentItem {
        try check()
        return item
    }

    func register(_ presenter: any FilePresenter) async throws {
        state.withLock { $0.presenters.append(presenter) }
        note("registered")
    }

    /// Returns when no handler of the presenter runs, as the client does.
    func unregister(_ presenter: any FilePresenter) async {
        let isThere = state.withLock { state in
            let count = state.presenters.count
            state.presenters.removeAll { $0 === presenter }
            return state.presenters.count < count
        }
        while state.withLock({ $0.answering[ObjectIdentifier(presenter)] ?? 0 }) > 0 {
            try? await Task.sleep(for: .milliseconds(1))
        }
        if isThere { note("unregistered") }
    }

    func stopAccessing(_ document: SecurityScopedDocument) { note("stopped") }

    // MARK: Claims

    private func others(_ presenter: (any FilePresenter)?) -> [any FilePresenter] {
        state.withLock { $0.presenters.filter { $0 !== presenter } }
    }

    private func askForReading(
        _ presenters: [any FilePresenter]
    ) async throws -> [@Sendable () async -> Void] {
        var reacquirers: [@Sendable () async -> Void] = []
        for presenter in presenters {
            state.withLock { $0.answering[ObjectIdentifier(presenter), default: 0] += 1 }
            defer { state.withLock { $0.answering[ObjectIdentifier(presenter), default: 1] -= 1 } }
            if let reacquirer = await presenter.relinquishPresentedItem(toReader: Self.cause) {
                reacquirers.append(reacquirer)
            }
            do { try await presenter.savePresentedItemChanges() } catch {
                for reacquirer in reacquirers { await reacquirer() }
                throw error
            }
        }
        return reacquirers
    }

    private func store(_ text: String) {
        state.withLock { state in
            state.text = text
            state.version += 1
        }
    }

    private func check() throws {
        let isMain = pthread_equal(pthread_self(), mainThread) != 0
        try state.withLock { state in
            if isMain { state.usedMainThread = true }
            if let failure = state.failure, state.failing > 0 {
                state.failing -= 1
                throw failure
            }
            guard state.exists else { throw DocumentsError(.notFound, "There is no such document.") }
        }
    }

    private func write<Result: Sendable>(
        by presenter: (any FilePresenter)?, _ cancellation: AccessCancellation? = nil, merging: Bool = false,
        after gate: Gate? = nil,
        _ accessor: () async throws -> Result
    ) async throws -> Result {
        try await claim(cancellation) {
            await gate?.pass()
            var reacquirers: [@Sendable () async -> Void] = []
            for other in others(presenter) {
                if let reacquirer = await other.relinquishPresentedItem(toWriter: Self.cause) {
                    reacquirers.append(reacquirer)
                }
                if merging { try await other.savePresentedItemChanges() }
            }
            let result = try await accessor()
            let change = PresentedChange(cause: Self.cause, isUncoordinated: false, version: "v\(version)")
            for other in others(presenter) { await other.presentedItemDidChange(change) }
            for reacquirer in reacquirers { await reacquirer() }
            return result
        }
    }

    /// Runs an access in its turn, with `isAnswering` set for the presenters that it asks.
    private func claim<Result: Sendable>(
        _ cancellation: AccessCancellation?, _ access: () async throws -> Result
    ) async throws -> Result {
        try check()
        guard !Self.isAnswering else { return try await access() }
        try await takeTurn(cancellation)
        defer { giveTurn() }
        return try await Self.$isAnswering.withValue(true) { try await access() }
    }

    private func takeTurn(_ cancellation: AccessCancellation?) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withCheckedThrowingContinuation { (turn: CheckedContinuation<Void, any Error>) in
            let isMine = state.withLock { state in
                defer { state.isClaimed = true }
                if state.isClaimed { state.waiting.append((number, turn)) }
                return !state.isClaimed
            }
            if isMine { turn.resume() } else { cancellation?.attach { self.withdraw(number) } }
        }
    }

    private func withdraw(_ number: Int) {
        let turn = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiting.remove(at: index).turn
        }
        turn?.resume(throwing: DocumentsError(.cancelled, "The claim was cancelled."))
    }

    private func giveTurn() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            if state.waiting.isEmpty {
                state.isClaimed = false
                return nil
            }
            return state.waiting.removeFirst().turn
        }
        next?.resume()
    }
}
