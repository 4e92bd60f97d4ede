import DocentInterfaces
import Documents
import PickerDialog
import TerminalPicker
import Testing

@Suite("The requests of programs")
struct AskedRequestTests {
    private func asked(
        _ mode: String, types: [String]? = nil, companions: [String]? = nil, name: String? = nil
    ) -> Wire.PickRequest {
        Wire.PickRequest(
            identifier: "1", clientKind: "flatpak", client: "org.example.Editor", strength: "enforced", process: 4711,
            executable: nil, mode: mode, types: types, access: "readWrite", companions: companions, name: name,
            size: nil, reason: "why", since: 0)
    }

    @Test(
        "A request becomes one of the window",
        arguments: [
            ("open", nil, DialogRequest.Mode.open), ("open", ["public.text"], .open),
            ("open", ["public.folder"], .folder),
            ("open", ["public.folder", "public.text"], .open), ("import", nil, .import), ("export", nil, .export),
            ("move", nil, .move), ("steal", nil, nil), ("folder", nil, nil),
        ] as [(String, [String]?, DialogRequest.Mode?)])
    func modes(mode: String, types: [String]?, expected: DialogRequest.Mode?) {
        let request = DialogRequest(asked(mode, types: types, name: "a.txt"))
        #expect(request?.mode == expected)
        // The daemon fetches what the program gets.
        #expect(request?.downloads != true)
        #expect(request == nil || request?.reason == "why")
        #expect(request == nil || request?.program == "org.example.Editor")
    }

    @Test("An answer grants at most what was asked for, and what the person has narrowed")
    func granting() throws {
        let asked = asked("open", companions: ["{stem}.srt"])
        let request = try #require(DialogRequest(asked))
        let choice = DialogAnswer([WindowModelTests.folder.appending("film.mkv")])
        let all = try #require(request.answer(choice, to: asked, PickerTerms(hasCompanions: true)))
        #expect(all.location?.path == "/Papers/film.mkv")
        #expect(all.access == nil)
        #expect(all.persist == nil)
        #expect(all.companions == ["{stem}.srt"])
        let less = try #require(
            request.answer(choice, to: asked, PickerTerms(isReadOnly: true, lifetime: .program)))
        #expect(less.access == "read")
        #expect(less.persist == false)
        #expect(less.companions == nil)
        let short = try #require(request.answer(choice, to: asked, PickerTerms(lifetime: .oneHour)))
        #expect(short.expires == 3600)
    }

    @Test("Copies and names grant nothing", arguments: ["import", "export", "move"])
    func withoutTerms(mode: String) throws {
        let asked = asked(mode, companions: ["*"], name: "b.txt")
        let request = try #require(DialogRequest(asked))
        let choice = DialogAnswer([WindowModelTests.folder.appending("b.txt")])
        let terms = PickerTerms(isReadOnly: true, lifetime: .oneHour, hasCompanions: true)
        let answer = try #require(request.answer(choice, to: asked, terms))
        #expect(answer.access == nil)
        #expect(answer.expires == nil)
        #expect(answer.companions == nil)
        #expect(answer.location?.path == (mode == "import" ? "/Papers/b.txt" : "/Papers"))
        #expect(answer.name == (mode == "import" ? nil : "b.txt"))
    }
}
