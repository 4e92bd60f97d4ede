import DocentInterfaces
import FoundationEssentials
package import HostCore
import Records
package import Rights

// When deletions are carried out.
extension PendingDeletions {
    // How often it is looked for something to do.
    private static let pause = Duration.seconds(5)
    // Deeper than any real path.
    private static let deepest = 256

    /// Carries deletions out when their time has come, until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            await round()
            try? await clock.sleep(for: Self.pause)
        }
    }

    /// Does what is due now.
    package func round() async {
        guard !isEmpty, let all = try? await store.all() else { return }
        // An account that does not answer does not hold up the others.
        await withTaskGroup { group in
            for some in Dictionary(grouping: all, by: { DomainKey($0.key) }).values {
                group.addTask { for deletion in some { await self.proceed(deletion) } }
            }
        }
    }

    private func proceed(_ deletion: PendingDeletion) async {
        let decision = DeletionDecision(deletion, at: clock.date)
        guard !Task.isCancelled, decision != .wait, !isHeldOff(deletion) else { return }
        do {
            switch decision {
            case .wait: return
            case .extend(let due): try await store.extend(deletion.id, from: clock.date, to: due)
            case .look: try await note(check(deletion.id), deletion)
            case .delete: try await note(carryOut(deletion.id, isForced: false), deletion)
            }
        } catch {
            failed(deletion)
        }
    }

    private func note(_ outcome: Outcome, _ deletion: PendingDeletion) {
        if case .waiting = outcome { failed(deletion) }
    }

    // MARK: Early ends

    /// Carries out the deletion of an item that has this name in a folder, because its provider may not be able to have
    /// two of it: whatever is made or moved there comes after the deletion.
    ///
    /// - Parameter isForced: also asks an account that counts as offline.
    /// - Throws: ``Failure``, if its provider cannot be asked now.
    package func makeRoom(for name: String, in folder: ItemKey, isForced: Bool = false) async throws {
        guard !isEmpty else { return }
        for deletion in try await store.all(provider: folder.provider, domain: folder.domain)
        where deletion.blocks(name, in: folder) {
            try await require(deletion, isForced)
        }
    }

    /// Carries out the deletions in a folder that is about to move: the identifiers of what is in it may change.
    ///
    /// - Throws: ``Failure``, if its provider cannot be asked now.
    package func settle(below folder: ItemKey) async throws {
        guard !isEmpty else { return }
        for deletion in try await store.all(provider: folder.provider, domain: folder.domain)
        where try await isBelow(deletion, folder) {
            try await require(deletion, true)
        }
    }

    private func require(_ deletion: PendingDeletion, _ isForced: Bool) async throws {
        if case .waiting(let failure) = try await carryOut(deletion.id, isForced: isForced) { throw failure }
    }

    private func isBelow(_ deletion: PendingDeletion, _ folder: ItemKey) async throws -> Bool {
        var next = deletion.key.sibling(deletion.parent)
        for _ in 0..<Self.deepest {
            if next == folder { return true }
            guard next.identifier != ItemKey.rootIdentifier, let item = try await index.item(next) else {
                return false
            }
            next = next.sibling(item.description.parent)
        }
        return false
    }

    /// The user does not want to wait: carries a deletion out now, or as soon as its provider answers.
    ///
    /// - Throws: ``Failure``: `NotFound` if there is no such deletion; `Conflict` if somebody has changed the items, so
    ///   that they are there again.
    package func finish(_ id: String) async throws {
        guard let deletion = try await store.deletion(id) else {
            throw Failure(
                .notFound, "This is not in the trash.", suggestion: "`docent trash list` shows what is there.")
        }
        try await store.setWanted(id)
        switch try await carryOut(id, isForced: true) {
        case .done: return
        case .waiting: failed(deletion)
        case .givenUp:
            throw Failure(
                .conflict,
                "\"\(deletion.name)\" was not deleted, and is there again: it was changed, or its service "
                    + "refuses to delete it.",
                suggestion: "`docent log` has the reason.", provider: deletion.key.provider)
        }
    }

    /// Carries out the deletions of an account that is about to be signed out, as far as possible.
    package func finishAll(of domain: DomainKey) async {
        for deletion in (try? await store.all(provider: domain.provider, domain: domain.domain)) ?? [] {
            // The others would fail in the same way.
            guard let outcome = try? await carryOut(deletion.id, isForced: true) else { return }
            if case .waiting = outcome { return }
        }
    }
}
