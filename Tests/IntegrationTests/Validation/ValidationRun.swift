import Foundation

/// What `docent provider validate --json` told, as the tests look at it.
struct ValidationRun: Decodable {
    struct Case: Decodable {
        struct Finding: Decodable {
            var did: String
            var expected: String
            var got: String
            var requirement: String
        }

        var name: String
        var outcome: String
        var seconds: Double
        var findings: [Finding]
        var reason: String?
        var lastStep: String?
        var again: String?
        var notes: [String]?
    }

    var provider: String
    var transport: String
    var level: Int
    var seed: Int
    var passed: Bool
    var counts: [String: Int]
    var interruption: String?
    var cases: [Case]

    /// What speaks against the provider, for a test's message.
    var complaints: String {
        let failed = cases.filter { !["passed", "skipped"].contains($0.outcome) }
        let lines = failed.map { testCase in
            let findings = testCase.findings.map { "  \($0.did) | \($0.expected) | \($0.got) | \($0.requirement)" }
            let head = "\(testCase.outcome) \(testCase.name) \(testCase.reason ?? "") \(testCase.lastStep ?? "")"
            return ([head] + findings).joined(separator: "\n")
        }
        return ([interruption ?? ""] + lines).joined(separator: "\n")
    }

    /// What the cases said beside their findings, for a test's message.
    var notes: String {
        cases.flatMap { testCase in (testCase.notes ?? []).map { "\(testCase.name): \($0)" } }.joined(separator: "\n")
    }

    /// The case of a name.
    func named(_ name: String) -> Case? { cases.first { $0.name == name } }

    /// Runs `docent provider validate --json` and reads what it told.
    static func make(_ installation: Installation, _ arguments: [String]) async throws -> (ValidationRun, Outcome) {
        let outcome = try await installation.run(
            Installation.binaries + "/docent", ["provider", "validate", "--json"] + arguments)
        guard let run = try? outcome.json(ValidationRun.self) else {
            throw Problem("no report: status \(outcome.status) \(outcome.errors) \(outcome.text.prefix(500))")
        }
        return (run, outcome)
    }

    /// What must not be there after a run: directories of runs and processes of theirs.
    static func leftovers(below temporary: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        return names.filter { $0.hasPrefix("docent-v-") || $0.hasPrefix("docent-validation-") }
    }

    /// The command lines of processes in which, or in whose environment, a directory is named.
    static func processes(with directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { $0.allSatisfy(\.isNumber) }.compactMap { name in
            func text(_ file: String) -> String {
                let data = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(name)/\(file)"))
                return data.map { String(decoding: $0, as: UTF8.self).replacingOccurrences(of: "\0", with: " ") } ?? ""
            }
            let command = text("cmdline")
            // What runs in a test has the directory for temporary files in its environment; what a run made lies deeper.
            return command.contains(directory) || text("environ").contains(directory + "/docent-v-") ? command : nil
        }
    }
}
