import ArgumentParser
import DocentTestSupport
import Testing

@testable import DocentCommands

@Suite struct HelpTests {
    /// Every command with its arguments.
    private static let verbs: [(words: String, type: any ParsableCommand.Type)] = leaves(Docent.self, "docent")

    private static func leaves(
        _ type: any ParsableCommand.Type, _ words: String
    ) -> [(words: String, type: any ParsableCommand.Type)] {
        let below = type.configuration.subcommands
        guard !below.isEmpty else { return [(words, type)] }
        return below.flatMap { leaves($0, words + " " + ($0.configuration.commandName ?? "?")) }
    }

    @Test("The help of the root command equals Snapshots/help.txt")
    func root() throws {
        #expect(
            Docent.helpMessage(columns: 80) + "\n"
                == (try Repository.text("Tests/Check/DocentCommandsTests/Snapshots/help.txt")))
    }

    @Test("Every verb has a sentence, an example, a section in the reference and one in the manual")
    func verbs() throws {
        let reference = try Repository.text("docs/command-reference.md")
        let manual = try Repository.text("docs/man/docent.1").replacing("\\-", with: "-")
        #expect(Self.verbs.count == 110)
        for (words, type) in Self.verbs {
            #expect(!type.configuration.abstract.isEmpty, "\(words)")
            #expect(type.configuration.discussion.contains("EXAMPLES"), "\(words)")
            #expect(type.configuration.discussion.contains(words), "\(words)")
            #expect(reference.contains("### `\(words)`"), "\(words)")
            #expect(manual.contains(".SS \(words.dropFirst("docent ".count))\n"), "\(words)")
        }
    }

    /// The text of a page between the heading of a verb and the next heading.
    private static func section(of page: String, _ heading: String, until ends: [String]) -> Substring {
        guard let start = page.firstRange(of: heading + "\n") else { return "" }
        let rest = page[start.upperBound...]
        let next = ends.compactMap { rest.firstRange(of: "\n" + $0)?.lowerBound }.min()
        return rest[..<(next ?? rest.endIndex)]
    }

    private static func options(in text: some StringProtocol) -> Set<String> {
        Set(String(text).matches(of: /(?:^|[^a-zA-Z-])(--[a-z][a-z-]+)/).map { String($0.1) })
    }

    @Test("The reference and the manual list exactly the long options of each verb")
    func options() throws {
        let reference = try Repository.text("docs/command-reference.md")
        let manual = try Repository.text("docs/man/docent.1").replacing("\\-", with: "-")
        let everywhere: Set = ["--help", "--version", "--verbose"]
        for (words, type) in Self.verbs {
            let help = type.helpMessage(columns: 200)
            let list = help.firstRange(of: "\nOPTIONS:\n").map { Self.options(in: help[$0.upperBound...]) } ?? []
            let sections = [
                Self.section(of: reference, "### `\(words)`", until: ["### ", "## "]),
                Self.section(of: manual, ".SS \(words.dropFirst("docent ".count))", until: [".SS ", ".SH "]),
            ]
            for section in sections {
                let named = Self.options(in: section)
                #expect(list.subtracting(everywhere).subtracting(named) == [], "\(words): not in \(section)")
                #expect(named.subtracting(Self.options(in: help)) == [], "\(words): no such options")
            }
        }
    }

    @Test("An example in a help text is not broken in the middle of a command")
    func examples() {
        for (words, type) in Self.verbs {
            for line in type.configuration.discussion.split(separator: "\n") where line.hasPrefix(" ") {
                #expect(line.count <= 80, "\(words): \(line)")
            }
        }
    }
}
