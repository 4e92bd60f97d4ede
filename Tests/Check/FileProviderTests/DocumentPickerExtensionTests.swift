import DocentInterfaces
import FileProvider
import Foundation
import Testing
import Varlink

@Suite struct DocumentPickerExtensionTests {
    private typealias Interface = DocumentPickerInterface

    private func picker() async throws -> ExtensionUnderTest {
        let host = try ExtensionUnderTest()
        _ = try await host.call(
            Interface.Initialize.self,
            .init(
                version: 1, provider: "org.example.Test", point: "com.apple.fileprovider-ui",
                principalClass: "FileProviderTests.FakePicker", displayName: "Test", domains: []))
        return host
    }

    private func prepare(
        _ host: ExtensionUnderTest, _ mode: String, session: String = "s", types: [String]? = nil,
        content: [UInt8]? = nil,
        storage: String? = nil
    ) async throws {
        _ = try await host.call(
            Interface.Prepare.self,
            .init(
                session: session, mode: mode, domain: "", validTypes: types, original: content == nil ? nil : 0,
                originalName: content == nil ? nil : "original.txt", providerIdentifier: storage == nil ? nil : "id",
                storage: storage), content: content)
    }

    private func choose(
        _ host: ExtensionUnderTest, _ path: String, name: String? = nil, session: String = "s"
    ) async throws -> Reply<DocumentPickerInterface.Choose.Reply> {
        try await host.connection.call(
            Interface.Choose.self, .init(session: session, path: path, name: name), deadline: .seconds(60))
    }

    @Test("B1, B3: the mode is known once the picker is prepared, and each session has its own instance")
    func knowsMode() async throws {
        let host = try await picker()
        for mode in ["import", "open"] { try await prepare(host, mode, session: mode, storage: "/storage") }
        for mode in ["import", "open"] {
            let page = try await host.call(Interface.Contents.self, .init(session: mode, path: "/"))
            #expect(page.entries.map(\.name) == ["mode \(mode)"])
        }
        let unprepared = await FakePicker(context: DocumentPickerContext(provider: "p") { _ in })
        #expect(await unprepared.documentPickerMode == nil)
    }

    @Test(
        "C6, N8: a picker's progress is sent before its answer, if the host asks for it",
        arguments: [true, false])
    func tellsProgress(wantsMore: Bool) async throws {
        let host = try await picker()
        try await prepare(host, "open", storage: "/storage")
        guard wantsMore else {
            let reply = try await choose(host, "/slow")
            #expect(reply.value.url == "file:///slow" && reply.value.completedBytes == nil)
            return
        }
        var replies: [Interface.Choose.Reply] = []
        for try await reply in host.connection.stream(
            Interface.Choose.name, Interface.Choose.Parameters(session: "s", path: "/slow"), Interface.Choose.Reply.self
        ) { replies.append(reply.value) }
        #expect(replies.map(\.completedBytes) == [1, nil] && replies.map(\.totalBytes) == [4, nil])
        #expect(replies.map(\.url) == [nil, "file:///slow"])
    }

    @Test("B5, C2: open has validTypes, and returns the URL that the picker gave")
    func opens() async throws {
        let host = try await picker()
        try await prepare(host, "open", types: ["public.text", "public.image"], storage: "/storage")
        let reply = try await choose(host, "/types")
        #expect(reply.value.url == "file:///public.text,public.image")
        #expect(reply.value.file == nil)
    }

    @Test("B4, C3: export reads the source through its descriptor and returns the copy as a descriptor")
    func exports() async throws {
        let host = try await picker()
        try await prepare(host, "export", content: Array("source".utf8))
        let name = "docent-export-\(UUID().uuidString)"
        let reply = try await choose(host, "/original", name: name)
        let file = try reply.descriptors.take(try #require(reply.value.file))
        #expect(Scratch.contents(file.raw) == Array("source".utf8))
        try? FileManager.default.removeItem(at: FileManager.default.temporaryDirectory.appending(path: name))
    }

    @Test("C1, X2: import without a file provider returns the file itself; a missing one is an error")
    func imports() async throws {
        let host = try await picker()
        try await prepare(host, "import")
        let failure = await #expect(throws: Failure.self) { _ = try await self.choose(host, "/missing") }
        #expect(failure?.code == .noSuchItem)
    }

    @Test("B14: cancelling is reported as such")
    func cancels() async throws {
        let host = try await picker()
        try await prepare(host, "open", storage: "/storage")
        #expect(try await choose(host, "/cancel").value.cancelled)
    }

    @Test("Complaint 15: the first of two endings counts; no ending is an error; a choice after the end is ignored")
    func endsOnce() async throws {
        let host = try await picker()
        try await prepare(host, "open", storage: "/storage")
        let never = await #expect(throws: Failure.self) { _ = try await self.choose(host, "/never") }
        #expect(never?.message.contains("dismissGrantingAccess") == true)
        #expect(try await choose(host, "/twice").value.url == "file:///first")
        let late = await #expect(throws: Failure.self) { _ = try await self.choose(host, "/doc") }
        #expect(late?.code == .invalidArgument)
        _ = try await host.call(Interface.Dismiss.self, .init(session: "s"))
        let gone = await #expect(throws: Failure.self) { _ = try await self.choose(host, "/doc") }
        #expect(gone?.code == .invalidArgument)
    }

    @Test("B4: a source in import, a missing source in export, and an unknown mode are refused")
    func refusesWrongPresentations() async throws {
        let host = try await picker()
        for (mode, content) in [("import", [1] as [UInt8]?), ("export", nil), ("borrow", nil)] {
            let failure = await #expect(throws: Failure.self) {
                try await self.prepare(host, mode, session: mode, content: content)
            }
            #expect(failure?.code == .invalidArgument)
        }
    }
}
