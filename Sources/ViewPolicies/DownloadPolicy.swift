/// Which programs cause downloads when they open documents of a mounted folder, and how many. Pure.
package struct DownloadPolicy: Sendable, Hashable {
    /// The answer for a program.
    package enum Verdict: Sendable, Hashable {
        /// It causes no downloads, because of this rule.
        case refuse(DownloadRule)
        /// It causes any number of downloads, because of this rule.
        case allow(DownloadRule)
        /// No rule is about it: it causes so many downloads a minute; nil for any number.
        case limit(Int?)
    }

    /// The limit that applies if the user sets none. People open fewer documents a minute, unless they work on whole
    /// folders; a program that reads everything is stopped before much has moved.
    package static let standardLimit = 200
    /// The limits that can be set.
    package static let limits = 1...100_000
    /// The most rules that a user can have.
    package static let mostRules = 1000

    /// The user's own rules.
    package var own: [DownloadRule]
    /// How many documents may be downloaded within a minute for a program that no rule is about; nil for any number.
    package var documentsPerMinute: Int?

    package init(own: [DownloadRule] = [], documentsPerMinute: Int? = standardLimit) {
        self.own = own
        self.documentsPerMinute = documentsPerMinute
    }

    /// All rules; the first one that is about a program counts.
    package var rules: [DownloadRule] { own + DownloadRule.standard }

    /// What a program gets.
    package func verdict(on program: CallingProgram) -> Verdict {
        guard let rule = rules.first(where: { $0.matches(program) }) else { return .limit(documentsPerMinute) }
        switch rule.downloads {
        case .refuse: return .refuse(rule)
        case .allow: return .allow(rule)
        }
    }

    /// Adds a rule of the user, which comes before all others. It replaces one about the same programs.
    package mutating func set(_ downloads: DownloadRule.Downloads, for subject: DownloadRule.Subject) {
        remove(subject)
        own.insert(DownloadRule(subject, downloads), at: 0)
    }

    /// Removes a rule of the user.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package mutating func remove(_ subject: DownloadRule.Subject) -> Bool {
        let count = own.count
        own.removeAll { $0.subject == subject }
        return own.count < count
    }
}
