/// The settings of a validation.
public struct ValidationOptions: Sendable, Codable, Hashable {
    /// The highest level of cases that run, 1 to 10.
    public var level = 5
    /// A regular expression that has to match a part of the case names; nil: all.
    public var filter: String?
    /// The seed of all random choices.
    public var seed: UInt64 = 1
    /// The time limit of a case in seconds; some cases multiply it.
    public var caseLimit = 60.0
    /// How long the provider may take to answer or to report progress, in seconds.
    public var callDeadline = 15.0
    /// Bytes of memory that the provider and its child processes may use in a case; beyond that it is killed and
    /// reported.
    public var memoryLimit = 2 << 30
    /// Bytes that the provider may store on disk in a case; beyond that it is killed and reported.
    public var diskLimit = 4 << 30
    /// How many processes the provider may have at the same time; beyond that it is killed and reported.
    public var processLimit = 200
    /// Cases with known findings, and the reason: they are reported as skipped. A key may end in `*`.
    public var ignored: [String: String] = [:]
    /// Whether written content is still there for a new instance on the same storage: false for a provider that keeps
    /// its documents only in memory.
    public var keepsDocuments = true
    /// Whether all domains show the same documents: one account, one folder.
    public var sharesAccount = false
    /// Whether an item's identifier is its path, so that a move changes the identifiers of it and of everything below
    /// it, as the answer says. By default an identifier is the same for the life of the item.
    public var identifiersArePaths = false
    /// The command of a program that acts on the service behind the provider: it makes it unreachable and changes
    /// documents in it, as `docs/providers/validator.md` describes. nil: the cases that need it are not tried.
    public var service: String?
    /// The identifier of the folder in which the validator creates its own; nil: the top folder.
    public var workFolder: String?

    /// Creates the default settings.
    public init() {}
}

extension ValidationOptions {
    /// Why the findings of a case are ignored; nil if they are not.
    func ignoredReason(_ name: String) -> String? {
        if let reason = ignored[name] { return reason }
        return ignored.first { key, _ in key.hasSuffix("*") && name.hasPrefix(key.dropLast()) }?.value
    }
}
