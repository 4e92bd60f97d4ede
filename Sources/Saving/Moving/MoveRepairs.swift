import DocentInterfaces
import ExtensionHosting
import HostCore
import Logging
import Records
import RemoteDocuments
import Rights
import Synchronization
import Varlink

/// Repeatedly tries to find out whether interrupted moves and deletions were carried out, until that is known.
/// Thread-safe.
package final class MoveRepairs: Sendable {
    private static let interval = Duration.seconds(3)

    private let running = Mutex(false)

    package init() {}

    /// Starts the repairs, unless they are already running.
    func begin(_ mover: ItemMover) {
        let isFirst = running.withLock { running in
            defer { running = true }
            return !running
        }
        guard isFirst else { return }
        Task {
            while true {
                await mover.resolveAll()
                let left = try? await mover.journal.pending().contains { $0.kind != .makeFolder && $0.result == nil }
                if left == false, self.end() { return }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private func end() -> Bool {
        running.withLock { $0 = false }
        return true
    }
}

extension ItemMover {
    /// Loads what an earlier daemon left, before any client is served: former identifiers of items, and interrupted
    /// changes.
    package func prepare() async {
        do {
            for (former, now) in try await parts.index.aliases() where try await parts.index.item(former) == nil {
                parts.aliases.restore(former, now: now)
            }
            for change in try await journal.pending() where change.kind != .makeFolder {
                if change.result == nil {
                    catalog.moves.begin(change, isRunning: false)
                } else {
                    // The change is recorded, but copies under the old identifiers may remain.
                    await TreeRekeying(parts: parts, catalog: catalog).clean(change)
                    try await journal.finish(change)
                }
            }
        } catch {
            parts.logger.error("interrupted moves cannot be read", metadata: ["why": "\(error)"])
        }
    }

    /// Continues interrupted changes.
    package func run() { repairs.begin(self) }

    func resolveAll() async {
        for change in (try? await journal.pending()) ?? []
        where change.kind != .makeFolder && !catalog.moves.isRunning(change) {
            await resolve(change)
        }
    }

    /// Finds out whether an interrupted change was carried out, and records it. Does nothing while its provider does
    /// not answer.
    func resolve(_ change: ItemChange) async {
        guard change.result == nil else { return }
        do {
            if try await gateway.isRemote(change.key.provider) {
                try await TreeLock(parts, uploads).hold(change.key, cancelsUploads: true) { tree in
                    try await resolveRemotely(change, tree)
                }
            } else {
                try await resolveInPlace(change)
            }
        } catch {
            parts.logger.notice(
                "an interrupted change is waiting", metadata: ["item": "\(change.key.identifier)", "why": "\(error)"])
        }
    }

    private func resolveInPlace(_ change: ItemChange) async throws {
        let (_, connection) = try await gateway.fileProvider(change.key.provider)
        let now: Wire.ProviderItem?
        do {
            now = try await connection.call(
                FileProviderInterface.Item.self, .init(domain: change.key.domain, identifier: change.key.identifier)
            ).value.item
        } catch {
            guard Existence(FailureMapping.failure(error)) == .missing else { throw error }
            now = nil
        }
        switch (change.kind, now) {
        case (.delete, nil): try await finishDeletionInPlace(change)
        case (.move, let now?) where now.parent.isSame(as: change.parent) && NameRule.isSame(now.name, change.name):
            try await finishInPlace(change, now)
        default: await drop(change)
        }
    }

    private func resolveRemotely(_ change: ItemChange, _ tree: [RemoteItem]) async throws {
        // It may have been resolved while this waited for the lock.
        guard try await journal.pending().contains(where: { $0.id == change.id && $0.result == nil }) else { return }
        // The provider has not been asked, and is asked later only if that is recorded.
        if change.kind == .delete, change.finalDate != nil {
            guard try await parts.deletions.deletion(change.id) != nil else { return await drop(change) }
            return try await finishDeletion(change, tree)
        }
        guard let item = tree.first else { return await drop(change) }
        let source = try await asked(
            FileProviderInterface.Item.self, .init(domain: change.key.domain, identifier: change.key.identifier), change
        )?.item
        if change.kind == .delete {
            if source == nil { try await finishDeletion(change, tree) } else { await drop(change) }
            return
        }
        if let source, source.parent.isSame(as: change.parent), NameRule.isSame(source.name, change.name) {
            _ = try await finish(change, item, source)
            return
        }
        let target = try await asked(
            FileProviderInterface.Child.self,
            .init(domain: change.key.domain, parent: change.parent, name: change.name), change
        )?.item
        switch (source, target) {
        case (_?, nil), (nil, nil): await drop(change)
        case (nil, _?):
            // The provider recognises the change by its name and can say whether this is the item.
            do {
                _ = try await finish(change, item, try await ask(change))
            } catch let failure as Failure {
                guard failure.changedNothing else { throw failure }
                await drop(change)
            }
        case (let source?, let target?):
            let (here, there) = (try await likeness(item, source), try await likeness(item, target))
            if there > here {
                _ = try await finish(change, item, target)
            } else {
                await drop(change)
                // It is not certain that either is the item that the rights were granted for.
                if here == 0 {
                    await catalog.note(removed: try await parts.index.remove(change.key))
                }
            }
        }
    }

    private func asked<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, _ change: ItemChange
    ) async throws -> Method.Reply? {
        do {
            return try await parts.access.call(
                method, parameters, provider: change.key.provider, domain: change.key.domain, isForced: true)
        } catch let failure as Failure {
            guard Existence(failure) == .missing else { throw failure }
            return nil
        }
    }

    // How well another description matches what is known of an item.
    private func likeness(_ item: RemoteItem, _ said: Wire.ProviderItem) async throws -> Int {
        guard said.isFolder == item.description.isFolder else { return 0 }
        guard said.isFolder else {
            return said.version != nil && said.version.isSame(as: item.description.version) ? 1 : 0
        }
        let known = try await parts.index.children(of: item.key, after: nil, limit: 1_000)
        let reply = try await parts.access.call(
            FileProviderInterface.Children.self, .init(domain: item.key.domain, parent: said.identifier),
            provider: item.key.provider, domain: item.key.domain, isForced: true)
        let listed = Set(reply.items.map { "\($0.name)\n\($0.version ?? "")" })
        return known.count { listed.contains("\($0.description.name)\n\($0.description.version ?? "")") }
    }
}
