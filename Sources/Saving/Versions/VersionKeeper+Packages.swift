import DocentInterfaces
import HostCore
import Records
import RemoteDocuments
import Rights
import Storage

// Packages are kept as a whole: what a version has in common with what is kept or used anyway is stored once.
extension VersionKeeper {
    /// Puts aside the package that a frozen change will replace. May be repeated.
    ///
    /// - Parameters:
    ///   - elements: lists the elements of packages whose provider is local.
    ///   - isRestoring: whether an earlier version takes its place.
    /// - Throws: ``Failure`` `NoSpace` as for a document.
    func prepare(
        _ row: JournaledOperation, package given: ItemKey, _ manifest: PackageManifest, _ elements: PackageElements,
        isRestoring: Bool
    ) async throws {
        try await keeping(given, isRestoring: isRestoring) { reason in
            let key = try await parts.current(given)
            let isRemote = try await gateway.isRemote(key.provider)
            let now =
                try await isRemote ? gateway.rememberedElements(of: key) : elements.all(of: key)
            // If somebody else has saved meanwhile, the provider keeps that beside the package.
            guard isRemote || Optional(PackageElements.version(now)).isSame(as: row.baseVersion) else { return }
            guard try await !changesNothing(row, manifest, key, isRemote: isRemote) else { return }
            if !isRemote, reason == .superseded {
                // It would be thinned out at once.
                let size = now.reduce(0) { $0 + ($1.size ?? 0) }
                if try await size > parts.superseded.room(policies.global) { return }
            }
            try await parts.superseded.beginPackage(for: row)
            do {
                guard let kept = try await keep(now, of: key, for: row, replacing: manifest, isRemote: isRemote) else {
                    return await parts.superseded.discardPackage(for: row)
                }
                try await parts.superseded.finishPackage(for: row, kept, as: reason)
            } catch {
                // In a task of its own: this one may be cancelled.
                await Task { [parts] in await parts.superseded.discardPackage(for: row) }.value
                throw error
            }
        }
    }

    /// - Returns: nil if no content that is replaced is on this machine.
    private func keep(
        _ now: [PackageManifest.Base], of key: ItemKey, for row: JournaledOperation,
        replacing manifest: PackageManifest, isRemote: Bool
    ) async throws -> KeptPackage? {
        let former = isRemote ? [:] : try await former(of: key)
        let replaced = Self.replaced(by: manifest)
        var kept: [KeptPackage.Element] = []
        var (keepsReplaced, modified) = (false, nil as Double?)
        for (number, element) in now.enumerated() {
            var result = KeptPackage.Element(
                path: element.path, isFolder: element.isFolder, size: element.size, version: element.version)
            if !element.isFolder, let identifier = element.identifier {
                let given = key.sibling(identifier)
                let content: (file: String, size: Int64)?
                if isRemote {
                    let kept = try await keepCopy(of: given, number: number, for: row)
                    modified = [modified, kept.modified].compactMap(\.self).max()
                    content = kept.content
                } else {
                    let open = try await gateway.content(given)
                    modified = [modified, open.item.modificationDate].compactMap(\.self).max()
                    content = try await parts.superseded.keep(
                        copyOf: open.descriptor, number: number, for: row, like: former[element.path])
                }
                if let content {
                    (result.file, result.size) = (content.file, content.size)
                    if replaced.contains(element.path) { keepsReplaced = true }
                }
            }
            kept.append(result)
        }
        guard keepsReplaced || replaced.isEmpty else { return nil }
        return KeptPackage(elements: kept, version: PackageElements.version(now), modified: modified)
    }

    /// Keeps the local copy of an element, if there is one. Under the lock, because the end of an upload moves the copy
    /// to another identifier.
    private func keepCopy(
        of given: ItemKey, number: Int, for row: JournaledOperation
    ) async throws -> (content: (file: String, size: Int64)?, modified: Double?) {
        try await parts.locks.withLock(on: given) {
            let item = try await parts.current(given)
            guard let known = try await parts.index.item(item) else { return (nil, nil) }
            let modified = known.description.modificationDate
            guard let local = known.local else { return (nil, modified) }
            return (try await parts.places.keepElement(local, of: item, number: number, by: row.id), modified)
        }
    }

    /// The files of the newest version that is kept, by their paths.
    private func former(
        of key: ItemKey
    ) async throws -> [PackagePath: (place: VersionStore.Place, file: String)] {
        guard let newest = try await parts.conflicts.versions.list(of: key).last(where: \.isPackage),
            let (place, package) = try? await parts.superseded.list(newest)
        else { return [:] }
        let files = package.elements.compactMap { element in
            element.file.map { (element.path, (place: place, file: $0)) }
        }
        return Dictionary(files) { first, _ in first }
    }

    /// The paths of the files whose content a change replaces, moves or removes. Pure.
    private static func replaced(by manifest: PackageManifest) -> Set<PackagePath> {
        let changed = manifest.elements.filter { element in
            element.base?.isFolder == false && (element.content != nil || element.source != nil)
        }
        return Set(changed.map(\.path) + manifest.removed.filter { !$0.isFolder }.map(\.path))
    }

    /// Whether a change leaves every element as it is.
    private func changesNothing(
        _ row: JournaledOperation, _ manifest: PackageManifest, _ key: ItemKey, isRemote: Bool
    ) async throws -> Bool {
        let mayBeSame = manifest.elements.allSatisfy { element in
            guard let base = element.base, element.source == nil else { return false }
            guard let content = element.content else { return true }
            return base.size.map { $0 == content.size } ?? true
        }
        guard mayBeSame, manifest.removed.isEmpty else { return false }
        for element in manifest.elements {
            guard let content = element.content, let identifier = element.base?.identifier else { continue }
            let item = try await parts.current(key.sibling(identifier))
            let before: OpenDescriptor?
            if isRemote {
                guard let known = try await parts.index.item(item) else { return false }
                before = try await parts.local.open(known)
            } else {
                before = try await gateway.content(item).descriptor
            }
            guard let before, try await parts.staged.packages.isEqual(content, of: row.id, to: before) else {
                return false
            }
        }
        return true
    }
}
