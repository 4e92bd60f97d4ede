import ArgumentParser
import CommandConsole
import DocentInterfaces
import Testing

@testable import DocentCommands

/// What `docent restore --before TIME --client ID` says.
@Suite struct ClientChangesTests {
    private let change = Wire.Change(
        identifier: "save-1", kind: "overwrite", clientKind: "run", client: "org.example.Editor",
        provider: "org.example.Cloud", domain: "", name: "a\u{1B}.txt", formerName: "a\u{1B}.txt", folder: "/",
        formerFolder: "/", isFolder: false, created: 0)

    @Test("A line says what became of a change, without raw control characters")
    func lines() {
        let refused = ClientChanges.line(change, .refused("it was changed since."))
        #expect(refused.hasPrefix("not taken back: org.example.Cloud:/a"))
        #expect(refused.hasSuffix("by org.example.Editor at 1970-01-01T00:00:00Z: it was changed since."))
        #expect(ClientChanges.line(change, .takenBack).hasPrefix("taken back: "))
        #expect(!refused.contains("\u{1B}") && !ClientChanges.line(change, .shown).contains("taken back"))
    }

    @Test("The JSON of a change has its outcome and the reason of a refusal")
    func json() {
        let refused = ClientChanges.json(change, .refused("no")).pretty
        #expect(refused.contains(#""outcome": "refused""#) && refused.contains(#""reason": "no""#))
        #expect(refused.contains(#""kind": "overwrite""#) && refused.contains(#""client": "org.example.Editor""#))
        let shown = ClientChanges.json(change, .shown).pretty
        #expect(shown.contains(#""outcome": null"#) && shown.contains(#""reason": null"#))
        #expect(ClientChanges.json(change, .takenBack).pretty.contains(#""outcome": "takenBack""#))
    }

    @Test(
        "The two forms of restore are not mixed",
        arguments: [
            (["LocalFolder:/a", "--version", "b3F2A91C"], true),
            (["LocalFolder:/a", "--version", "b3F2A91C", "--client", "org.example.Editor"], true),
            (["--before", "2h", "--client", "org.example.Editor"], true),
            (["--before", "2026-11-20", "--client", "org.example.Editor", "--dry-run", "--json"], true),
            (["LocalFolder:/a"], false), (["--version", "b3F2A91C"], false), ([], false),
            (["--before", "2h"], false), (["--before", "soon", "--client", "a"], false),
            (["LocalFolder:/a", "--before", "2h", "--client", "a"], false),
            (["LocalFolder:/a", "--version", "b3F2A91C", "--dry-run"], false),
        ] as [([String], Bool)])
    func forms(_ arguments: [String], _ isValid: Bool) async {
        let command = try? await RestoreCommand.asyncParse(arguments)
        #expect((command != nil) == isValid)
    }
}
