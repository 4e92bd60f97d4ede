package import Documents

/// The rights of a confined program, as a view shows them: a folder for each account, with what was granted in it.
/// Pure.
package struct GrantedRights: Sendable, Hashable {
    /// One right.
    package struct Grant: Sendable, Hashable {
        package var reference: DocumentReference
        /// The name, if it is known without asking the provider.
        package var name: String?
        package var isFolder: Bool
        package var isReadOnly: Bool

        package init(reference: DocumentReference, name: String?, isFolder: Bool, isReadOnly: Bool) {
            self.reference = reference
            self.name = name
            self.isFolder = isFolder
            self.isReadOnly = isReadOnly
        }
    }

    /// More than these are not shown, so that a list without an end does no harm.
    package static let most = 10_000

    /// The rights, each item once: the wider right to an item counts.
    package let grants: [Grant]
    private let positions: [DocumentReference: Int]

    /// - Parameter all: in any order. Those after ``most`` are left out.
    package init(_ all: some Sequence<Grant> = []) {
        var grants: [Grant] = []
        var positions: [DocumentReference: Int] = [:]
        for grant in all {
            if let known = positions[grant.reference] {
                grants[known].isReadOnly = grants[known].isReadOnly && grant.isReadOnly
            } else if grants.count < Self.most {
                positions[grant.reference] = grants.count
                grants.append(grant)
            }
        }
        self.grants = grants
        self.positions = positions
    }

    package static func == (first: GrantedRights, second: GrantedRights) -> Bool { first.grants == second.grants }

    package func hash(into hasher: inout Hasher) { hasher.combine(grants) }

    /// The right to an item itself; nil if there is none.
    package func grant(to reference: DocumentReference) -> Grant? { positions[reference].map { grants[$0] } }

    /// Whether no right to an item itself allows writing.
    package func isReadOnly(_ reference: DocumentReference) -> Bool { grant(to: reference)?.isReadOnly ?? true }

    /// The rights in an account.
    package func grants(in provider: String, domain: String) -> [Grant] {
        grants.filter { $0.reference.provider == provider && $0.reference.domain == domain }
    }

    /// The accounts, in the order of their names. Confined programs do not learn the names that people give to
    /// accounts, so these are the short identifiers that locations have.
    package var accounts: [ViewAccount] {
        var seen: Set<[String]> = []
        let parts = grants.map { [$0.reference.provider, $0.reference.domain] }.filter { seen.insert($0).inserted }
        let providers = Set(parts.map { $0[0] })
        func short(_ provider: String) -> String {
            let last = Self.lastComponent(provider)
            return providers.filter { Self.lastComponent($0) == last }.count == 1 ? last : provider
        }
        return parts.map { part in
            return ViewAccount(
                provider: part[0], domain: part[1],
                displayName: short(part[0]) + (part[1].isEmpty ? "" : "@" + part[1]),
                writing: writing(in: part[0], domain: part[1]))
        }
        .sorted { $0.displayName < $1.displayName }
    }

    /// What may be written in an account.
    func writing(in provider: String, domain: String) -> ViewAccount.Writing {
        let top = DocumentReference(provider: provider, domain: domain, identifier: ViewTree.topIdentifier)
        guard isReadOnly(top) else { return .all }
        return grants(in: provider, domain: domain).contains { !$0.isReadOnly } ? .some : .nothing
    }

    private static func lastComponent(_ provider: String) -> String {
        provider.split(separator: ".").last.map(String.init) ?? provider
    }
}
