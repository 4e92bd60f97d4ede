import DocentTestSupport
import Foundation
import Testing

/// The picker on a terminal of its own, with a real daemon.
@Suite(.needs(.daemon)) struct PickCommandTests {
    private typealias Step = (shown: String, action: Installation.TerminalAction)

    /// A command with the picker that draws; without `TERM` it would be line by line.
    private static func drawn(_ arguments: String...) -> [String] {
        ["/usr/bin/env", "TERM=xterm", Installation.binaries + "/docent"] + arguments
    }

    /// The same for a shell, which then reports the exit code and the settings of the terminal.
    private static func shell(_ script: String) -> [String] {
        ["/usr/bin/env", "TERM=xterm", "/bin/sh", "-c", script + "; echo status=$?; stty -a"]
    }

    private static func withDocuments(_ body: (Installation) async throws -> Void) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello from the notes\n", to: "notes.txt")
            try installation.write("no text", to: "photo.png")
            try await body(installation)
        }
    }

    /// Whether the terminal is as it was before.
    private static func isRestored(_ outcome: Outcome) -> Bool {
        let words = Set(outcome.text.split(whereSeparator: { " ;\r\n".contains($0) }))
        return ["icanon", "echo", "isig", "icrnl", "ixon"].allSatisfy { words.contains(Substring($0)) }
            && outcome.text.contains("\u{1B}[?1049l") && outcome.text.contains("\u{1B}[?25h")
    }

    private static let enter = Installation.TerminalAction.type("\r")

    @Test("A document is chosen by typing; its location is printed, and the terminal is as before")
    func chosen() async throws {
        try await Self.withDocuments { installation in
            let outcome = try await installation.onTerminal(
                Self.shell("docent pick"),
                [("Local", Self.enter), ("notes.txt", .type("nt")), ("1 of 2", Self.enter)], columns: 80)
            #expect(outcome.text.contains("status=0"), "\(outcome.text)")
            #expect(outcome.text.contains("org.docent.LocalFolder:/notes.txt\r\n"), "\(outcome.text)")
            #expect(Self.isRestored(outcome), "\(outcome.text)")
            // The next one begins there.
            let again = try await installation.onTerminal(
                Self.drawn("pick"), [("notes.txt", .type("\u{3}"))], columns: 80)
            #expect(again.status == 7, "\(again.text)")
            let file = installation.home + "/.local/state/docent/picker.json"
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("Cancelling exits with 7 and prints nothing", arguments: ["\u{3}", "\u{1B}"])
    func cancelled(_ key: String) async throws {
        try await Self.withDocuments { installation in
            let outcome = try await installation.onTerminal(
                Self.shell("docent pick --print > printed"), [("Local", .type(key))])
            #expect(outcome.text.contains("status=7"), "\(outcome.text)")
            #expect(Self.isRestored(outcome), "\(outcome.text)")
            #expect(try Data(contentsOf: URL(filePath: installation.home + "/printed")).isEmpty)
        }
    }

    @Test("A document in a folder is found from the picker, and one that was used is among Recents")
    func everywhere() async throws {
        try await Self.withDocuments { installation in
            try installation.write("minutes", to: "Deep/Deeper/minutes of may.txt")
            // The first search makes the index.
            try await installation.eventually("it is found") {
                try await installation.docent("find", "minutes", "may").text.contains("minutes of may.txt")
            }
            let found = try await installation.onTerminal(
                Self.drawn("pick"),
                [
                    ("Local", .type("/")), ("Search in all accounts:", .type("minutes may\r")),
                    ("Deeper/minutes of may.txt", Self.enter),
                ], columns: 100)
            #expect(found.status == 0, "\(found.text)")
            #expect(found.text.contains("org.docent.LocalFolder:/Deep/Deeper/minutes of may.txt"), "\(found.text)")
            // Nothing was opened by looking.
            #expect(try await installation.docent("recents").succeeded().text == "")
            _ = try await installation.docent("open", "LocalFolder:/notes.txt").succeeded()
            try await installation.docent("star", "LocalFolder:/Deep").succeeded()
            let recent = try await installation.onTerminal(
                ["/usr/bin/env", "TERM=dumb", Installation.binaries + "/docent", "pick"],
                [
                    ("q: ", .type("..\n")), ("q: ", .type("..\n")), ("q: ", .type("..\n")),
                    ("[Recents]", .type("1\n")), ("notes.txt (", .type("1\n")),
                ])
            #expect(recent.status == 0 && recent.text.contains("[Starred]"), "\(recent.text)")
            #expect(recent.text.hasSuffix("org.docent.LocalFolder:/notes.txt\r\n"), "\(recent.text)")
        }
    }

    @Test("A signal ends the picker with 7, and leaves the terminal as it was", arguments: ["INT", "TERM", "HUP"])
    func signals(_ name: String) async throws {
        try await Self.withDocuments { installation in
            let go = installation.root + "/go"
            let outcome = try await installation.onTerminal(
                Self.shell(
                    "(while [ ! -e \(go) ]; do sleep 0.1; done; kill -\(name) $(cat number)) & "
                        + "sh -c 'echo $$ > number; exec docent pick'"), [("Local", .touch(go))])
            #expect(outcome.text.contains("status=7"), "\(outcome.text)")
            #expect(Self.isRestored(outcome), "\(outcome.text)")
        }
    }

    @Test("The picker follows the size of the terminal, down to a few columns and rows")
    func resized() async throws {
        try await Self.withDocuments { installation in
            let outcome = try await installation.onTerminal(
                Self.drawn("pick"),
                [
                    ("Local", Self.enter), ("notes.txt", .resize(columns: 30, rows: 6)),
                    ("notes.txt", .resize(columns: 20, rows: 4)), ("notes.txt", .resize(columns: 120, rows: 40)),
                    ("Choose a document", .type("nt")), ("1 of 2", Self.enter),
                ], columns: 80)
            #expect(outcome.status == 0 && outcome.text.contains("LocalFolder:/notes.txt"), "\(outcome.text)")
        }
    }

    @Test("A terminal that cannot move its cursor gets a numbered list", arguments: ["dumb", ""])
    func dumb(_ terminal: String) async throws {
        try await Self.withDocuments { installation in
            let outcome = try await installation.onTerminal(
                ["/usr/bin/env", "TERM=\(terminal)", Installation.binaries + "/docent", "pick"],
                [("q: ", .type("1\n")), ("q: ", .type("/nt\n")), ("q: ", .type("7\n")), ("q: ", .type("1\n"))])
            #expect(outcome.status == 0 && outcome.text.contains("LocalFolder:/notes.txt"), "\(outcome.text)")
            #expect(!outcome.text.contains("\u{1B}"), "\(outcome.text)")
        }
    }

    @Test("The picker uses the terminal while its output goes into a pipe")
    func piped() async throws {
        try await Self.withDocuments { installation in
            let outcome = try await installation.onTerminal(
                Self.shell("docent pick --print --multiple | cat > printed"),
                [("Local", Self.enter), ("notes.txt", .type("\t\t")), ("2 marked", Self.enter)], columns: 80)
            #expect(Self.isRestored(outcome), "\(outcome.text)")
            let printed = try String(contentsOfFile: installation.home + "/printed", encoding: .utf8)
            #expect(printed == "org.docent.LocalFolder:/notes.txt\norg.docent.LocalFolder:/photo.png\n")
        }
    }

    @Test("`--json` describes what was chosen, and `--print0` ends each location with a zero byte")
    func formats() async throws {
        struct Picked: Decodable {
            var name: String
            var location: String
        }
        try await Self.withDocuments { installation in
            for option in ["--json", "--print0"] {
                let outcome = try await installation.onTerminal(
                    Self.shell("docent pick \(option) > printed; rm -r .local/state/docent/picker.json"),
                    [("Local", Self.enter), ("notes.txt", .type("nt")), ("1 of 2", Self.enter)], columns: 80)
                #expect(outcome.text.contains("status=0"), "\(outcome.text)")
                let printed = try Data(contentsOf: URL(filePath: installation.home + "/printed"))
                if option == "--json" {
                    let items = try JSONDecoder().decode([Picked].self, from: printed)
                    #expect(items.map(\.name) == ["notes.txt"])
                    #expect(items.map(\.location) == ["org.docent.LocalFolder:/notes.txt"])
                } else {
                    #expect(printed == Data("org.docent.LocalFolder:/notes.txt\u{0}".utf8))
                }
            }
        }
    }

    @Test("Without a terminal the picker says what to do, and exits with 64")
    func noTerminal() async throws {
        try await Self.withDocuments { installation in
            for arguments in [["pick"], ["pick", "--print"], ["cat"], ["rm"], ["picks", "answer"]] {
                let outcome = try await installation.run(
                    "/usr/bin/setsid", ["--wait", Installation.binaries + "/docent"] + arguments)
                #expect(outcome.status == 64 && outcome.text.isEmpty, "\(arguments) \(outcome)")
            }
        }
    }

    @Test("A verb without a location asks for one: the content of what is chosen is shown")
    func verb() async throws {
        try await Self.withDocuments { installation in
            let outcome = try await installation.onTerminal(
                Self.drawn("cat"), [("Local", Self.enter), ("notes.txt", .type("nt")), ("1 of 2", Self.enter)],
                columns: 80)
            #expect(outcome.status == 0, "\(outcome.text)")
            let left = outcome.text.components(separatedBy: "\u{1B}[?1049l").last
            #expect(left == "hello from the notes\r\n", "\(outcome.text)")
        }
    }

    @Test("B7: only documents of the asked types can be chosen")
    func types() async throws {
        try await Self.withDocuments { installation in
            let outcome = try await installation.onTerminal(
                Self.drawn("pick", "--type", "public.text"),
                [
                    ("Local", Self.enter), ("(photo.png)", .type("photo")), ("1 of 2", Self.enter),
                    ("not of the type", .type("\u{15}")), ("2…", .type("nt")), ("1 of 2", Self.enter),
                ], columns: 80)
            #expect(outcome.text.contains("This is not of the type that is asked for."), "\(outcome.text)")
        }
    }

    @Test("An export asks for folder and name, shows what has the name, and replaces its content after a yes")
    func export() async throws {
        try await Self.withDocuments { installation in
            let file = installation.home + "/notes.txt"
            try Data("new content".utf8).write(to: URL(filePath: file))
            let outcome = try await installation.onTerminal(
                Self.drawn("export", file),
                [
                    ("Local", Self.enter), ("[Put notes.txt here]", Self.enter), ("> notes.txt", Self.enter),
                    ("exists already", .type("y")),
                ], columns: 80)
            #expect(outcome.status == 0, "\(outcome.text)")
            #expect(outcome.text.contains("It has 21 B"), "\(outcome.text)")
            #expect(try String(contentsOfFile: installation.documents + "/notes.txt", encoding: .utf8) == "new content")
        }
    }

    @Test("An export into a new folder")
    func newFolder() async throws {
        try await Self.withDocuments { installation in
            let file = installation.home + "/report.txt"
            try Data("report".utf8).write(to: URL(filePath: file))
            let outcome = try await installation.onTerminal(
                Self.drawn("pick", "export", file),
                [
                    ("Local", Self.enter), ("[Put report.txt here]", .type("\u{E}")),
                    ("new folder:", .type("July\r")), ("LocalFolder:/July", Self.enter), ("> report.txt", Self.enter),
                ], columns: 80)
            #expect(outcome.status == 0, "\(outcome.text)")
            #expect(
                try String(contentsOfFile: installation.documents + "/July/report.txt", encoding: .utf8) == "report")
        }
    }

    @Test("A daemon that is killed while the picker is shown is started again by the next key")
    func killed() async throws {
        try await Self.withDocuments { installation in
            let daemon = try #require(installation.daemonProcess)
            let go = installation.root + "/go"
            let outcome = try await installation.onTerminal(
                Self.shell(
                    "(while [ ! -e \(go) ]; do sleep 0.1; done; kill -9 \(daemon); echo KILLED > /dev/tty) & docent pick"
                ),
                [
                    ("Local", .touch(go)), ("KILLED", Self.enter), ("notes.txt", .type("nt")), ("1 of 2", Self.enter),
                ], columns: 80)
            #expect(outcome.text.contains("status=0"), "\(outcome.text)")
            #expect(Self.isRestored(outcome), "\(outcome.text)")
        }
    }

    @Test("Names control neither the terminal nor what the picker says")
    func hostile() async throws {
        try await Self.withDocuments { installation in
            for name in ["evil\u{1B}[2Jname", "\u{202E}txt.exe", "a\nb", "e" + String(repeating: "\u{301}", count: 40)]
            {
                try installation.write("x", to: name)
            }
            let outcome = try await installation.onTerminal(
                Self.drawn("pick"), [("Local", Self.enter), ("notes.txt", .type("evil")), ("1 of 6", Self.enter)],
                columns: 80)
            #expect(outcome.status == 0, "\(outcome.text)")
            #expect(outcome.text.contains(#"evil\x1B[2Jname"#), "\(outcome.text)")
            #expect(!outcome.text.contains("evil\u{1B}[2J") && !outcome.text.contains("\u{202E}"), "\(outcome.text)")
            #expect(!outcome.text.contains(String(repeating: "\u{301}", count: 3)))
        }
    }

    @Test("I5: a program's request is answered with the picker, which says who asks, and confirms once more")
    func request() async throws {
        try await Self.withDocuments { installation in
            let outcome = try await installation.onTerminal(
                Self.shell(
                    "(until docent picks ask open --read-only --client org.example.Editor --reason 'to \"count\"' "
                        + "> asked 2>&1; do sleep 0.3; done; touch done) & docent picks answer; "
                        + "while [ ! -e done ]; do sleep 0.1; done; cat asked"),
                [
                    ("Enter open", Self.enter), ("notes.txt", .type("nt")), ("1 of 2", Self.enter),
                    ("Enter give", Self.enter),
                ], columns: 80)
            #expect(outcome.text.contains("org.example.Editor (stated"), "\(outcome.text)")
            #expect(outcome.text.contains(#"It says: "to \x22count\x22""#), "\(outcome.text)")
            #expect(outcome.text.contains("to read it, as long as the program keeps it"), "\(outcome.text)")
            #expect(outcome.text.contains("bookmark:"), "\(outcome.text)")
            struct Grant: Decodable { var name: String? }
            let grants = try await installation.docent("grants", "--client", "org.example.Editor", "--json")
                .succeeded().json([Grant].self)
            #expect(grants.map(\.name) == ["notes.txt"])
        }
    }
}
