import DocentInterfaces
import Documents
import TerminalPicker
import Testing

@testable import DocentCommands

/// What the picker shows of a program's request, and the answer that it gives.
@Suite struct PickAnsweringTests {
    private static func request(_ mode: String, types: [String]? = nil) -> Wire.PickRequest {
        Wire.PickRequest(
            identifier: "3F", clientKind: "run", client: "org.example.Editor", strength: "enforced", process: 7,
            mode: mode, types: types, access: "readWrite", companions: ["{stem}.srt"], name: "a.pdf", size: 12,
            reason: "to read", since: 1)
    }

    private static func answering(
        _ request: Wire.PickRequest, name: String? = nil, _ body: (PickAnswering) throws -> Void
    ) rethrows {
        var configuration = DocumentsClient.Configuration()
        // A socket where nobody listens: nothing here calls the daemon.
        configuration.environment = ["DOCENT_SOCKET": "/nowhere/docent.sock"]
        let administrator = DocumentsClient(configuration)
        let watch = PickWatch(administrator)
        defer { watch.end() }
        try body(
            PickAnswering(request, administrator: administrator, watch: watch, terms: PickerTerms(), name: name))
    }

    private static let item = PickedItem(location: DocumentLocation(provider: "P", path: "/a"), entry: nil)

    @Test("An opened document is granted with the terms that the person chose")
    func opened() {
        Self.answering(Self.request("open")) { answering in
            let whole = answering.answer(.items([Self.item], PickerTerms()))
            #expect(whole?.access == nil && whole?.persist == nil && whole?.expires == nil && whole?.companions == nil)
            #expect(whole?.identifier == "3F" && whole?.location?.path == "/a")
            let narrowed = answering.answer(
                .items([Self.item], PickerTerms(isReadOnly: true, lifetime: .program, hasCompanions: true)))
            #expect(narrowed?.access == "read" && narrowed?.persist == false)
            #expect(narrowed?.companions == ["{stem}.srt"])
            let hour = answering.answer(.items([Self.item], PickerTerms(lifetime: .oneHour)))
            #expect(hour?.expires == 3600 && hour?.persist == nil)
            #expect(answering.answer(.items([], PickerTerms())) == nil)
            #expect(answering.answer(.cancelled) == nil && answering.answer(.refused) == nil)
        }
    }

    @Test("An imported document gets no terms, an exported one a folder and a name")
    func others() {
        Self.answering(Self.request("import")) { answering in
            let answer = answering.answer(.items([Self.item], PickerTerms(isReadOnly: true, lifetime: .program)))
            #expect(answer?.access == nil && answer?.persist == nil)
        }
        Self.answering(Self.request("export"), name: "b.pdf") { answering in
            #expect(answering.task.destination == PickerTask.Destination(name: "b.pdf", size: 12))
            let folder = DocumentLocation(provider: "P", path: "/x")
            let answer = answering.answer(.destination(folder: folder, name: "c.pdf", replaces: true))
            #expect(answer?.location?.path == "/x" && answer?.name == "c.pdf")
        }
    }

    @Test("The task shows who asks, and lets a folder be chosen only if the program can use one")
    func task() {
        Self.answering(Self.request("open", types: ["public.text"])) { answering in
            #expect(answering.task.asker?.client == "org.example.Editor" && answering.task.asker?.mayWrite == true)
            #expect(answering.task.commits && !answering.task.choosesFolders)
        }
        Self.answering(Self.request("open", types: ["public.folder"])) { #expect($0.task.choosesFolders) }
    }
}
