import CLinux
package import HostCore
package import Records
package import Rights
package import Storage
import Synchronization

/// The files of running downloads, in `Downloads`, and their records.
package struct DownloadFiles: Sendable {
    private let layout: StorageLayout
    private let worker: BlockingWorker
    private let partials: PartialDownloadStore
    private let inUse = FilesInUse()

    /// The documents whose files are being written to.
    private final class FilesInUse: Sendable {
        let keys = Mutex<[ItemKey: Int]>([:])
    }

    package init(layout: StorageLayout, worker: BlockingWorker, partials: PartialDownloadStore) {
        self.layout = layout
        self.worker = worker
        self.partials = partials
    }

    /// The file to download an item into: the file of an earlier attempt if it can be resumed, otherwise a new one.
    ///
    /// Balance it with ``ended(_:)``.
    func file(for item: RemoteItem, canResume: Bool) async throws -> (file: PartialFile, offset: Int64) {
        began(item.key)
        do {
            return try await ownFile(for: item, canResume: canResume)
        } catch {
            ended(item.key)
            throw error
        }
    }

    private func ownFile(
        for item: RemoteItem, canResume: Bool
    ) async throws -> (file: PartialFile, offset: Int64) {
        let partial = try await partials.partial(item.key)
        let resumed = try await worker.run { [layout] cancellation -> (PartialFile, Int64)? in
            guard let partial, partial.ranges == nil else { return nil }
            return try Self.resume(partial, item.description, canResume, layout, cancellation)
        }
        if let (file, offset) = resumed {
            if let partial, file.name.description != partial.file { try await record(item, file, offset, nil) }
            return (file, offset)
        }
        if let partial { try await discard(partial) }
        let size = UInt64(clamping: item.description.size ?? 0)
        return try await worker.run { [layout] _ in
            let downloads = try Directory(path: layout.downloadsDirectory)
            let file = try PartialFile.create(Self.freshName(), in: downloads)
            do {
                try file.reserve(size)
            } catch {
                try? file.remove()
                throw error
            }
            return (file, 0)
        }
    }

    private static func resume(
        _ partial: PartialDownload, _ item: ItemDescription, _ canResume: Bool, _ layout: StorageLayout,
        _ cancellation: Cancellation
    ) throws -> (PartialFile, Int64)? {
        let downloads = try Directory(path: layout.downloadsDirectory)
        guard let name = try? FileName(partial.file), let status = try downloads.status(of: name),
            let offset = DownloadPlan.offset(
                partial, length: Int64(clamping: status.size), of: item, canResume: canResume)
        else { return nil }
        let present = try downloads.open(name)
        guard clinux_has_writer(present.number) != 0 else {
            return try PartialFile.open(name, in: downloads, completed: UInt64(offset)).map { ($0, offset) }
        }
        // The process of the earlier attempt still has the file open and may write to it at any time.
        let fresh = try PartialFile.create(freshName(), in: downloads)
        do {
            let destination = try fresh.makeDestination()
            _ = try FileCopier.copy(
                from: present.number, to: destination.number, bound: status.size, cancellation: cancellation)
            try fresh.truncate(to: UInt64(offset))
            try fresh.synchronize()
            try downloads.remove(name)
            return (fresh, offset)
        } catch {
            try? fresh.remove()
            return nil
        }
    }

    // MARK: In parts

    /// Whether parts of this version of a document are on disk.
    func hasParts(of item: RemoteItem) async throws -> Bool {
        guard let partial = try await partials.partial(item.key), let ranges = partial.ranges, !ranges.isEmpty,
            let version = item.description.version
        else { return false }
        return partial.version.isSame(as: version)
    }

    /// The file for a content that is fetched in parts, as long as the whole of it, and what is in it: the file of an
    /// earlier attempt if it has this version, otherwise a new one.
    ///
    /// Balance it with ``ended(_:)``.
    func inParts(_ item: RemoteItem, size: Int64) async throws -> (file: PartialFile, here: ByteRanges) {
        began(item.key)
        do {
            let partial = try await partials.partial(item.key)
            let earlier = try await worker.run { [layout] cancellation in
                try partial.flatMap { try Self.earlier($0, item, size, layout, cancellation) }
            }
            if let earlier {
                if let partial, earlier.0.name.description != partial.file {
                    try await record(item, earlier.0, earlier.1, size)
                }
                return earlier
            }
            if let partial { try await discard(partial) }
            return try await worker.run { [layout] _ in
                let file = try PartialFile.create(Self.freshName(), in: try Directory(path: layout.downloadsDirectory))
                // Without room for all of it: it is fetched as far as it is read.
                try file.truncate(to: UInt64(clamping: size))
                return (file, ByteRanges())
            }
        } catch {
            ended(item.key)
            throw error
        }
    }

    private static func earlier(
        _ partial: PartialDownload, _ item: RemoteItem, _ size: Int64, _ layout: StorageLayout,
        _ cancellation: Cancellation
    ) throws -> (PartialFile, ByteRanges)? {
        guard let version = item.description.version, partial.version.isSame(as: version) else { return nil }
        let here = partial.ranges ?? ByteRanges(0..<partial.completed)
        let needed = here.ranges.last?.upperBound ?? 0
        guard needed > 0, needed <= size, let name = try? FileName(partial.file) else { return nil }
        let downloads = try Directory(path: layout.downloadsDirectory)
        guard let status = try downloads.status(of: name), status.kind == .regular else { return nil }
        let present = try downloads.open(name)
        guard clinux_has_writer(present.number) != 0 else {
            return try PartialFile.openInParts(
                name, in: downloads, size: UInt64(clamping: size), needed: UInt64(clamping: needed)
            ).map { ($0, here) }
        }
        // The process of the earlier attempt still has the file open and may write to it at any time.
        let fresh = try PartialFile.create(freshName(), in: downloads)
        do {
            let destination = try fresh.makeDestination()
            _ = try FileCopier.copy(
                from: present.number, to: destination.number, bound: status.size, cancellation: cancellation)
            try fresh.truncate(to: UInt64(clamping: size))
            try fresh.synchronize()
            try downloads.remove(name)
            return (fresh, here)
        } catch {
            try? fresh.remove()
            return nil
        }
    }

    /// Syncs the file of a content that is fetched in parts, then records what it has.
    func record(_ content: SparseContent, _ here: ByteRanges) async throws {
        try await record(content.item, content.file, here, content.size)
    }

    private func record(_ item: RemoteItem, _ file: PartialFile, _ here: ByteRanges, _ size: Int64) async throws {
        try await worker.run { _ in try file.synchronize() }
        try await partials.save(
            PartialDownload(
                key: item.key, file: file.name.description, version: item.description.version, completed: here.prefix,
                total: size, ranges: here))
    }

    // MARK: Use

    private func began(_ key: ItemKey) { inUse.keys.withLock { $0[key, default: 0] += 1 } }

    /// The file of a document is no longer written to, and may be removed to make room.
    func ended(_ key: ItemKey) {
        inUse.keys.withLock { keys in
            keys[key, default: 1] -= 1
            if keys[key] == 0 { keys[key] = nil }
        }
    }

    /// Removes files that nobody reads or writes, to make room.
    ///
    /// - Parameter domain: only those of this domain; nil for all.
    package func discardIdle(of domain: DomainKey?) async throws {
        for partial in try await partials.all() where domain == nil || domain == DomainKey(partial.key) {
            if inUse.keys.withLock({ $0[partial.key] == nil }) { try await discard(partial) }
        }
    }

    /// Removes the file of a document, if nobody reads or writes it.
    package func discardIdle(_ key: ItemKey) async throws {
        guard inUse.keys.withLock({ $0[key] == nil }), let partial = try await partials.partial(key) else { return }
        try await discard(partial)
    }

    private static func freshName() throws -> FileName {
        let number = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        return try FileName(String(number.0, radix: 36) + "-" + String(number.1, radix: 36))
    }

    /// Syncs the file, then records how much of an item's version it holds.
    func record(_ item: RemoteItem, _ file: PartialFile, _ completed: Int64, _ total: Int64?) async throws {
        guard item.description.version != nil else { return }
        // The provider's count is capped at the length of the file.
        let length = try await worker.run { _ in
            try file.synchronize()
            return Int64(clamping: try file.size)
        }
        try await partials.save(
            PartialDownload(
                key: item.key, file: file.name.description, version: item.description.version,
                completed: min(completed, length), total: total))
    }

    /// Removes a file and its record.
    func discard(_ item: RemoteItem, _ file: PartialFile) async {
        try? await partials.remove(item.key)
        try? await worker.run { _ in try file.remove() }
    }

    /// Removes the record of a file that was published.
    func published(_ item: RemoteItem) async throws {
        if try await partials.partial(item.key) != nil { try await partials.remove(item.key) }
    }

    /// Removes the partial downloads of a domain that is being removed, and their records.
    func discardAll(of domain: DomainKey) async throws {
        for partial in try await partials.all() where DomainKey(partial.key) == domain { try await discard(partial) }
    }

    private func discard(_ partial: PartialDownload) async throws {
        try await partials.remove(partial.key)
        try await worker.run { [layout] _ in
            guard let name = try? FileName(partial.file) else { return }
            try Directory(path: layout.downloadsDirectory).remove(name)
        }
    }

    /// Removes files without a record, and records of items that are not in the index: remains of a killed process.
    /// Runs at start, before any download.
    package func sweep(_ index: ItemIndex) async throws {
        var named: Set<String> = []
        for partial in try await partials.all() {
            if try await index.item(partial.key) == nil {
                try await discard(partial)
            } else {
                named.insert(partial.file)
            }
        }
        let kept = named
        try await worker.run { [layout] _ in
            let downloads = try Directory(path: layout.downloadsDirectory)
            for name in try downloads.names() where !kept.contains(name.description) {
                if try downloads.status(of: name)?.kind == .regular { try downloads.remove(name) }
            }
        }
    }
}
