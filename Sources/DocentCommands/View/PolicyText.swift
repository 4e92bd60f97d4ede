import ArgumentParser
import CommandConsole
import ViewPolicies

/// Reads and shows rules for downloads. Pure.
enum PolicyText {
    static let programHelp = ArgumentHelp(
        "The name of a program or script, or of a unit (NAME.service, NAME.scope). A * stands for any text.",
        valueName: "program")

    /// Parses a program or unit. The parser reports the error.
    @Sendable
    static func parse(_ text: String) throws -> DownloadRule.Subject {
        guard let subject = DownloadRule.Subject(text) else {
            throw ValidationError(
                "\"\(text)\" is not the name of a program. Write 1 to \(ProgramPattern.longest) bytes, as in borg or "
                    + "borg.service.")
        }
        return subject
    }

    /// All that `docent policy` shows.
    static func text(_ policy: DownloadPolicy, refused: [RefusedProgram]) -> String {
        var text = rules(policy).shown + "\n" + limit(policy)
        if !refused.isEmpty { text += "\nRefused since the folder was mounted:\n" + table(refused).shown }
        return text
    }

    static func rules(_ policy: DownloadPolicy) -> Table {
        var table = Table(["PROGRAM", "DOWNLOADS", "RULE"])
        for (index, rule) in policy.rules.enumerated() {
            table.add([rule.subject.text, rule.downloads.rawValue, index < policy.own.count ? "yours" : "standard"])
        }
        return table
    }

    /// The limit for programs that no rule is about, as a line.
    static func limit(_ policy: DownloadPolicy) -> String {
        guard let number = policy.documentsPerMinute else {
            return "Any other program downloads as many documents as it opens.\n"
        }
        return "Any other program downloads at most \(number) documents within a minute.\n"
    }

    static func table(_ refused: [RefusedProgram]) -> Table {
        var table = Table(["PROGRAM", "PROCESS", "TIMES", "LAST", "WHY"], numbers: [1, 2])
        for program in refused {
            table.add([
                program.program, String(program.process), String(program.count), Timestamp.text(program.last) ?? "-",
                why(program),
            ])
        }
        return table
    }

    private static func why(_ program: RefusedProgram) -> String {
        if let rule = program.rule { return "the rule \(rule)" }
        guard let limit = program.limit else { return "too many within a minute" }
        return "more than \(limit) within a minute"
    }

    /// What a program gets and why, as a line.
    static func sentence(
        _ verdict: DownloadPolicy.Verdict, policy: DownloadPolicy, on subject: DownloadRule.Subject
    ) -> String {
        let text =
            switch verdict {
            case .refuse(let rule): "\(subject.text) downloads nothing: \(named(rule, policy))."
            case .allow(let rule): "\(subject.text) downloads as many documents as it opens: \(named(rule, policy))."
            case .limit(let number?):
                "\(subject.text) downloads at most \(number) documents within a minute: no rule is about it."
            case .limit(nil): "\(subject.text) downloads as many documents as it opens: no rule is about it."
            }
        return SafeText.escaped(text) + "\n"
    }

    private static func named(_ rule: DownloadRule, _ policy: DownloadPolicy) -> String {
        (policy.own.contains(rule) ? "your rule " : "the standard rule ") + rule.subject.text
    }
}
