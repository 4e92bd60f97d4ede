import CommandConsole
import ViewPolicies

/// The records of docs/json.md about downloads.
extension JSONValue {
    /// The rules in effect, and the programs that were refused.
    ///
    /// - Parameter file: where the user's own rules are.
    init(policy: DownloadPolicy, file: String, refused: [RefusedProgram]) {
        let rules = policy.rules.enumerated().map { index, rule in
            JSONValue(rule: rule, isOwn: index < policy.own.count)
        }
        self = .object([
            "documentsPerMinute": JSONValue(policy.documentsPerMinute),
            "file": .string(file),
            "refused": .array(refused.map(JSONValue.init(refused:))),
            "rules": .array(rules),
        ])
    }

    /// What a program gets, and because of which rule.
    init(verdict: DownloadPolicy.Verdict, policy: DownloadPolicy, on subject: DownloadRule.Subject) {
        var reason: DownloadRule?
        var limit: Int?
        let downloads: String
        switch verdict {
        case .refuse(let rule):
            downloads = "refuse"
            reason = rule
        case .allow(let rule):
            downloads = "allow"
            reason = rule
        case .limit(let number):
            downloads = "limit"
            limit = number
        }
        self = .object([
            "documentsPerMinute": JSONValue(limit),
            "downloads": .string(downloads),
            "name": .string(subject.text),
            "rule": reason.map { JSONValue(rule: $0, isOwn: policy.own.contains($0)) } ?? .null,
        ])
    }

    private init(rule: DownloadRule, isOwn: Bool) {
        let isUnit = if case .unit = rule.subject { true } else { false }
        self = .object([
            "downloads": .string(rule.downloads.rawValue),
            "isOwn": .bool(isOwn),
            "program": isUnit ? .null : .string(rule.subject.text),
            "unit": isUnit ? .string(rule.subject.text) : .null,
        ])
    }

    private init(refused program: RefusedProgram) {
        self = .object([
            "count": .integer(program.count),
            "executable": .string(program.executable),
            "last": JSONValue(Timestamp.text(program.last)),
            "limit": JSONValue(program.limit),
            "process": .integer(program.process),
            "program": .string(program.program),
            "rule": JSONValue(program.rule),
            "unit": JSONValue(program.unit),
        ])
    }
}
