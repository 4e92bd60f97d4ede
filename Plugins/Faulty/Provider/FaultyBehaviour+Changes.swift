import FileProvider

extension FaultyBehaviour {
    func changes(since anchor: String?) async throws -> ItemChanges {
        try await core.trouble("changes")
        try allows(.changes, "changes")
        let script = core.script
        let now = try core.tree.read { $0.sequence }
        guard let anchor else { return ItemChanges(anchor: text(now)) }
        guard anchor.hasPrefix("a"), let number = Int(anchor.dropFirst()),
            let steps = try core.tree.read({ $0.changes(after: number) })
        else {
            if script.strikes("changes.anyAnchor") { return ItemChanges(anchor: text(now)) }
            throw FileProviderError(.syncAnchorExpired, "The changes since then are no longer known.")
        }
        if number <= core.tree.beginning, script.strikes("changes.notAfterRestart") {
            return ItemChanges(anchor: text(now))
        }
        var (page, last) = ([String](), number)
        for step in steps where page.count < 20 {
            page += step.identifiers
            last = step.sequence
        }
        var changes = ItemChanges(anchor: text(last), hasMore: last < now)
        for identifier in Set(page) {
            if core.former(of: identifier) != nil, script.strikes("changes.lostForOthers") { continue }
            if let entry = try core.tree.read({ $0.entries[identifier] }) {
                if !script.strikes("changes.lost", entry.identifier, entry.name) {
                    changes.changed.append(core.describe(entry, in: .change))
                }
            } else if !script.strikes("changes.lostDeletion") {
                changes.deleted.append(ItemIdentifier(identifier))
            }
        }
        spoil(&changes, anchor, now)
        return changes
    }

    private func spoil(_ changes: inout ItemChanges, _ anchor: String, _ now: Int) {
        let script = core.script
        if script.strikes("changes.phantomDeletion"), let item = changes.changed.first {
            changes.deleted.append(item.identifier)
        }
        if script.strikes("changes.anchorStands") {
            changes.anchor = anchor
            changes.hasMore = false
        }
        if script.strikes("changes.neverEnds") { changes.hasMore = true }
        if changes.hasMore, script.strikes("changes.overtaken") {
            changes.hasMore = false
            changes.anchor = text(now)
        }
    }

    private func text(_ sequence: Int) -> String { "a\(sequence)" }

    func startObserving(_ identifier: ItemIdentifier) async throws {
        try await core.trouble("observe", identifier)
        do {
            _ = try core.entry(identifier)
        } catch {
            if core.script.strikes("observe.unknownCrashes") { Calamity.crash() }
            throw error
        }
        if core.script.strikes("observe.nothing") { return }
        core.startWatching(core.known(identifier))
    }

    func stopObserving(_ identifier: ItemIdentifier) async { core.stopWatching(core.known(identifier)) }

    func signIn(_ credential: Credential) async throws -> String? {
        try await core.trouble("signIn")
        guard Self.features.contains(.signIn) else { throw Trouble.notSupported }
        return try core.account.signIn(credential, script: core.script, host: core.host)
    }

    func signOut() async { core.account.signOut(script: core.script) }
}
