import DocentInterfaces
import HostCore
import Records
import RemoteDocuments
import Rights
import Transfers

/// Locks a remote item and everything below it while it is moved or deleted, so that nothing of it is sent or saved in
/// the meantime.
struct TreeLock: Sendable {
    // How long to wait for a running transfer, in seconds.
    private static let patience = 10
    // How often to lock the tree again if it has grown in the meantime.
    private static let attempts = 5

    private let parts: RemoteParts
    private let uploads: RemoteUploads

    init(_ parts: RemoteParts, _ uploads: RemoteUploads) {
        self.parts = parts
        self.uploads = uploads
    }

    /// Runs a body while the tree is locked. Its waiting uploads leave the queue and return to it afterwards.
    ///
    /// - Parameters:
    ///   - cancelsUploads: cancel running uploads if they do not end in a while. Not at once: what the service has got
    ///     by then would stay there, under its name or a temporary one.
    ///   - body: gets the item and everything below it, as they are in the index.
    /// - Throws: ``Failure`` `Unavailable` if an upload takes too long.
    func hold<Result: Sendable>(
        _ key: ItemKey, cancelsUploads: Bool, _ body: @Sendable ([RemoteItem]) async throws -> Result
    ) async throws -> Result {
        for _ in 0..<Self.attempts {
            let tree = try await tree(key)
            let keys = Set(tree.map(\.key))
            if cancelsUploads {
                try await giveTime(keys)
                await cancel(keys)
            } else {
                try await waitForUploads(keys)
            }
            let result: Result? = try await locked(ItemLocks.inOrder(keys)[...]) {
                let now = try await self.tree(key)
                let isSending = await self.isSending(keys)
                guard Set(now.map(\.key)) == keys, !isSending else { return nil }
                await self.cancel(keys)
                do {
                    let result = try await body(now)
                    await self.resume(keys)
                    return result
                } catch {
                    await self.resume(keys)
                    throw error
                }
            }
            if let result { return result }
        }
        throw Failure(
            .unavailable, "It keeps changing.",
            suggestion: "Wait for it with `docent drain`, then try again.",
            provider: key.provider)
    }

    private func tree(_ key: ItemKey) async throws -> [RemoteItem] {
        guard let item = try await parts.index.item(key) else { return [] }
        guard item.description.isFolder else { return [item] }
        return [item] + (try await parts.index.descendants(of: key))
    }

    // In the order of all that hold several item locks.
    private func locked<Result: Sendable>(
        _ keys: ArraySlice<ItemKey>, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let first = keys.first else { return try await body() }
        let rest = keys.dropFirst()
        return try await parts.locks.withExactLock(on: first) { try await self.locked(rest, body) }
    }

    private func isSending(_ keys: Set<ItemKey>) async -> Bool {
        await parts.queue.snapshots().contains {
            $0.key.kind == .upload && $0.state == .running && keys.contains($0.key.item)
        }
    }

    private func giveTime(_ keys: Set<ItemKey>) async throws {
        for _ in 0..<(Self.patience * 50) {
            guard await isSending(keys) else { return }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func waitForUploads(_ keys: Set<ItemKey>) async throws {
        for _ in 0..<(Self.patience * 20) {
            guard await isSending(keys) else { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        let name = await parts.queue.snapshots().first {
            $0.key.kind == .upload && $0.state == .running && keys.contains($0.key.item)
        }?.name
        throw Failure(
            .unavailable, "\"\(name ?? "It")\" is being sent to its service.",
            suggestion: "Wait for it with `docent drain`, then try again.")
    }

    private func cancel(_ keys: Set<ItemKey>) async {
        await parts.queue.cancelAll { $0.key.kind == .upload && keys.contains($0.key.item) }
    }

    // Queues the unsent changes of the items, under their current identifiers.
    private func resume(_ keys: Set<ItemKey>) async {
        // Also removes uploads that were queued in the meantime, under identifiers that may be outdated.
        await cancel(keys)
        for key in keys {
            guard let now = try? await parts.current(key) else { continue }
            for row in (try? await parts.journal.unsent(of: now)) ?? [] { await uploads.resume(row) }
        }
    }
}
