import DocentInterfaces
package import ExtensionHosting
import FoundationEssentials
package import HostCore
package import Logging
package import Records
package import Rights
package import Storage

/// Frees disk space: removes local copies that their provider has, and leaves placeholders (E7, O1). Never removes a
/// copy that is open, pinned or not uploaded (O2, law 6).
package actor Evictor {
    private let index: ItemIndex
    private let local: LocalStore
    private let states: UploadStates
    private let usage: DocumentUsage
    private let locks: ItemLocks
    private let changes: ContentChanges
    private let registry: ProviderRegistry
    private let layout: StorageLayout
    private let settings: RemoteSettings
    private let recent: RecentUse
    private let files: DownloadFiles
    private let replaced: ReplacedCopies
    private let logger: Logger
    private var reserved: [ItemKey: Int64] = [:]

    package init(
        index: ItemIndex, local: LocalStore, states: UploadStates, usage: DocumentUsage, locks: ItemLocks,
        changes: ContentChanges, registry: ProviderRegistry, layout: StorageLayout, settings: RemoteSettings,
        recent: RecentUse, files: DownloadFiles, replaced: ReplacedCopies, logger: Logger
    ) {
        self.replaced = replaced
        self.files = files
        self.index = index
        self.local = local
        self.states = states
        self.usage = usage
        self.locks = locks
        self.changes = changes
        self.registry = registry
        self.layout = layout
        self.settings = settings
        self.recent = recent
        self.logger = logger
    }

    // MARK: On request

    /// Removes the local copy of a document.
    ///
    /// - Returns: the bytes that were freed; 0 when there was no copy.
    /// - Throws: ``Failure`` `Conflict` with the reason why the copy must stay.
    package func evict(_ key: ItemKey) async throws -> Int64 {
        guard let item = try await index.item(key) else { return 0 }
        try await files.discardIdle(key)
        guard item.local != nil else { return 0 }
        if let reason = reason(toKeep: item) {
            throw Failure(
                .conflict, "\"\(item.description.name)\" stays here: \(reason.message)", suggestion: reason.suggestion,
                provider: key.provider)
        }
        return try await remove(item)
    }

    /// Removes the local copies of everything in a folder, at any depth; copies that must stay are skipped.
    package func evict(below folder: ItemKey) async throws -> (items: Int, bytes: Int64) {
        var (items, bytes) = (0, Int64(0))
        for item in try await index.descendants(of: folder) where item.local != nil && reason(toKeep: item) == nil {
            guard let freed = try await removeIfAllowed(item) else { continue }
            if freed > 0 { items += 1 }
            bytes += freed
        }
        return (items, bytes)
    }

    private nonisolated func reason(toKeep item: RemoteItem) -> (message: String, suggestion: String)? {
        if states.contains(item.key) || item.isProvisional || LocalVersion(item.local?.version) != nil {
            return ("it has changes that have not been uploaded.", "`docent drain` waits until they have been.")
        }
        if item.isPinned { return ("it is pinned.", "Unpin it first: docent unpin") }
        if usage.isInUse(item.key) { return ("a program has it open.", "Close it there first.") }
        return nil
    }

    // Presenters are asked first, and may refuse.
    private func remove(_ seen: RemoteItem) async throws -> Int64 {
        try await changes.withEviction(of: seen.key, name: seen.description.name) { [self] in
            try await removeLocked(seen)
        }
    }

    // Nil when a presenter refuses.
    private func removeIfAllowed(_ seen: RemoteItem) async throws -> Int64? {
        do {
            return try await remove(seen)
        } catch let failure as Failure {
            guard failure.code == .conflict else { throw failure }
            logger.info(
                "a local copy was kept",
                metadata: ["item": "\(seen.key.identifier)", "why": "\(failure.message)"])
            return nil
        }
    }

    // Takes the lock that saves take too, so that a concurrent save is not removed.
    private func removeLocked(_ seen: RemoteItem) async throws -> Int64 {
        let key = seen.key
        return try await locks.withLock(on: key) { [self] in
            guard let item = try await index.item(key), let copy = item.local, reason(toKeep: item) == nil else {
                return 0
            }
            // The server has another content by now.
            if !item.isCurrent { try await replaced.keep(removed: copy, of: key) }
            await local.writePlaceholder(item)
            try await index.setLocal(key, nil)
            changes.contentChanged(key)
            try await local.remove(copy, of: key)
            return copy.size
        }
    }

    // MARK: Before a download

    /// Makes sure that there is room for a download, and counts the download until ``release(_:)``: it must fit the
    /// domain's quota and leave the required space free on the disk. Old copies are evicted.
    ///
    /// - Throws: ``Failure`` `NoSpace`, before anything is removed in vain.
    package func reserve(_ key: ItemKey, size: Int64) async throws {
        // Set before the first suspension, so that a concurrent download counts it.
        reserved[key] = size
        do {
            await recent.flush()
            try await keepQuota(key, size)
            try await keepMinimum(key, size)
        } catch {
            reserved[key] = nil
            throw error
        }
    }

    /// Makes sure that there is room for a part of a content.
    ///
    /// - Parameters:
    ///   - size: the number of bytes to be fetched.
    ///   - held: the number of bytes of the same content that are on the disk already; they count for the quota.
    /// - Throws: as ``reserve(_:size:)``.
    func requireRoom(_ key: ItemKey, adding size: Int64, held: Int64) async throws {
        reserved[key] = size + held
        await recent.flush()
        try await keepQuota(key, size + held)
        try await keepMinimum(key, size)
    }

    private func keepQuota(_ key: ItemKey, _ size: Int64) async throws {
        guard let quota = try await quota(key) else { return }
        // The copy that the download replaces is removed anyway.
        let former = try await index.item(key)?.local?.size ?? 0
        let others = reserved.filter { DomainKey($0.key) == DomainKey(key) && $0.key != key }.reduce(0) {
            $0 + $1.value
        }
        let used = try await index.localBytes(provider: key.provider, domain: key.domain) - former + others
        if used + size > quota { try await files.discardIdle(of: DomainKey(key)) }
        try await free(
            EvictionChoice.excess(quota: quota, used: used, adding: size),
            among: try await index.localCopies(provider: key.provider, domain: key.domain), besides: key,
            "\(size) bytes do not fit into the \(quota) that local copies of this domain may use.",
            "Raise its quotaBytes (`docent domains set`), unpin something, or close what is open.")
    }

    private func keepMinimum(_ key: ItemKey, _ size: Int64) async throws {
        let (wanted, overflow) = size.addingReportingOverflow(settings.minimumFreeBytes)
        if let available = Self.available(at: layout.dataDirectory), !overflow, available < wanted {
            try await files.discardIdle(of: nil)
        }
        if let available = Self.available(at: layout.dataDirectory), overflow || available < wanted {
            try await free(
                overflow ? .max : wanted - available, among: try await index.localCopies(provider: nil, domain: nil),
                besides: key,
                "\(size) bytes are needed, but only \(available) are free, of which \(settings.minimumFreeBytes) "
                    + "must stay free.",
                "Free some space on the disk, or unpin what is not needed.")
        }
    }

    /// Stops counting a download that has ended. Its local copy, if any, is counted instead.
    package func release(_ key: ItemKey) { reserved[key] = nil }

    private func free(
        _ bytes: Int64, among copies: [RemoteItem], besides key: ItemKey, _ message: String, _ suggestion: String
    ) async throws {
        guard bytes > 0 else { return }
        var (left, tried) = (bytes, Set([key]))
        // Another round when a chosen copy had to stay.
        while left > 0 {
            let victims = EvictionChoice.victims(copies, freeing: left) {
                !tried.contains($0.key) && reason(toKeep: $0) == nil
            }
            guard victims.reduce(0, { $0 + ($1.local?.size ?? 0) }) >= left else {
                throw Failure(.noSpace, message, suggestion: suggestion, provider: key.provider)
            }
            for victim in victims {
                tried.insert(victim.key)
                guard let freed = try await removeIfAllowed(victim) else { continue }
                // A copy that was removed elsewhere in the meantime counts as freed too.
                left -= max(freed, reason(toKeep: victim) == nil ? victim.local?.size ?? 0 : 0)
                logger.info(
                    "a local copy was removed to make room",
                    metadata: ["item": "\(victim.key.identifier)", "bytes": "\(freed)"])
            }
        }
    }

    private func quota(_ key: ItemKey) async throws -> Int64? {
        let provider = try await registry.provider(key.provider)
        return provider.domains.first { $0.identifier == key.domain }?.settings["quotaBytes"].flatMap(Int64.init)
    }

    private static func available(at path: OwnPath) -> Int64? {
        guard let directory = try? Directory(path: path) else { return nil }
        return (try? Space.available(on: directory.descriptor)).map(Int64.init(clamping:))
    }
}
