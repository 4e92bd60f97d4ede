import CommandConsole
import DocentInterfaces
import ExtensionManifest
import Testing

@testable import ClientRunning

@Suite struct PickConversationTests {
    private static let hostile = [
        "\u{1B}[3;4r\u{1B}[1;1H", "\u{9B}2J", "a\nb\r\ndocent: org.example.Trusted (enforced) wants nothing.",
        "\u{2028}x",
        String(repeating: "w", count: 5000), String(repeating: "漢", count: 500),
        "e" + String(repeating: "\u{301}", count: 900),
        "x" + String(repeating: " ", count: 90) + "docent: org.example.Trusted", "\" (checked by docent) \"",
        "\u{202E}abc",
    ]

    private static func request(_ words: String) -> Wire.PickRequest {
        Wire.PickRequest(
            identifier: "1", clientKind: "run", client: "org.example.Boxed", strength: "enforced", process: 4711,
            mode: "open", types: [words, words], access: "read", companions: [words, words], name: words, size: 12,
            reason: words, since: 0)
    }

    @Test("I2: each text of a client stays on its own line, behind a mark", arguments: hostile)
    func lines(words: String) {
        for size in [
            TerminalText(columns: 80, rows: 24), TerminalText(columns: 40, rows: 24),
            TerminalText(columns: 200, rows: 50),
        ] {
            let lines = PickConversation.question(Self.request(words), in: size)
            let identity = PickConversation.identity(Self.request(words), in: size)
            #expect(lines.prefix(identity.count) == identity[...])
            #expect(identity[0].hasPrefix("docent: org.example.Boxed (enforced"))
            #expect(
                lines.dropFirst(identity.count).map { $0.prefix(8) }
                    == [
                        "  Name: ", "  Size: ", "  It can", "  Also b", "  It says",
                    ].map { $0.prefix(8) })
            for line in lines {
                #expect(!DisplayText.hasHidden(line), "\(line)")
                #expect(TerminalText.width(line) < size.columns, "\(line)")
            }
            // A client's text ends with its line.
            for line in lines where line.hasPrefix("  Name: ") || line.hasPrefix("  It says: ") {
                #expect(line.filter { $0 == "\"" }.count == 2 && line.hasSuffix("\""), "\(line)")
            }
        }
    }

    @Test("I2: on a low terminal the client's texts are dropped, and its identity stays")
    func low() {
        let size = TerminalText(columns: 80, rows: 6)
        let lines = PickConversation.question(Self.request("word"), in: size)
        #expect(lines.first?.hasPrefix("docent: org.example.Boxed") == true)
        #expect(lines.count <= 4)
    }

    @Test("A name in a list, or in an error, cannot imitate another line")
    func wraps() {
        let size = TerminalText(columns: 40, rows: 24)
        #expect(TerminalText.width(size.line("  ", String(repeating: "x", count: 300), "/")) < 40)
        let lines = size.lines(
            "docent: " + String(repeating: " ", count: 32) + "docent: org.example.Trusted\n  hint: none")
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("  "))
        #expect(lines.allSatisfy { TerminalText.width($0) < 40 })
    }

    @Test(
        "I2: a terminal's automatic replies do not count as answers",
        arguments: [
            "\u{1B}[0n", "\u{1B}[24;80R", "\u{1B}[?62;c", "\u{1B}[MabcLocalFolder:/a", "LocalFolder:/a\u{1B}[0n",
            "\u{9B}1R", "a\u{FFFD}",
        ])
    func terminalAnswers(line: String) {
        guard case .unclear = PickConversation.answer(line) else {
            Issue.record("\(line.debugDescription) is taken for an answer")
            return
        }
    }

    @Test("The accounts to choose from: all that are used, and no empty one beside them")
    func accounts() {
        func domain(_ name: String, folder: String? = nil, state: String? = nil) -> Wire.Domain {
            Wire.Domain(provider: "p", identifier: name, displayName: name, folder: folder, state: state)
        }
        func accounts(_ domains: Wire.Domain...) -> [String] { PickConversation.accounts(of: "p", domains) }
        #expect(accounts(domain("")) == ["p"])
        #expect(accounts(domain(""), domain("srv", folder: "/srv")) == ["p", "p@srv"])
        #expect(
            accounts(domain(""), domain("work", state: "ready"), domain("lab", state: "ready")) == ["p@lab", "p@work"])
        #expect(accounts(domain("", state: "ready"), domain("lab", state: "offline")) == ["p", "p@lab"])
    }
}
