/// How a provider is validated.
public struct ValidationOptions: Sendable, Codable, Hashable {
    /// Cases up to this level run, from 1 to 10.
    public var level = 5
    /// A regular expression that the names of the cases must contain a match of; nil: all.
    public var filter: String?
    /// What all random choices follow from.
    public var seed: UInt64 = 1
    /// How long a case may take, in seconds; some cases multiply it.
    public var caseLimit = 60.0
    /// How long the provider may take for an answer, or for the next sign of progress, in seconds.
    public var callDeadline = 15.0
    /// Bytes of memory that the provider and all that it started may hold in a case; beyond it is killed, and reported.
    public var memoryLimit = 2 << 30
    /// Bytes that the provider may keep on disk in a case; beyond it is killed, and reported.
    public var diskLimit = 4 << 30
    /// How many processes the provider may have at a time; beyond it is killed, and reported.
    public var processLimit = 200
    /// Cases whose findings are known, with the reason: they are reported as skipped. A key may end in `*`.
    public var ignored: [String: String] = [:]
    /// Whether what is written is still there for a new instance on the same storage: false for a provider that keeps
    /// its documents in memory alone.
    public var keepsDocuments = true
    /// Whether all domains show the same documents: one account, one folder.
    public var sharesAccount = false
    /// Whether an item's identifier is its place, so that a move, by its answer, gives it and all below it another one.
    /// The default is what an identifier should be: the same for the life of the item.
    public var identifiersArePaths = false
    /// The command of a program that acts on the service behind the provider: it makes it unreachable and changes
    /// documents in it, as `docs/validator.md` describes. Nil: the cases that need it are not tried.
    public var service: String?
    /// The folder, by identifier, below which the validator makes its own; nil: the top folder.
    public var workFolder: String?

    /// The defaults.
    public init() {}
}

extension ValidationOptions {
    /// Why the findings of a case do not count; nil if they do.
    func ignoredReason(_ name: String) -> String? {
        if let reason = ignored[name] { return reason }
        return ignored.first { key, _ in key.hasSuffix("*") && name.hasPrefix(key.dropLast()) }?.value
    }
}
