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
            var begun: [Bool] = []
            var failures = 0
            var published: [String] = []
        }

        let state = Mutex(State())

        func draft(_ node: UInt64 = 7) -> NodeDraft {
            NodeDraft(node: node, kept: KeptState(line: -1)) { [self] isEmptied throws(DocumentsError) in
                let content = state.withLock { state in
                    state.begun.append(isEmptied)
                    return isEmptied ? "" : state.content
                }
                return try Draft(self, content)
            } published: { [self] item in
                state.withLock { $0.published.append(item.version ?? "") }
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

        func descriptor() throws(DocumentsError) -> CInt { open(path, O_RDWR | O_CLOEXEC) }

        func commit(modified: Double?) async throws(DocumentsError) -> ViewItem {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "?"
            let fails = provider.state.withLock { state in
                state.failures -= 1
                if state.failures < 0 { state.content = text }
                return state.failures >= 0
            }
            if fails { throw DocumentsError(.noSpace, "full") }
            return ViewItem(identifier: "1", name: "a", kind: .file, version: text)
        }

        func abandon() async {}
    }

    private static func write(_ text: String, at offset: Int64, _ draft: NodeDraft) -> Int? {
        Array(text.utf8).withUnsafeBytes { draft.write($0, at: offset) }
    }

    private static func text(_ draft: NodeDraft) -> String {
        guard let file = draft.file else { return "" }
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
}
