import ArgumentParser

/// Checks `docent help VERB`. Pure.
enum HelpRequest {
    /// Refuses a request for help on a verb that does not exist. The parser would answer with the general help.
    ///
    /// - Throws: `ValidationError`.
    static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws {
        guard arguments.first == "help" else { return }
        var command = root
        var words = ["docent"]
        for word in arguments.dropFirst() where !word.hasPrefix("-") {
            let verbs = command.configuration.subcommands
            guard let next = verbs.first(where: { name($0) == word || $0.configuration.aliases.contains(word) }) else {
                throw ValidationError(
                    "\"\(words.joined(separator: " "))\" has no command \"\(word)\"." + suggestion(word, verbs, words))
            }
            command = next
            words.append(word)
        }
    }

    private static func suggestion(_ word: String, _ verbs: [any ParsableCommand.Type], _ words: [String]) -> String {
        let near = verbs.map(name).filter { distance($0, word) <= 1 + word.count / 4 }.sorted()
        guard near.isEmpty else {
            return " Did you mean " + near.map { "\"\($0)\"" }.joined(separator: " or ") + "?"
        }
        return " `\(words.joined(separator: " ")) --help` lists its commands."
    }

    private static func name(_ command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }

    /// The number of letters to insert, remove or change to turn one word into the other.
    static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var next = [index + 1]
            for column in other.indices {
                next.append(
                    min(row[column] + (other[column] == letter ? 0 : 1), row[column + 1] + 1, next[column] + 1))
            }
            row = next
        }
        return row[other.count]
    }
}
