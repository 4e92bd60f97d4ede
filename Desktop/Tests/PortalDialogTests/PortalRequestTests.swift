import PickerDialog
import Testing

@testable import PortalDialog

@Suite("The requests of the portal")
struct PortalRequestTests {
    private func request(
        _ method: PortalRequest.Method, _ options: [String: PortalValue] = [:], program: String = "org.example.Editor",
        title: String = "Choose it", handle: String = "/org/freedesktop/portal/desktop/request/1_42/token"
    ) -> PortalRequest? {
        PortalRequest(
            method: method,
            parameters: .list([.text(handle), .text(program), .text("x11:1f"), .text(title), .dictionary(options)]))
    }

    private func bytes(_ text: String) -> PortalValue { .bytes(Array(text.utf8) + [0]) }

    @Test(
        "Each method has its mode",
        arguments: [
            (.openFile, [:], DialogRequest.Mode.open, false),
            (.openFile, ["multiple": .boolean(true)], .open, true),
            (.openFile, ["directory": .boolean(true), "multiple": .boolean(true)], .folder, false),
            (.saveFile, ["multiple": .boolean(true)], .export, false),
        ] as [(PortalRequest.Method, [String: PortalValue], DialogRequest.Mode, Bool)])
    func modes(
        method: PortalRequest.Method, options: [String: PortalValue], mode: DialogRequest.Mode, multiple: Bool
    ) throws {
        let dialog = try #require(request(method, options)?.dialog)
        #expect(dialog.mode == mode)
        #expect(dialog.multiple == multiple)
        #expect(dialog.files?.isModal == true)
        #expect(dialog.files?.parentWindow == "x11:1f")
    }

    @Test("The words of the program are said as its own, and the title stays that of the window")
    func words() throws {
        let dialog = try #require(request(.openFile, title: "Sign in")?.dialog)
        #expect(dialog.title == nil)
        #expect(dialog.reason == "Sign in")
        #expect(dialog.program == "org.example.Editor")
        #expect(dialog.files?.canNarrow == true)
        let plain = try #require(request(.openFile, program: "", title: "")?.dialog)
        #expect(plain.reason == nil)
        #expect(plain.program == nil)
        #expect(plain.files?.canNarrow == false)
    }

    @Test(
        "A program labels the confirming button, but not as another one",
        arguments: [
            ("_Upload", "Upload"), ("Save __all", nil), ("_Cancel", nil), ("  REFUSE ", nil), ("Ope\u{202e}n", nil),
            ("C\u{0430}ncel", "C\u{0430}ncel"), ("Try again.", nil), ("", nil), ("\u{00d6}ffnen", "\u{00d6}ffnen"),
            ("Cancel\n", nil),
        ])
    func labels(text: String, expected: String?) {
        #expect(request(.openFile, ["accept_label": .text(text)])?.dialog.acceptLabel == expected)
    }

    @Test("A name and a folder are proposed")
    func proposals() throws {
        let new = try #require(
            request(.saveFile, ["current_name": .text("a.txt"), "current_folder": bytes("/home/a")])?.dialog)
        #expect(new.currentName == "a.txt")
        #expect(new.files?.folder == "/home/a")
        let old = try #require(
            request(.saveFile, ["current_name": .text("a.txt"), "current_file": bytes("/home/b/c.txt")])?.dialog)
        #expect(old.currentName == "c.txt")
        #expect(old.files?.folder == "/home/b")
        #expect(request(.saveFile, ["current_file": bytes("/c.txt")])?.dialog.files?.folder == "/")
        #expect(request(.saveFile, ["current_name": .text("../x")])?.dialog.currentName == nil)
        #expect(request(.saveFile, ["current_folder": bytes("relative")])?.dialog.files?.folder == nil)
        #expect(request(.saveFile, ["current_folder": .bytes([0x2F, 0xFF, 0])])?.dialog.files?.folder == nil)
    }

    @Test("Several names are saved, if each is one")
    func names() {
        let names = request(.saveFiles, ["files": .list([bytes("a"), bytes("b.txt")])])?.dialog.files?.names
        #expect(names == ["a", "b.txt"])
        #expect(request(.saveFiles) == nil)
        #expect(request(.saveFiles, ["files": .list([])]) == nil)
        for bad in ["..", "a/b", "", "/etc/passwd", String(repeating: "n", count: 256)] {
            #expect(request(.saveFiles, ["files": .list([bytes("a"), bytes(bad)])]) == nil, "\(bad)")
        }
        #expect(request(.saveFiles, ["files": .list(Array(repeating: bytes("a"), count: 1001))]) == nil)
    }

    private func filter(_ name: String, _ patterns: [(UInt32, String)]) -> PortalValue {
        .list([.text(name), .list(patterns.map { .list([.number($0.0), .text($0.1)]) })])
    }

    @Test("Filters are passed on, and the current one is the first that is applied")
    func filters() throws {
        let texts = filter("Texts", [(0, "*.txt"), (1, "text/*")])
        let all = filter("All", [(0, "*")])
        let files = try #require(
            request(.openFile, ["filters": .list([all, texts]), "current_filter": texts])?.dialog.files)
        #expect(
            files.filters == [
                .init(name: "All", globs: ["*"]), .init(name: "Texts", globs: ["*.txt"], types: ["text/*"]),
            ])
        #expect(files.filter == 1)
        // Without a current one the first; alone it is the only one.
        #expect(request(.openFile, ["filters": .list([all, texts])])?.dialog.files?.filter == 0)
        #expect(request(.openFile, ["current_filter": texts])?.dialog.files?.filters.count == 1)
        #expect(request(.openFile)?.dialog.files?.filter == nil)
        // Too many would hide what the program wants.
        let many = filter("Many", Array(repeating: (0, "*.a"), count: 2000))
        #expect(request(.openFile, ["filters": .list([many])])?.dialog.files?.filters == [])
    }

    @Test("Questions are passed on with an answer that exists; those that do not fit get what the program proposes")
    func choices() throws {
        func choice(_ name: String, _ options: [String], _ selected: String) -> PortalValue {
            let options = options.map { PortalValue.list([.text($0), .text($0 + "!")]) }
            return .list([.text(name), .text(name), .list(options), .text(selected)])
        }
        let asked = (0..<8).map { choice("c\($0)", [], "true") }
        let all = [choice("e", ["a", "b"], "x"), choice("f", [], "maybe")] + asked
        let asking = try #require(request(.openFile, ["choices": .list(all)]))
        let choices = try #require(asking.dialog.files?.choices)
        #expect(choices.count == 6)
        #expect(choices[0].selected == "a")
        #expect(choices[1].selected == "false")
        let reply = PortalReply.text(
            FileDialogAnswer(paths: ["/a"], choices: ["e": "b", "f": "true", "c0": "false"]), to: asking)
        #expect(reply.contains("'choices': <[('e', 'b'), ('f', 'true'), ('c0', 'false'), ('c1', 'true')"))
        #expect(reply.contains("('c7', 'true')"))
    }

    @Test("What is no call is refused")
    func refused() {
        #expect(PortalRequest(method: .openFile, parameters: .list([])) == nil)
        #expect(PortalRequest(method: .openFile, parameters: .other) == nil)
        #expect(
            PortalRequest(
                method: .openFile,
                parameters: .list([.text("/a"), .text(""), .text(""), .text(""), .list([])])) == nil)
    }

    @Test(
        "The connection is in the handle",
        arguments: [
            ("/org/freedesktop/portal/desktop/request/1_42/token", ":1.42"),
            ("/org/freedesktop/portal/desktop/request/org_example/token", nil), ("/elsewhere/1_42/token", nil),
        ])
    func connection(handle: String, expected: String?) {
        let asked = request(.openFile, program: "", handle: handle)
        #expect(asked?.connection == expected)
        #expect(asked?.caller == expected ?? "")
    }

    @Test("An answer says what was chosen")
    func reply() throws {
        let open = try #require(request(.openFile, ["filters": .list([filter("It's", [(1, "a/b")])])]))
        #expect(
            PortalReply.text(FileDialogAnswer(paths: ["/a b/\u{e9}'%"], filter: 0), to: open)
                == "(uint32 0, {'uris': <['file:///a%20b/%C3%A9%27%25']>, 'writable': <true>, "
                + "'current_filter': <('It\\U00000027s', [(uint32 1, 'a/b')])>})")
        #expect(
            PortalReply.text(FileDialogAnswer(paths: ["/a"], isReadOnly: true), to: open)
                == "(uint32 0, {'uris': <['file:///a']>, 'writable': <false>})")
        let save = try #require(request(.saveFile))
        #expect(PortalReply.text(FileDialogAnswer(paths: ["/a"]), to: save) == "(uint32 0, {'uris': <['file:///a']>})")
        // An answer of another kind is none.
        for paths in [[], ["a"], ["/a", "/b"], ["/a\0"]] {
            #expect(PortalReply.text(FileDialogAnswer(paths: paths), to: save) == PortalReply.ended)
        }
        let names = try #require(request(.saveFiles, ["files": .list([bytes("a"), bytes("b")])]))
        #expect(PortalReply.text(FileDialogAnswer(paths: ["/a"]), to: names) == PortalReply.ended)
    }
}
