import DocentTestSupport
import Documents
import FileSystemMessages
import Foundation
import Glibc
import Synchronization
import Testing

@testable import MountedView

/// Writing to a document whose provider is a value in memory.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct NodeDraftTests {
    /// A provider of one document.
    private final class Provider: Sendable {
        struct State {
            var content = "old"
            /// How many drafts were asked for.
            var requests = 0
            var begun: [Bool] = []
            var bases: [String?] = []
            var failures = 0
            var failure = DocumentsError(.noSpace, "full")
            /// Whether the draft starts from another version than the writer has read.
            var isOutdated = false
            var isGone = false
            var rescued: [String] = []
            var published: [String] = []
            /// The changes of an earlier server that were asked for, and what became of them.
            var asked: [String] = []
            var saved: ViewItem?
        }

        let state = Mutex(State())
        /// Each draft waits for a value of it, if there is one.
        let gate: AsyncStream<Void>?

        init(gate: AsyncStream<Void>? = nil) { self.gate = gate }

        func draft(_ node: UInt64 = 7) -> NodeDraft {
            NodeDraft(node: node, kept: KeptState(line: -1)) { [self] isEmptied, base throws(DocumentsError) in
                state.withLock { $0.requests += 1 }
                if let gate { for await _ in gate { break } }
                let content = state.withLock { state -> String? in
                    state.begun.append(isEmptied)
                    state.bases.append(base)
                    if state.isGone { return nil }
                    return isEmptied || state.isOutdated ? "" : state.content
                }
                guard let content else { throw DocumentsError(.notFound, "gone") }
                return try Draft(self, content)
            } finish: { [self] operation throws(DocumentsError) in
                state.withLock { state in
                    state.asked.append(operation)
                    return state.saved
                }
            } published: { [self] item in
                state.withLock { $0.published.append(item.version ?? "") }
            } rescue: { [self] file throws(DocumentsError) in
                let text = NodeDraftTests.text(file)
                state.withLock { $0.rescued.append(text) }
            }
        }
    }

    private final class Draft: SourceDraft {
        private let provider: Provider
        private let path = NSTemporaryDirectory() + "docent-draft-" + UUID().uuidString

        init(_ provider: Provider, _ content: String) throws(DocumentsError) {
            self.provider = provider
            guard FileManager.default.createFile(atPath: path, contents: Data(content.utf8)) else {
                throw DocumentsError(.failed, "no file")
            }
        }

        deinit { unlink(path) }

        var isOutdated: Bool { provider.state.withLock { $0.isOutdated } }
        var isNew: Bool { false }
        var operation: String? { nil }

        func descriptor() throws(DocumentsError) -> CInt { open(path, O_RDWR | O_CLOEXEC) }

        func commit(modified: Double?) async throws(DocumentsError) -> ViewItem {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "?"
            let fails = provider.state.withLock { state in
                state.failures -= 1
                if state.failures < 0 { state.content = text }
                return state.failures >= 0
            }
            if fails { throw provider.state.withLock { $0.failure } }
            return ViewItem(identifier: "1", name: "a", kind: .file, version: text)
        }

        func abandon() async {}
    }

    private static func write(_ text: String, at offset: Int64, _ draft: NodeDraft) -> Int? {
        Array(text.utf8).withUnsafeBytes { draft.write($0, at: offset) }
    }

    private static func text(_ draft: NodeDraft) -> String { draft.file.map { text($0) } ?? "" }

    private static func text(_ file: OpenHandles.OpenFile) -> String {
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = pread(file.descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }

    @Test("nothing is begun before something is written, and nothing is published that was not")
    func unused() async throws {
        let provider = Provider()
        let draft = provider.draft()
        #expect(Self.write("x", at: 0, draft) == nil)
        try await draft.publish()
        #expect(provider.state.withLock { $0.begun.isEmpty && $0.published.isEmpty })
    }

    @Test("what is written is read before and after it is published, and more can follow")
    func published() async throws {
        let provider = Provider()
        let draft = provider.draft()
        try await draft.prepare(isEmptied: false)
        #expect(Self.write("NEW", at: 3, draft) == 3 && Self.text(draft) == "oldNEW" && draft.isDirty)
        try await draft.publish()
        #expect(provider.state.withLock { $0.content } == "oldNEW" && !draft.isDirty && Self.text(draft) == "oldNEW")
        #expect(Self.write("x", at: 0, draft) == nil, "a published file is not written")
        try await draft.prepare(isEmptied: false)
        #expect(Self.write("x", at: 0, draft) == 1)
        try await draft.publish()
        #expect(provider.state.withLock { $0.published } == ["oldNEW", "xldNEW"])
    }

    @Test("a document that was only emptied says so, until something is written to it or it is published")
    func onlyEmptied() async throws {
        let draft = Provider().draft()
        try await draft.prepare(isEmptied: true)
        #expect(draft.isOnlyEmptied && draft.isDirty)
        #expect(draft.truncate(to: 0) == 0 && draft.isOnlyEmptied)
        #expect(Self.write("x", at: 0, draft) == 1)
        #expect(!draft.isOnlyEmptied && draft.isDirty)
        let other = Provider().draft()
        try await other.prepare(isEmptied: true)
        try await other.publish()
        #expect(!other.isOnlyEmptied && !other.isDirty)
        let longer = Provider().draft()
        try await longer.prepare(isEmptied: true)
        #expect(longer.truncate(to: 3) == 0 && !longer.isOnlyEmptied)
        let written = Provider().draft()
        try await written.prepare(isEmptied: false)
        #expect(Self.write("x", at: 0, written) == 1 && !written.isOnlyEmptied)
    }

    @Test("the late report that a program has closed a document does not publish what the next one has only emptied")
    func emptiedAfterLastClose() async throws {
        let (gate, opened) = AsyncStream.makeStream(of: Void.self)
        let provider = Provider(gate: gate)
        let drafts = NodeDrafts(kept: KeptState(line: -1))
        let draft = drafts.enter(7) { provider.draft() }
        let emptying = Task { try await draft.prepare(isEmptied: true) }
        while provider.state.withLock({ $0.requests == 0 }) { await Task.yield() }
        drafts.leave(7) { _, _ in }
        // The next program has opened it before the first one's closing is dealt with.
        #expect(drafts.enter(7) { provider.draft() } === draft)
        opened.yield()
        try await emptying.value
        // Whatever was queued before has run after this.
        for _ in 0..<50 {
            try await draft.settleFormer()
            await Task.yield()
        }
        #expect(draft.isOnlyEmptied && provider.state.withLock { $0.published.isEmpty })
        #expect(Self.write("new", at: 0, draft) == 3)
        try await draft.publish()
        #expect(provider.state.withLock { $0.published } == ["new"])
    }

    @Test("a document that the last program only emptied is published when it has closed it")
    func emptiedAndClosed() async throws {
        let provider = Provider()
        let drafts = NodeDrafts(kept: KeptState(line: -1))
        let draft = drafts.enter(7) { provider.draft() }
        try await draft.prepare(isEmptied: true)
        drafts.leave(7) { _, _ in }
        while drafts.draft(of: 7) != nil { await Task.yield() }
        #expect(provider.state.withLock { $0.published } == [""])
    }

    @Test("what could not be published is kept, and is published with what follows")
    func failed() async throws {
        let provider = Provider()
        provider.state.withLock { $0.failures = 2 }
        let draft = provider.draft()
        try await draft.prepare(isEmptied: true)
        _ = Self.write("one", at: 0, draft)
        await #expect(throws: DocumentsError.self) { try await draft.publish() }
        #expect(draft.isDirty && Self.text(draft) == "one" && provider.state.withLock { $0.content } == "old")
        try await draft.prepare(isEmptied: false)
        #expect(Self.write("two", at: 3, draft) == 3)
        await #expect(throws: DocumentsError.self) { try await draft.publish() }
        try await draft.publish()
        #expect(provider.state.withLock { $0.content } == "onetwo" && !draft.isDirty)
    }

    @Test("what a program writes changes the content that it has opened, whatever the document contains by then")
    func openedEarlier() async throws {
        let provider = Provider()
        let path = NSTemporaryDirectory() + "docent-opened-" + UUID().uuidString
        defer { unlink(path) }
        try Data("earlier".utf8).write(to: URL(filePath: path))
        let draft = provider.draft()
        draft.opened(
            OpenHandles.OpenFile(node: 7, owning: Glibc.open(path, O_RDONLY | O_CLOEXEC), version: "v1"))
        provider.state.withLock { ($0.isOutdated, $0.content) = (true, "theirs") }
        try await draft.prepare(isEmptied: false)
        #expect(Self.write("E", at: 0, draft) == 1 && Self.text(draft) == "Earlier")
        #expect(provider.state.withLock { $0.bases } == ["v1"])
        try await draft.publish()
        provider.state.withLock { $0.isOutdated = false }
        try await draft.prepare(isEmptied: false)
        #expect(provider.state.withLock { $0.bases.last } == "Earlier", "the version that was published")
    }

    @Test("what was written to a document that has gone is rescued once, and is not tried again")
    func gone() async throws {
        let provider = Provider()
        let draft = provider.draft()
        try await draft.prepare(isEmptied: true)
        _ = Self.write("precious", at: 0, draft)
        provider.state.withLock { state in
            (state.failures, state.failure, state.isGone) = (1, DocumentsError(.notFound, "gone"), true)
        }
        try await draft.publish()
        #expect(provider.state.withLock { $0.rescued } == ["precious"] && !draft.isDirty)
        try await draft.publish()
        #expect(provider.state.withLock { $0.rescued.count } == 1 && Self.text(draft) == "precious")
        provider.state.withLock { $0.isGone = false }
        try await draft.prepare(isEmptied: true)
        _ = Self.write("later", at: 0, draft)
        try await draft.publish()
        #expect(provider.state.withLock { $0.content } == "later", "what is written afterwards is saved too")
    }

    @Test("a session that has ended is begun again at once")
    func sessionEnded() async throws {
        let provider = Provider()
        let draft = provider.draft()
        try await draft.prepare(isEmptied: true)
        _ = Self.write("again", at: 0, draft)
        provider.state.withLock { ($0.failures, $0.failure) = (1, DocumentsError(.notFound, "no session")) }
        try await draft.publish()
        #expect(provider.state.withLock { $0.content } == "again" && !draft.isDirty)
    }

    @Test("a content that was kept beside another one is not sent again")
    func conflict() async throws {
        let provider = Provider()
        let draft = provider.draft()
        try await draft.prepare(isEmptied: true)
        _ = Self.write("mine", at: 0, draft)
        provider.state.withLock { ($0.failures, $0.failure) = (1, DocumentsError(.conflict, "both are kept")) }
        await #expect(throws: DocumentsError.self) { try await draft.publish() }
        try await draft.publish()
        #expect(!draft.isDirty && provider.state.withLock { $0.begun.count == 1 && $0.content == "old" })
    }

    @Test("a document that was emptied is published even if nothing is written")
    func emptied() async throws {
        let provider = Provider()
        let draft = provider.draft()
        try await draft.prepare(isEmptied: true)
        try await draft.publish()
        #expect(provider.state.withLock { $0.content }.isEmpty)
    }

    @Test("a document that was removed takes what is written, and publishes nothing")
    func orphan() async throws {
        let provider = Provider()
        let draft = provider.draft()
        try await draft.prepare(isEmptied: false)
        _ = Self.write("1", at: 0, draft)
        await draft.orphan(nil)
        #expect(Self.write("2", at: 1, draft) == 1 && Self.text(draft) == "12d" && !draft.isDirty)
        try await draft.publish()
        #expect(provider.state.withLock { $0.published.isEmpty && $0.content == "old" })
    }

    @Test("a document that could not be removed gets what was written before and after the attempt")
    func revived() async throws {
        let provider = Provider()
        let draft = provider.draft()
        try await draft.prepare(isEmptied: false)
        _ = Self.write("1", at: 0, draft)
        await draft.orphan(nil)
        _ = Self.write("2", at: 1, draft)
        await draft.revive()
        #expect(draft.isDirty && Self.text(draft) == "12d")
        try await draft.prepare(isEmptied: false)
        _ = Self.write("3", at: 2, draft)
        try await draft.publish()
        #expect(provider.state.withLock { $0.content } == "123" && Self.text(draft) == "123")
    }

    @Test("a draft that writes to the very file that an earlier server has left keeps its content")
    func sameFile() async throws {
        let path = NSTemporaryDirectory() + "docent-same-" + UUID().uuidString
        defer { unlink(path) }
        try Data("written".utf8).write(to: URL(filePath: path))
        let draft = NodeDraft(node: 7, kept: KeptState(line: -1)) { _, _ throws(DocumentsError) in
            InPlaceDraft(path: path)
        } finish: { _ throws(DocumentsError) in
            nil
        } published: { _ in
        } rescue: { _ throws(DocumentsError) in
        }
        draft.restore(
            OpenHandles.OpenFile(node: 7, owning: Glibc.open(path, O_RDWR | O_CLOEXEC)), isDirty: true, isOrphan: false)
        try await draft.prepare(isEmptied: false)
        #expect(Self.write("W", at: 0, draft) == 1 && Self.text(draft) == "Written")
        try await draft.publish()
        try await draft.prepare(isEmptied: true)
        #expect(Self.text(draft).isEmpty, "an emptied one is empty")
    }

    // MARK: After another server

    private static let former = KeptOperation("0a1b2c3d-0000-4000-8000-00000000000f")

    /// A draft whose content an earlier server of the mount had written, and was about to publish.
    private static func takenOver(_ provider: Provider) throws -> NodeDraft {
        let path = NSTemporaryDirectory() + "docent-former-" + UUID().uuidString
        defer { unlink(path) }
        try Data("written".utf8).write(to: URL(filePath: path))
        let draft = provider.draft()
        draft.restore(
            OpenHandles.OpenFile(node: 7, owning: Glibc.open(path, O_RDONLY | O_CLOEXEC)), isDirty: true,
            isOrphan: false, former: former)
        return draft
    }

    @Test("what the daemon has saved for an earlier server is not saved again")
    func savedForFormer() async throws {
        let provider = Provider()
        let draft = try Self.takenOver(provider)
        provider.state.withLock { state in
            state.saved = ViewItem(identifier: "1", name: "a", kind: .file, version: "v7")
            state.content = "written"
        }
        try await draft.publish()
        #expect(!draft.isDirty && Self.text(draft) == "written")
        #expect(provider.state.withLock { $0.begun.isEmpty && $0.published == ["v7"] })
        #expect(provider.state.withLock { $0.asked } == [Self.former?.identifier])
        try await draft.prepare(isEmptied: false)
        #expect(provider.state.withLock { $0.bases } == ["v7"], "what follows changes that version")
        #expect(Self.write("W", at: 0, draft) == 1)
        try await draft.publish()
        #expect(provider.state.withLock { $0.content == "Written" && $0.asked.count == 1 })
    }

    @Test("what the daemon has not saved for an earlier server is saved once")
    func lostByFormer() async throws {
        let provider = Provider()
        let draft = try Self.takenOver(provider)
        try await draft.publish()
        try await draft.publish()
        #expect(provider.state.withLock { $0.content == "written" && $0.published == ["written"] })
        #expect(provider.state.withLock { $0.asked.count } == 1)
    }

    @Test("whoever writes or removes what an earlier server had published learns first that it was")
    func settledFirst() async throws {
        let provider = Provider()
        provider.state.withLock { $0.saved = ViewItem(identifier: "1", name: "a", kind: .file, version: "v7") }
        let removed = try Self.takenOver(provider)
        try await removed.settleFormer()
        #expect(provider.state.withLock { $0.published } == ["v7"])
        let written = try Self.takenOver(provider)
        try await written.prepare(isEmptied: true)
        #expect(provider.state.withLock { $0.published } == ["v7", "v7"] && Self.text(written).isEmpty)
    }

    private struct InPlaceDraft: SourceDraft {
        let path: String
        var isOutdated: Bool { false }
        var isNew: Bool { false }
        var operation: String? { nil }

        func descriptor() throws(DocumentsError) -> CInt { open(path, O_RDWR | O_CLOEXEC) }

        func commit(modified: Double?) async throws(DocumentsError) -> ViewItem {
            ViewItem(identifier: "", name: "a", kind: .file, isLocal: true)
        }

        func abandon() async {}
    }
}
