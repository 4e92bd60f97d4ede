import DocentTestSupport
import Foundation
import Testing

/// Tables on real terminals with few columns.
@Suite(.needs(.daemon)) struct NarrowTerminalTests {
    private static let client = "org.example.reader.of.many.documents"
    private static let name = "The minutes of the meeting of last year.txt"

    private static func withGrant(_ body: (Installation) async throws -> Void) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("text", to: name)
            try await installation.docent(
                "grants", "add", client, "LocalFolder:/\(name)", "--kind", "unconfined"
            ).succeeded()
            try await body(installation)
        }
    }

    private static func widest(_ outcome: Outcome) -> Int {
        outcome.text.split(whereSeparator: \.isNewline).map(\.unicodeScalars.count).max() ?? 0
    }

    /// Whether the table names the grant, in however many lines.
    private static func isWhole(_ outcome: Outcome) -> Bool {
        let letters = outcome.text.filter { !$0.isWhitespace }
        return letters.contains(client) && letters.contains(name.prefix(11).filter { $0 != " " })
    }

    @Test("a table is as wide as its terminal allows, and omits nothing")
    func table() async throws {
        try await Self.withGrant { installation in
            let command = [Installation.binaries + "/docent", "grants"]
            let narrow = try await installation.onTerminal(command, columns: 60)
            #expect(narrow.status == 0 && Self.widest(narrow) <= 60 && Self.isWhole(narrow), "\(narrow.text)")
            let wide = try await installation.onTerminal(command, columns: 200)
            #expect(wide.status == 0 && Self.widest(wide) > 60 && Self.isWhole(wide), "\(wide.text)")
        }
    }

    @Test("what `docent revoke` shows fits the terminal of standard error, wherever standard output goes")
    func revoke() async throws {
        try await Self.withGrant { installation in
            for target in ["/dev/null", "/dev/tty"] {
                let asked = try await installation.onTerminal(
                    ["/bin/sh", "-c", "exec docent revoke --client \(Self.client) >\(target)"],
                    [("[y/N]", .type("n\n"))], columns: 60)
                #expect(asked.status == 7 && asked.text.contains("Revoke this?"), "\(asked)")
                #expect(Self.widest(asked) <= 60 && Self.isWhole(asked), "\(asked.text)")
            }
        }
    }
}
