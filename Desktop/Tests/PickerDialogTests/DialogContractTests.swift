import Documents
import FoundationEssentials
import PickerDialog
import Testing

@Suite("The contract of docent-picker")
struct DialogContractTests {
    @Test("A request is read, and what is not known is ignored")
    func request() throws {
        let json = """
            {"mode": "export", "title": "Save as", "types": ["public.text"], "currentName": "a.txt",
             "currentFolder": "org.example.Provider@work:/Papers", "program": "org.example.Editor", "later": 1}
            """
        let request = try DialogRequest(json: Data(json.utf8))
        #expect(request.mode == .export)
        #expect(request.title == "Save as")
        #expect(request.types == ["public.text"])
        #expect(request.currentName == "a.txt")
        #expect(
            request.currentFolder
                == DocumentLocation(provider: "org.example.Provider", domain: "work", path: "/Papers"))
        #expect(request.program == "org.example.Editor")
        #expect(request.reason == nil)
        #expect(!request.multiple)
        #expect(!request.downloads)
    }

    @Test(
        "Content is fetched and several are chosen only where documents are chosen",
        arguments: [
            (#"{"mode": "open"}"#, false, true), (#"{"mode": "import", "multiple": true}"#, true, true),
            (#"{"mode": "open", "multiple": true, "downloads": false}"#, true, false),
            (#"{"mode": "folder", "multiple": true, "downloads": true}"#, false, false),
            (#"{"mode": "move", "multiple": true, "downloads": true}"#, false, false),
        ])
    func members(json: String, multiple: Bool, downloads: Bool) throws {
        let request = try DialogRequest(json: Data(json.utf8))
        #expect(request.multiple == multiple)
        #expect(request.downloads == downloads)
    }

    @Test(
        "Providers need the mode of the request",
        arguments: zip(
            [DialogRequest.Mode.open, .import, .folder, .export, .move], ["open", "import", "open", "export", "move"]))
    func providerMode(mode: DialogRequest.Mode, expected: String) {
        #expect(DialogRequest(mode: mode).providerMode == expected)
    }

    @Test(
        "What is no request is refused",
        arguments: [
            "", "[]", "{}", #"{"mode": "steal"}"#, #"{"mode": "open", "types": "all"}"#,
            #"{"mode": "open", "currentFolder": "nowhere"}"#,
        ])
    func refused(json: String) {
        #expect(throws: DocumentsError.self) { try DialogRequest(json: Data(json.utf8)) }
    }

    @Test("A request of endless length is refused")
    func tooLong() {
        let json = Data(#"{"mode": "open"}"#.utf8) + Data(repeating: 0x20, count: DialogRequest.longest)
        #expect(throws: DocumentsError.self) { try DialogRequest(json: json) }
    }

    @Test("An answer is one line, whatever is in the name")
    func answer() throws {
        let location = DocumentLocation(provider: "org.example.Provider", domain: "", path: "/a\n\"b\".txt")
        let line = String(decoding: try DialogAnswer([location], replaces: true).json(), as: UTF8.self)
        #expect(!line.contains("\n"))
        #expect(line.hasSuffix(#""replaces":true}"#))
    }
}
