import ArgumentParser
import Testing

@testable import docent

@Suite struct HelpTests {
    /// Every verb with its words.
    private static let verbs: [(words: String, type: any ParsableCommand.Type)] = leaves(Docent.self, "docent")

    private static func leaves(
        _ type: any ParsableCommand.Type, _ words: String
    ) -> [(words: String, type: any ParsableCommand.Type)] {
        let below = type.configuration.subcommands
        guard !below.isEmpty else { return [(words, type)] }
        return below.flatMap { leaves($0, words + " " + ($0.configuration.commandName ?? "?")) }
    }

    @Test("The help of the root command is as it was agreed (Snapshots/help.txt)")
    func root() throws {
        #expect(
            Docent.helpMessage(columns: 80) + "\n" == (try Project.text("Tests/DocentCommandTests/Snapshots/help.txt")))
    }

    @Test("Every verb has a sentence, an example of itself, a section in the reference and one in the manual")
    func verbs() throws {
        let reference = try Project.text("docs/command-reference.md")
        let manual = try Project.text("docs/man/docent.1").replacing("\\-", with: "-")
        #expect(Self.verbs.count == 56)
        for (words, type) in Self.verbs {
            #expect(!type.configuration.abstract.isEmpty, "\(words)")
            #expect(type.configuration.discussion.contains("EXAMPLES"), "\(words)")
            #expect(type.configuration.discussion.contains(words), "\(words)")
            #expect(reference.contains("### `\(words)`"), "\(words)")
            #expect(manual.contains(".SS \(words.dropFirst("docent ".count))\n"), "\(words)")
        }
    }

    @Test("The reference and the manual name every long option")
    func options() throws {
        let reference = try Project.text("docs/command-reference.md")
        let manual = try Project.text("docs/man/docent.1").replacing("\\-", with: "-")
        for (words, type) in Self.verbs {
            let help = type.helpMessage(columns: 200)
            for match in help.matches(of: /--[a-z][a-z-]+/) {
                #expect(reference.contains(String(match.output)), "\(words) \(match.output)")
                #expect(manual.contains(String(match.output)), "\(words) \(match.output)")
            }
        }
    }
}
