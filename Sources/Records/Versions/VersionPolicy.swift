/// What is kept of the content that saves replace, and for how long.
package struct VersionPolicy: Hashable, Sendable {
    /// What a save does when there is no room to keep the content that it replaces.
    package enum WhenFull: String, Hashable, Sendable, CaseIterable {
        /// It is refused.
        case refuse
        /// It goes on, and the content is not kept.
        case drop
    }

    /// Whether saves keep what they replace.
    package var isKept = true
    /// The most versions of one document.
    package var versions = 100
    /// The number of days after which a version is removed.
    package var days = 365
    /// What a save does without room.
    package var whenFull = WhenFull.refuse
    /// The most bytes of all versions together; nil for the standard: 5 GB or a tenth of the free space, whichever is
    /// less.
    package var space: Int64?
    /// Whether conflicts of texts whose changes do not touch are merged without asking.
    package var merges = false

    /// The policy without any rules.
    package init() {}

    /// This policy, changed by a rule.
    package func applying(_ rule: VersionRule?) -> VersionPolicy {
        guard let rule else { return self }
        var result = self
        result.isKept = rule.isKept ?? isKept
        result.versions = rule.versions ?? versions
        result.days = rule.days ?? days
        result.whenFull = rule.whenFull ?? whenFull
        result.space = rule.space ?? space
        result.merges = rule.merges ?? merges
        return result
    }

    /// The most bytes of all versions together, on a file system with this much free space.
    package func room(free: Int64) -> Int64 { space ?? min(5_000_000_000, free / 10) }
}
