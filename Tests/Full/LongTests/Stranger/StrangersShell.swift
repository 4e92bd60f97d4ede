import DocentTestSupport
import Foundation
import Testing

/// A new user's shell, on a terminal, with an installed Docent and no other part of it.
struct StrangersShell {
    let installation: Installation
    let prefix: String
    let environment: [String: String]
    /// The values of `{name}`, by name.
    let values: [String: String]

    init(
        _ installation: Installation, prefix: String, values: [String: String], environment extra: [String: String]
    ) throws {
        self.installation = installation
        self.prefix = prefix
        self.values = values.merging(
            ["prefix": prefix, "root": installation.root, "given": installation.given, "tree": Repository.root]
        ) { old, _ in old }
        var environment = Self.environment(installation, prefix: prefix)
        for (name, value) in extra { environment[name] = Self.filled(value, self.values) }
        self.environment = environment
    }

    /// Only the installed Docent and the toolchain are found.
    static func environment(_ installation: Installation, prefix: String) -> [String: String] {
        let own = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let toolchain = own.split(separator: ":").map(String.init).first {
            FileManager.default.isExecutableFile(atPath: $0 + "/swift")
        }
        var environment = installation.environment.filter { !$0.key.hasPrefix("DOCENT_") }
        environment["DOCENT_LOG_FILE"] = installation.log
        environment["XDG_DATA_HOME"] = nil
        environment["PATH"] = "\(prefix)/bin:\(toolchain ?? "/opt/swift/usr/bin"):/usr/local/bin:/usr/bin:/bin"
        environment["XDG_DATA_DIRS"] = prefix + "/share:/usr/local/share:/usr/share"
        environment["TERM"] = "xterm"
        // It would contain the input typed for the reader before a page begins, including secrets.
        environment["HISTFILE"] = "/dev/null"
        return environment
    }

    private static func filled(_ text: String, _ values: [String: String]) -> String {
        values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    private func filled(_ text: String) -> String { Self.filled(text, values) }

    /// One line for the terminal.
    private struct Line: Encodable {
        var text: String
        var status = 0
        var typed: [[String]] = []
        /// In seconds; a build takes long.
        var limit: Int { text.contains("swift ") || text.contains("validate") ? 900 : 120 }
        /// For messages, and the output that the page shows below it.
        var place = "before"
        var shown: [String] = []

        enum CodingKeys: CodingKey { case text, status, typed, limit }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(text, forKey: .text)
            try container.encode(status, forKey: .status)
            try container.encode(typed, forKey: .typed)
            try container.encode(limit, forKey: .limit)
        }
    }

    private struct Plan: Encodable {
        let shell = ["/bin/bash", "--noprofile", "--norc", "--noediting", "-i"]
        let steps: [Line]
    }

    private struct Answer: Decodable {
        var status: Int?
        var output: String
    }

    /// Pastes the blocks of a station; every line has to end as its page says.
    ///
    /// - Returns: what the commands printed.
    @discardableResult
    func walk(_ steps: [StrangersPlan.Step]) async throws -> String {
        let lines = try steps.flatMap(lines)
        let answers = try await Outcome.run(
            "/usr/bin/python3", [Repository.root + "/Tests/Programs/StrangersTerminal/paste.py"],
            input: JSONEncoder().encode(Plan(steps: lines)), environment: environment, folder: installation.given
        ).succeeded().json([Answer].self)
        for (line, answer) in zip(lines, answers) {
            let ended = answer.status.map { "ended with \($0)" } ?? "did not end"
            #expect(
                answer.status == line.status, "\(line.place): `\(line.text)` \(ended):\n\(answer.output.suffix(3_000))")
            for shown in line.shown {
                #expect(
                    Self.matches(shown, answer.output),
                    "\(line.place): `\(line.text)` does not show \"\(shown)\" but:\n\(answer.output.suffix(3_000))")
            }
        }
        #expect(answers.count == lines.count, "\(lines.count - answers.count) lines were not reached")
        return answers.map(\.output).joined(separator: "\n")
    }

    /// Whether an output contains a line that a page shows; `…` matches any text, and blanks are equal to one.
    private static func matches(_ shown: String, _ output: String) -> Bool {
        func words(_ text: some StringProtocol) -> String {
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        var rest = Substring(words(output))
        return shown.split(separator: "…").map(words).allSatisfy { part in
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
            return true
        }
    }

    private func lines(of step: StrangersPlan.Step) throws -> [Line] {
        let blocks = try PageBlock.all(of: step.place.page).filter { $0.text.hasPrefix(step.place.begins) }
        try #require(blocks.count == 1, "\(step.place)")
        func replaced(_ text: String) -> String {
            filled(step.replacing.reduce(text) { $0.replacing($1.0, with: $1.1) })
        }
        func typed(_ text: String) -> [[String]] {
            step.typed.first { text.hasPrefix(filled($0.key)) }?.value.map { [filled($0.0), filled($0.1)] } ?? []
        }
        var lines = step.before.map { Line(text: filled($0), typed: typed(filled($0))) }
        if let file = step.file {
            // As saved by a reader who pastes it into an editor.
            lines.append(
                Line(text: "cat >\(file) <<'END OF THE FILE'\n\(replaced(blocks[0].text))\nEND OF THE FILE"))
            return lines
        }
        for command in blocks[0].commands {
            if step.leavingOut.contains(where: command.text.hasPrefix) { continue }
            let text = replaced(command.text)
            lines.append(
                Line(
                    text: text, status: command.status, typed: typed(text),
                    place: "\(step.place.page):\(command.line)", shown: command.shown.map(replaced)))
        }
        return lines
    }
}
