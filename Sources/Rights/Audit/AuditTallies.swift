import FoundationEssentials

/// Counts that have not been written yet. A plain value; its sizes are bounded whatever clients do.
///
/// A client that invents identifiers gets separate entries for ``Limits/refusalsOfClient`` different refusals a minute;
/// further ones share one entry. The same applies to all clients together, and to opens between two writes.
struct AuditTallies {
    /// How many different events get separate entries.
    struct Limits {
        /// Different refusals of one client in a minute.
        var refusalsOfClient = 60
        /// Different refusals of all clients in a minute.
        var refusals = 2000
        /// Different documents that one client opens or downloads between two writes, which are a second apart.
        var opensOfClient = 1000
        /// Bytes of an identifier that a client invented.
        var identifier = 1024
    }

    /// The client that an entry names. Unlike a principal, an unknown subject equals itself: it stands for Docent.
    struct Subject: Hashable {
        let kind: Principal.Kind
        let identifier: String

        init(_ principal: Principal) {
            kind = principal.kind
            identifier = principal.identifier
        }

        init(severalOf kind: Principal.Kind) {
            self.kind = kind
            identifier = AuditEntry.severalClients
        }

        /// Docent itself, for events without a client.
        static let docent = Subject(Principal(kind: .unknown, identifier: ""))
    }

    /// Two events with the same key share one entry.
    struct Key: Hashable {
        var subject: Subject
        var item: ItemKey
        let event: AuditEntry.Event
        var access: AccessLevel
        var detail: String
        let minute: Int64
    }

    /// How many times it happened, and the circumstances of the last time.
    struct Tally {
        var count: Int
        var first: Date
        var last: Date
        var circumstances: Circumstances

        init(at moment: Date, _ circumstances: Circumstances) {
            count = 1
            first = moment
            last = moment
            self.circumstances = circumstances
        }

        mutating func merge(_ other: Tally) {
            count += other.count
            first = min(first, other.first)
            last = max(last, other.last)
            circumstances = Circumstances(
                grant: other.circumstances.grant ?? circumstances.grant,
                process: other.circumstances.process ?? circumstances.process,
                executable: other.circumstances.executable ?? circumstances.executable)
        }
    }

    /// The right that was used, and the requesting process.
    struct Circumstances {
        var grant: Int64?
        var process: Int?
        var executable: String?
    }

    private let limits: Limits
    private var tallies: [Key: Tally] = [:]
    private var opens: [Subject: Int] = [:]
    private var minute = Int64.min
    private var refusals: Set<Key> = []
    private var refusalsOfClient: [Subject: Int] = [:]

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    var isEmpty: Bool { tallies.isEmpty }

    /// Counts an allowed access.
    mutating func note(_ key: Key, _ tally: Tally) {
        if tallies[key]?.merge(tally) != nil { return }
        var key = key
        if opens[key.subject, default: 0] >= limits.opensOfClient {
            key = Self.summary(key)
        } else {
            opens[key.subject, default: 0] += 1
        }
        add(key, tally)
    }

    /// Counts a refusal.
    /// - Returns: whether it is the first of its kind in its minute, which must be on disk before it is answered.
    mutating func refuse(_ refused: Key, _ tally: Tally) -> Bool {
        if refused.minute != minute {
            minute = refused.minute
            refusals = []
            refusalsOfClient = [:]
        }
        var key = refused
        key.item = key.item.recordable(within: limits.identifier)
        if !refusals.contains(key) {
            if refusals.count >= limits.refusals {
                key = Self.summary(key)
                key.subject = Subject(severalOf: key.subject.kind)
            } else if refusalsOfClient[key.subject, default: 0] >= limits.refusalsOfClient {
                key = Self.summary(key)
            } else {
                refusalsOfClient[key.subject, default: 0] += 1
            }
        }
        add(key, tally)
        return refusals.insert(key).inserted
    }

    /// Removes and returns the counts to write.
    mutating func take() -> [Key: Tally] {
        defer {
            tallies = [:]
            opens = [:]
        }
        return tallies
    }

    /// Puts back counts that could not be written.
    mutating func restore(_ taken: [Key: Tally]) {
        for (key, tally) in taken { add(key, tally) }
    }

    private mutating func add(_ key: Key, _ tally: Tally) {
        if tallies[key]?.merge(tally) == nil { tallies[key] = tally }
    }

    private static func summary(_ key: Key) -> Key {
        var key = key
        key.item = AuditEntry.furtherItems
        key.access = .read
        key.detail = "further documents"
        return key
    }
}

extension ItemKey {
    /// The key in a form that an entry can store: a client may have invented it, with any length, and with a NUL, at
    /// which SQLite ends a text.
    fileprivate func recordable(within bytes: Int) -> ItemKey {
        if isStorable, provider.utf8.count + domain.utf8.count + identifier.utf8.count <= bytes { return self }
        func short(_ text: String) -> String {
            let text =
                text.isStorable
                ? text : text.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "␀")
            return text.utf8.count <= bytes / 4
                ? text : String(decoding: text.utf8.prefix(bytes / 4), as: UTF8.self) + "…"
        }
        return ItemKey(provider: short(provider), domain: short(domain), identifier: short(identifier))
    }
}

extension Date {
    /// Whole minutes since 1970.
    var minute: Int64 { Int64((timeIntervalSince1970 / 60).rounded(.down)) }
}
