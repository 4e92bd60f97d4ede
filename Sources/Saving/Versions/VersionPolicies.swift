package import Access
import HostCore
package import Records
package import Rights
import Synchronization

/// The policy that applies to each document: the rules of all documents, of its account, of the folders above it, and
/// its own, the nearest last. Thread-safe.
package final class VersionPolicies: Sendable {
    private let store: VersionRuleStore
    private let hierarchy: ItemHierarchy
    // A copy of the rules, because every save asks.
    private let rules = Mutex<[VersionRule.Scope: VersionRule]>([:])
    private let following = Mutex<@Sendable () -> Void>({})

    package init(store: VersionRuleStore, hierarchy: ItemHierarchy) {
        self.store = store
        self.hierarchy = hierarchy
    }

    /// Reads the rules, before any client is served.
    package func load() async throws {
        let all = try await store.all()
        rules.withLock { $0 = Dictionary(all.map { ($0.scope, $0) }) { _, last in last } }
    }

    /// The policy of all documents that no other rule is about.
    package var global: VersionPolicy {
        VersionPolicy().applying(rules.withLock { $0[.everything] })
    }

    /// Sets who is told that a rule has changed. It must return at once.
    package func follow(_ body: @escaping @Sendable () -> Void) { following.withLock { $0 = body } }

    /// Whether conflicts are merged without asking anywhere.
    package var mergeAnywhere: Bool { rules.withLock { $0.values.contains { $0.merges == true } } }

    /// All rules, in the order of their scopes.
    package func all() async throws -> [VersionRule] { try await store.all() }

    /// The policy of a document or folder.
    package func policy(of key: ItemKey) async -> VersionPolicy {
        let rules = rules.withLock(\.self)
        let account = VersionRule.Scope(provider: key.provider, domain: key.domain, item: "")
        let policy = VersionPolicy().applying(rules[.everything]).applying(rules[account])
        let own = rules[VersionRule.Scope(key)].flatMap { $0.scope == account ? nil : $0 }
        // Nearly nobody has rules for folders, and without them no folder has to be looked up.
        guard
            rules.keys.contains(where: { scope in
                !scope.item.isEmpty && scope.item != key.identifier && scope.provider == key.provider
                    && scope.domain == key.domain
            })
        else { return policy.applying(own) }
        var result = policy
        for folder in await folders(above: key).reversed() {
            let scope = VersionRule.Scope(folder)
            if scope != account { result = result.applying(rules[scope]) }
        }
        return result.applying(own)
    }

    private func folders(above key: ItemKey) async -> [ItemKey] {
        if let known = hierarchy.place(of: key, within: nil) { return known.folders }
        return (try? await hierarchy.currentPlace(of: key, within: .seconds(3600)))?.folders ?? []
    }

    /// Adds what a rule decides to the rule of the same scope. Durable when it returns.
    package func set(_ rule: VersionRule) async throws -> VersionRule {
        let now = try await store.set(rule)
        rules.withLock { $0[now.scope] = now }
        following.withLock(\.self)()
        return now
    }

    /// Removes the rule of a scope. Durable when it returns.
    package func remove(_ scope: VersionRule.Scope) async throws {
        try await store.remove(scope)
        rules.withLock { $0[scope] = nil }
    }
}
