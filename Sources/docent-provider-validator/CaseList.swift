import ExtensionValidation
import FileProviderValidation
import Foundation

/// The existing cases.
enum CaseList {
    /// All cases: those for every transport, those about the process of a provider, those about a whole system.
    static let all = ValidationCase.all + SandboxCases.all + DaemonCases.all

    /// The cases of a run, in order.
    ///
    /// - Parameter all: whether to include those about a whole system, which only the transport daemon supports.
    static func selected(_ options: ValidatorOptions, all isAll: Bool) throws(ValidatorProblem) -> [ValidationCase] {
        _ = try options.validation(seed: 0)
        let expression: Regex<AnyRegexOutput>?
        do {
            expression = try options.filter.map { try Regex($0) }
        } catch {
            throw ValidatorProblem(
                "\"\(options.filter ?? "")\" is not a regular expression: \(error).",
                "Quote what has a meaning, as in names\\.case.",
                status: 64)
        }
        let cases = all.filter { testCase in
            guard testCase.level <= options.level else { return false }
            guard isAll || options.transport == .daemon || testCase.group != "daemon" else { return false }
            guard let expression else { return true }
            return (try? expression.firstMatch(in: testCase.name)) != nil
        }
        guard !cases.isEmpty else {
            throw ValidatorProblem(
                "No case up to level \(options.level) matches that filter.", "--list --level 10 shows all of them.",
                status: 64)
        }
        return cases
    }

    /// One line per case: level, name, required features, and what is expected.
    static func text(_ cases: [ValidationCase]) -> String {
        let width = cases.map(\.name.count).max() ?? 0
        return cases.map { testCase in
            let level = testCase.level < 10 ? " \(testCase.level)" : "\(testCase.level)"
            let name = testCase.name + String(repeating: " ", count: width - testCase.name.count)
            let needed = testCase.neededFeatures + testCase.service.names.map { "to \($0) the service" }
            let needs = needed.isEmpty ? "" : " (needs \(needed.joined(separator: ", ")))"
            return "\(level)  \(name)  \(testCase.summary)\(needs)\n"
        }.joined()
    }

    /// The same as JSON.
    static func json(_ cases: [ValidationCase]) -> String {
        struct Entry: Encodable {
            var name: String
            var group: String
            var level: Int
            var summary: String
            var features: [String]
            var service: [String]
            var requirements: [String]
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let entries = cases.map {
            Entry(
                name: $0.name, group: $0.group, level: $0.level, summary: $0.summary, features: $0.neededFeatures,
                service: $0.service.names, requirements: $0.requirements.map(\.rawValue))
        }
        // Only texts and numbers: encoding cannot fail.
        guard let data = try? encoder.encode(entries) else { return "[]\n" }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
