package import Rights

/// What the user has decided about the versions of all documents, of an account, of a folder with everything in it, or
/// of one document. What a rule leaves open is decided by the rule of the place above.
package struct VersionRule: Hashable, Sendable {
    /// What the rule is about.
    package struct Scope: Hashable, Sendable {
        /// The provider; empty for all documents.
        package var provider: String
        /// The account; empty for the default one.
        package var domain: String
        /// The folder or document; empty for the whole account.
        package var item: String

        /// All documents.
        package static let everything = Scope(provider: "", domain: "", item: "")

        /// A folder or a document; the top folder means the account.
        package init(_ key: ItemKey) {
            let isAccount = key.identifier == ItemKey.rootIdentifier
            self.init(provider: key.provider, domain: key.domain, item: isAccount ? "" : key.identifier)
        }

        /// Creates a scope of its parts.
        package init(provider: String, domain: String, item: String) {
            self.provider = provider
            self.domain = domain
            self.item = item
        }

        /// The folder or document; nil for all documents.
        package var key: ItemKey? {
            guard !provider.isEmpty else { return nil }
            return ItemKey(
                provider: provider, domain: domain, identifier: item.isEmpty ? ItemKey.rootIdentifier : item)
        }
    }

    /// What it is about.
    package var scope: Scope
    /// Whether saves keep what they replace.
    package var isKept: Bool?
    /// The most versions of one document.
    package var versions: Int?
    /// The number of days after which a version is removed.
    package var days: Int?
    /// The most bytes of all versions together; only for all documents.
    package var space: Int64?
    /// What a save does without room.
    package var whenFull: VersionPolicy.WhenFull?
    /// Whether conflicts of texts whose changes do not touch are merged without asking.
    package var merges: Bool?

    /// Creates a rule.
    package init(
        _ scope: Scope, isKept: Bool? = nil, versions: Int? = nil, days: Int? = nil, space: Int64? = nil,
        whenFull: VersionPolicy.WhenFull? = nil, merges: Bool? = nil
    ) {
        self.scope = scope
        self.isKept = isKept
        self.versions = versions
        self.days = days
        self.space = space
        self.whenFull = whenFull
        self.merges = merges
    }

    /// This rule with what another one decides.
    package func with(_ other: VersionRule) -> VersionRule {
        VersionRule(
            scope, isKept: other.isKept ?? isKept, versions: other.versions ?? versions, days: other.days ?? days,
            space: other.space ?? space, whenFull: other.whenFull ?? whenFull, merges: other.merges ?? merges)
    }
}
