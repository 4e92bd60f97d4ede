import FoundationEssentials

/// The live grants in memory: plain values, without locks or database access.
///
/// Designed for a million: a right takes 32 bytes plus its item's identifier, and repeated texts are stored once.
struct GrantIndex {
    private struct Account: Hashable {
        let provider: String
        let domain: String

        init(_ item: ItemKey) { (provider, domain) = (item.provider, item.domain) }

        static func == (left: Account, right: Account) -> Bool {
            left.provider.isSame(as: right.provider) && left.domain.isSame(as: right.domain)
        }
    }

    private struct Entry {
        let id: Int64
        let created: Int64
        /// ``never`` if it does not expire.
        let expires: Int64
        /// An index into ``circumstances``.
        let circumstances: UInt32
        let access: AccessLevel
        let isPersistent: Bool
        let isPersistable: Bool
        let isFolder: Bool
    }

    private struct Circumstances: Hashable {
        let origin: Grant.Origin
        let executable: String?
    }

    private struct Holdings {
        var entries: [BytewiseText: Entry] = [:]
        var companions: [BytewiseText: [CompanionPattern]] = [:]

        /// - Returns: the previous entry with that name.
        mutating func put(_ name: BytewiseText, _ entry: Entry, _ patterns: [CompanionPattern]?) -> Entry? {
            companions[name] = patterns
            return entries.updateValue(entry, forKey: name)
        }

        /// - Returns: the entry with that name.
        mutating func take(_ name: BytewiseText) -> Entry? {
            companions[name] = nil
            return entries.removeValue(forKey: name)
        }
    }

    private static let never = Int64.max

    private var clients: [Principal: [Account: Holdings]] = [:]
    private var circumstances: [Circumstances] = []
    private var numbers: [Circumstances: UInt32] = [:]
    private(set) var count = 0
    /// Changes with every right that covers names beside its document.
    private(set) var companionChanges: UInt64 = 0
    /// The principals with rights that end with the client, and how many.
    private(set) var transient: [Principal: Int] = [:]

    /// A principal's right to an item, however narrow; nil if there is none.
    func grant(of principal: Principal, to item: ItemKey) -> Grant? {
        guard let holdings = clients[principal]?[Account(item)] else { return nil }
        let name = BytewiseText(item.identifier)
        return holdings.entries[name].map { grant($0, principal, item, holdings.companions[name]) }
    }

    /// The grant that allows the requested access, if any.
    func grant(for principal: Principal, item: ItemKey, wanted: AccessLevel, at moment: () -> Date) -> Grant? {
        guard let grant = grant(of: principal, to: item), grant.access >= wanted,
            grant.expires == nil || !grant.isExpired(at: moment())
        else { return nil }
        return grant
    }

    /// Whether a principal has any right in an account.
    func hasGrants(of principal: Principal, in item: ItemKey) -> Bool {
        clients[principal]?[Account(item)] != nil
    }

    /// A principal's rights in an item's account that cover names beside their documents.
    func companions(of principal: Principal, in item: ItemKey) -> [Grant] {
        guard let holdings = clients[principal]?[Account(item)], !holdings.companions.isEmpty else { return [] }
        return holdings.companions.compactMap { name, patterns in
            holdings.entries[name].map { grant($0, principal, item.sibling(name.text), patterns) }
        }
    }

    /// The grants that a filter selects, oldest first.
    func grants(matching filter: GrantFilter) -> [Grant] {
        if let item = filter.item { return grants(of: item).filter(filter.matches).sorted { $0.id < $1.id } }
        var found: [Grant] = []
        func add(_ principal: Principal, _ accounts: [Account: Holdings]) {
            for (account, holdings) in accounts {
                if let provider = filter.provider, provider != account.provider { continue }
                for (name, entry) in holdings.entries {
                    let item = ItemKey(provider: account.provider, domain: account.domain, identifier: name.text)
                    let grant = grant(entry, principal, item, holdings.companions[name])
                    if filter.matches(grant) { found.append(grant) }
                }
            }
        }
        if let principal = filter.principal {
            if let accounts = clients[principal] { add(principal, accounts) }
        } else {
            for (principal, accounts) in clients { add(principal, accounts) }
        }
        return found.sorted { $0.id < $1.id }
    }

    /// Every principal's grant of one item.
    func grants(of item: ItemKey) -> [Grant] { clients.keys.compactMap { grant(of: $0, to: item) } }

    /// The principals with any grant in an account.
    func principals(provider: String, domain: String) -> [Principal] {
        let account = Account(ItemKey(provider: provider, domain: domain, identifier: ""))
        return clients.compactMap { $0.value[account] == nil ? nil : $0.key }
    }

    mutating func insert(_ grant: Grant) {
        let name = BytewiseText(grant.item.identifier)
        let entry = Entry(
            id: grant.id, created: grant.created.milliseconds, expires: grant.expires?.milliseconds ?? Self.never,
            circumstances: number(Circumstances(origin: grant.origin, executable: grant.executable)),
            access: grant.access, isPersistent: grant.isPersistent, isPersistable: grant.isPersistable,
            isFolder: grant.isFolder)
        let companions = grant.companions.isEmpty ? nil : grant.companions
        let former = clients[grant.principal, default: [:]][Account(grant.item), default: Holdings()]
            .put(name, entry, companions)
        if former == nil { count += 1 }
        if companions != nil { companionChanges &+= 1 }
        if !entry.isPersistent { transient[grant.principal, default: 0] += 1 }
        if former?.isPersistent == false { leaveTransient(grant.principal) }
    }

    private mutating func leaveTransient(_ principal: Principal) {
        let left = transient[principal, default: 1] - 1
        transient[principal] = left > 0 ? left : nil
    }

    mutating func remove(_ grant: Grant) {
        let account = Account(grant.item)
        guard let former = clients[grant.principal]?[account]?.take(BytewiseText(grant.item.identifier)) else { return }
        count -= 1
        if !former.isPersistent { leaveTransient(grant.principal) }
        if clients[grant.principal]?[account]?.entries.isEmpty == true {
            clients[grant.principal]?[account] = nil
            if clients[grant.principal]?.isEmpty == true { clients[grant.principal] = nil }
        }
    }

    private mutating func number(_ new: Circumstances) -> UInt32 {
        if let known = numbers[new] { return known }
        let number = UInt32(circumstances.count)
        circumstances.append(new)
        numbers[new] = number
        return number
    }

    private func grant(
        _ entry: Entry, _ principal: Principal, _ item: ItemKey, _ companions: [CompanionPattern]?
    ) -> Grant {
        let known = circumstances[Int(entry.circumstances)]
        return Grant(
            id: entry.id, principal: principal, item: item, access: entry.access, origin: known.origin,
            created: Date(milliseconds: entry.created), executable: known.executable,
            expires: entry.expires == Self.never ? nil : Date(milliseconds: entry.expires),
            isPersistent: entry.isPersistent, isPersistable: entry.isPersistable, companions: companions ?? [],
            isFolder: entry.isFolder)
    }
}
