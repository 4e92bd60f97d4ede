import Foundation

/// The output of `docent provider validate --json`, as far as the tests use it.
package struct ValidationRun: Decodable {
    package struct Case: Decodable {
        package struct Finding: Decodable {
            package var did: String
            package var expected: String
            package var got: String
            package var requirement: String
        }

        package var name: String
        package var outcome: String
        package var seconds: Double
        package var findings: [Finding]
        package var reason: String?
        package var lastStep: String?
        package var again: String?
        package var notes: [String]?
    }

    package var provider: String
    package var transport: String
    package var level: Int
    package var seed: Int
    package var passed: Bool
    package var counts: [String: Int]
    package var interruption: String?
    package var cases: [Case]

    /// The failures of the provider, for a test's message.
    package var complaints: String {
        let failed = cases.filter { !["passed", "skipped"].contains($0.outcome) }
        let lines = failed.map { testCase in
            let findings = testCase.findings.map { "  \($0.did) | \($0.expected) | \($0.got) | \($0.requirement)" }
            let head = "\(testCase.outcome) \(testCase.name) \(testCase.reason ?? "") \(testCase.lastStep ?? "")"
            return ([head] + findings).joined(separator: "\n")
        }
        return ([interruption ?? ""] + lines).joined(separator: "\n")
    }

    /// The notes of the cases, for a test's message.
    package var notes: String {
        cases.flatMap { testCase in (testCase.notes ?? []).map { "\(testCase.name): \($0)" } }.joined(separator: "\n")
    }

    /// The case with a name.
    package func named(_ name: String) -> Case? { cases.first { $0.name == name } }

    /// Runs `docent provider validate --json` and decodes its output.
    package static func make(_ installation: Installation, _ arguments: [String]) async throws -> (
        ValidationRun, Outcome
    ) {
        let outcome = try await installation.run(
            Installation.binaries + "/docent", ["provider", "validate", "--json"] + arguments)
        guard let run = try? outcome.json(ValidationRun.self) else {
            throw Problem("no report: status \(outcome.status) \(outcome.errors) \(outcome.text.prefix(500))")
        }
        return (run, outcome)
    }

    /// What must not remain after a run: its directories and processes.
    package static func leftovers(below temporary: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        return names.filter { $0.hasPrefix("docent-v-") || $0.hasPrefix("docent-validation-") }
    }

    /// The child of a process whose command line contains a word.
    package static func child(of process: Int32, with word: String) -> Int32? {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let children = tasks.compactMap {
            try? String(contentsOfFile: "/proc/\(process)/task/\($0)/children", encoding: .utf8)
        }.flatMap { $0.split(separator: " ") }.compactMap { Int32($0) }
        return children.first {
            (try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8))?.contains(word) == true
        }
    }

    /// The command lines of processes that mention a directory in their command line or environment.
    package static func processes(with directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { $0.allSatisfy(\.isNumber) }.compactMap { name in
            func text(_ file: String) -> String {
                let data = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(name)/\(file)"))
                return data.map { String(decoding: $0, as: UTF8.self).replacingOccurrences(of: "\0", with: " ") } ?? ""
            }
            let command = text("cmdline")
            // A program run by a test has the directory for temporary files in its environment; a validation run
            // creates deeper directories.
            return command.contains(directory) || text("environ").contains(directory + "/docent-v-") ? command : nil
        }
    }
}
