import DocentInterfaces
import Foundation
import HostCore
import Logging
import Records
package import RemoteDocuments
import Rights
package import Storage

/// Packages of remote providers: the client commits once, the package is published here as a whole, and only changed
/// elements are sent (N3). The ordinary document upload sends each element against the version that it is based on.
/// Removed elements are deleted last, and only if they are unchanged.
package struct RemotePackages: Sendable {
    private let parts: RemoteParts
    private let publisher: RemotePublisher
    private let uploads: RemoteUploads
    private let staging: PackageStaging
    private let worker: BlockingWorker

    package init(_ parts: RemoteParts, staging: PackageStaging, worker: BlockingWorker) {
        self.parts = parts
        publisher = RemotePublisher(parts)
        uploads = RemoteUploads(parts)
        self.staging = staging
        self.worker = worker
    }

    // MARK: Publishing

    /// Publishes a committed package locally and queues what has to be sent. The caller holds the package's lock.
    ///
    /// - Throws: ``Failure`` `Unavailable` if a folder has to be made and the provider cannot be reached; nothing is
    ///   visible then, and it is tried again.
    func publish(_ row: JournaledOperation, _ key: ItemKey, _ manifest: PackageManifest) async throws {
        let there = try await sendFirst(row, key, manifest)
        let folders = try await makeFolders(row, key, manifest)
        let list = Self.parts(row, key, manifest, folders, there)
        try await worker.run { [staging] _ in
            for (part, file) in list { try staging.link(file, of: row.id, as: part.id) }
            try staging.syncUploads()
        }
        try await parts.staged.packages.publishing(row) {
            let rows = try await parts.journal.addParts(list.map(\.part), of: row.id)
            for part in rows where part.state == .staged { try await publish(part, in: key) }
            parts.crash(.published)
            let replaced = row.item == nil ? nil : await replaced(by: row, key)
            _ = try await parts.journal.published(
                row.id, item: key.identifier, replaced: replaced,
                package: PackageElements.version(manifest, savedBy: row.id))
            parts.crash(.recorded)
            parts.superseded.recorded(replaced)
        }
        // Nobody has listed a package that was just made. It can be read even if its provider is away the next moment.
        if row.item == nil { try await parts.index.noteListed([key]) }
        // From here on the parts are sent, then removed elements are deleted.
        parts.states.set(.queued, of: key)
        Task { await follow(row, key, manifest) }
    }

    private func replaced(by row: JournaledOperation, _ key: ItemKey) async -> KeptVersion? {
        let name = try? await parts.index.item(key)?.description.name
        return await parts.superseded.version(ofPackage: key, for: row, name: name ?? row.name ?? key.identifier)
    }

    /// Sends a package with new folders first, so that these never become visible without their content.
    ///
    /// - Returns: its elements as the provider has them, by path; without those that are sent afterwards.
    private func sendFirst(
        _ row: JournaledOperation, _ key: ItemKey, _ manifest: PackageManifest
    ) async throws -> [BytewiseText: ItemDescription] {
        guard try await parts.journal.unsentParts(of: row.id).isEmpty else { return [:] }
        let whole = RemotePackageUploads(uploads)
        if try await !parts.staged.packages.isSent(row.id) {
            guard manifest.elements.contains(where: { $0.isFolder && $0.base == nil }),
                try await parts.journal.unsent(of: key).allSatisfy({ $0.id == row.id }),
                try await whole.sendFirst(row, .existing(key), manifest) != nil
            else { return [:] }
        }
        let there = try await whole.tree(key)
        // Elements that existed before are merged when they are settled. A folder precedes its content.
        let known = Set(manifest.elements.filter { $0.base != nil }.map { BytewiseText($0.path.text) })
        let new = there.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
        _ = try await parts.index.merge(new, provider: key.provider, domain: key.domain, at: .now)
        try await parts.index.noteListed(new.filter(\.isFolder).map { key.sibling($0.identifier) })
        return there
    }

    // If this is interrupted, the daemon's upkeep continues it later.
    private func follow(_ row: JournaledOperation, _ key: ItemKey, _ manifest: PackageManifest) async {
        for attempt in 0..<60 {
            try? await Task.sleep(for: .milliseconds(min(5_000, 100 << min(attempt, 6))))
            do {
                let isDone = try await parts.locks.withLock(on: key) { try await finish(row, key, manifest) }
                if isDone { return }
            } catch {
                return
            }
        }
    }

    private func publish(_ part: JournaledOperation, in package: ItemKey) async throws {
        do {
            if let element = part.itemKey {
                try await parts.locks.withLock(on: element) { try await publisher.publishWrite(part, element) }
            } else if let parent = part.parent, let name = part.name {
                try await publisher.publishCreation(part, in: package.sibling(parent), name: name)
            }
        } catch let failure as Failure {
            // Only this element fails: it is kept, and `docent versions` or `docent doctor` names it.
            parts.logger.notice(
                "an element of a package was kept",
                metadata: ["name": "\(part.name ?? "")", "why": "\(failure.message)"])
            if try await parts.journal.operation(part.id)?.state == .staged {
                _ = try await parts.journal.failed(part.id, reason: failure.message)
            }
        }
    }

    /// The parts and the staged file of each. The result is the same for the same operation. Pure.
    static func parts(
        _ row: JournaledOperation, _ key: ItemKey, _ manifest: PackageManifest, _ folders: [PackagePath: String],
        _ there: [BytewiseText: ItemDescription] = [:]
    ) -> [(part: Records.PackagePart, file: String)] {
        manifest.elements.compactMap { element in
            guard let content = element.content else { return nil }
            let parent = element.path.parent.flatMap { folders[$0] } ?? key.identifier
            let sent = there[BytewiseText(element.path.text)]
            let part = Records.PackagePart(
                id: "\(row.id)-\(content.file)", item: element.base?.identifier ?? sent?.identifier, parent: parent,
                name: element.path.name, baseVersion: sent?.version ?? element.base?.version, digest: content.digest,
                size: content.size)
            return (part, content.file)
        }
    }

    // MARK: Folders

    /// Makes a new package: complete if the provider can do that, else only its empty folder.
    ///
    /// - Throws: ``Failure``: `Conflict` if the name is taken; `Unavailable` if the provider cannot be reached. A
    ///   folder is never made only here.
    func makePackage(_ row: JournaledOperation, in folder: ItemKey) async throws -> ItemKey {
        guard let name = row.name else { throw JournalError.unreadable }
        // There was a kill after its elements were queued.
        if try await !parts.journal.unsentParts(of: row.id).isEmpty,
            let there = try await parts.index.child(named: name, of: folder)
        {
            return there.key
        }
        let made: ItemDescription
        do {
            made = try await make(name, row, in: folder)
        } catch let failure as Failure {
            guard failure.kind == .taken else { throw failure }
            throw Failure(
                .conflict, "There is already a \"\(name)\".", suggestion: "Choose another name.",
                provider: folder.provider)
        }
        let taken = try await parts.index.merge(
            [made], provider: folder.provider, domain: folder.domain, at: .now)
        return taken.first?.item.key ?? folder.sibling(made.identifier)
    }

    private func make(_ name: String, _ row: JournaledOperation, in folder: ItemKey) async throws -> ItemDescription {
        try await parts.deletions.makeRoom(for: name, in: folder)
        if let digest = row.digest {
            let manifest = try await parts.staged.packages.manifest(row.id, digest: digest)
            let whole = try await RemotePackageUploads(uploads).sendFirst(row, .new(name: name, in: folder), manifest)
            if let whole { return whole }
        }
        return ItemDescription(try await writes.makeFolder(name, in: folder, operation: "\(row.id)-p"))
    }

    private var writes: ProviderWrites { ProviderWrites(.account(parts.access)) }

    /// Makes the new folders.
    ///
    /// - Returns: the identifier of each folder of the package.
    private func makeFolders(
        _ row: JournaledOperation, _ key: ItemKey, _ manifest: PackageManifest
    ) async throws -> [PackagePath: String] {
        var known: [PackagePath: String] = [:]
        let folders = manifest.elements.filter(\.isFolder).sorted { $0.path.depth < $1.path.depth }
        for (number, folder) in folders.enumerated() {
            if let identifier = folder.base?.identifier {
                known[folder.path] = identifier
            } else {
                let parent = key.sibling(folder.path.parent.flatMap { known[$0] } ?? key.identifier)
                known[folder.path] = try await makeFolder(
                    folder.path.name, in: parent, operation: "\(row.id)-f\(number)")
            }
        }
        return known
    }

    private func makeFolder(_ name: String, in parent: ItemKey, operation: String) async throws -> String {
        if let there = try await parts.index.child(named: name, of: parent), there.description.isFolder {
            return there.key.identifier
        }
        let made: Wire.ProviderItem?
        var isEmpty = true
        do {
            try await parts.deletions.makeRoom(for: name, in: parent)
            made = try await writes.makeFolder(name, in: parent, operation: operation)
        } catch let failure as Failure {
            guard failure.kind == .taken else { throw failure }
            // Made before a kill, or elsewhere: either way it is the wanted folder.
            isEmpty = false
            made = try await parts.access.call(
                FileProviderInterface.Child.self, .init(domain: parent.domain, parent: parent.identifier, name: name),
                provider: parent.provider, domain: parent.domain
            ).item
        }
        guard let made, made.isFolder else {
            throw Failure(
                .conflict, "\"\(name)\" in the package is a file at \(parent.provider).",
                suggestion: "Read the package again, then save.", provider: parent.provider)
        }
        let taken = try await parts.index.merge(
            [ItemDescription(made)], provider: parent.provider, domain: parent.domain, at: .now)
        let identifier = taken.first?.item.key.identifier ?? made.identifier
        if isEmpty { try await parts.index.noteListed([parent.sibling(identifier)]) }
        return identifier
    }

    // MARK: Finishing

    /// Deletes removed elements once all parts are sent. Idempotent; does nothing before that. The caller holds the
    /// package's lock.
    ///
    /// - Returns: whether there is nothing left to do without the user.
    /// - Throws: ``Failure`` if the provider cannot be reached; it is tried again.
    @discardableResult
    func finish(_ row: JournaledOperation, _ key: ItemKey, _ manifest: PackageManifest) async throws -> Bool {
        guard let now = try await parts.journal.operation(row.id), !now.state.isFinal else { return true }
        let unsent = try await parts.journal.unsentParts(of: row.id)
        if let failed = unsent.first, unsent.allSatisfy({ $0.state == .failed }) {
            let reason = failed.reason ?? "an element cannot be sent"
            _ = try await parts.journal.failed(row.id, reason: reason)
            parts.states.set(.failed(reason), of: key)
            return true
        }
        guard unsent.isEmpty else { return false }
        // Without new content, no upload of an element has sent the package.
        if !manifest.elements.contains(where: { $0.content != nil }) {
            _ = try await RemotePackageUploads(uploads).send(row.id)
        }
        // Files first, then folders, deepest first: a folder can be deleted once it is empty.
        let order = manifest.removed.sorted {
            ($1.isFolder ? 1 : 0, $0.path.depth) > ($0.isFolder ? 1 : 0, $1.path.depth)
        }
        for base in order { try await remove(base, key) }
        let uploaded = try await parts.journal.uploaded(row.id)
        await parts.staged.metadata.remove(row.id)
        try? await worker.run { [staging] _ in try staging.remove(row.id) }
        if uploaded.state != .finished { _ = try await parts.journal.finished(row.id) }
        let others = try await parts.journal.unsent(of: key)
        if others.isEmpty { parts.states.set(nil, of: key) }
        parts.changes.contentChanged(key)
        return true
    }

    private func remove(_ base: PackageManifest.Base, _ package: ItemKey) async throws {
        guard let identifier = base.identifier else { return }
        let element = try await parts.current(package.sibling(identifier))
        // An earlier save of it is sent first; only then can the provider tell whether it is unchanged.
        guard try await parts.journal.unsent(of: element).isEmpty else {
            throw Failure(.unavailable, "\"\(base.path)\" is waiting to be sent.", provider: package.provider)
        }
        guard let item = try await parts.index.item(element) else { return }
        let wanted = try await version(base, item)
        guard base.isFolder || item.description.version.isSame(as: wanted) else { return keep(base) }
        do {
            _ = try await parts.access.call(
                FileProviderInterface.Delete.self,
                .init(
                    domain: element.domain, identifier: element.identifier, baseVersion: base.isFolder ? nil : wanted,
                    recursive: false),
                provider: element.provider, domain: element.domain)
        } catch let failure as Failure {
            if failure.kind.isTransient { throw failure }
            guard failure.kind == .missing || failure.kind == .unknownItem else { return keep(base) }
        }
        await parts.conflicts.keepUnsent(of: try await parts.index.remove(element))
    }

    // For an element that was unsent when the change began, this is the version that the provider has given it since.
    private func version(_ base: PackageManifest.Base, _ item: RemoteItem) async throws -> String? {
        guard let operation = LocalVersion(base.version)?.operation else { return base.version }
        return try await parts.journal.operation(operation)?.uploadedVersion ?? item.description.version
    }

    // The element was changed elsewhere, or something was put into it (HAZARDS 19), so it stays.
    private func keep(_ base: PackageManifest.Base) {
        parts.logger.notice(
            "an element of a package was changed elsewhere and stays", metadata: ["path": "\(base.path)"])
    }
}
