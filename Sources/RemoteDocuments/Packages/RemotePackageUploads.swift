import DocentInterfaces
import FoundationEssentials
import HostCore
package import Records
package import Rights
package import Storage
import Synchronization
import Varlink

/// Sends committed packages to remote providers that replace them as a whole: other users of the service see either the
/// old or the new package. Unchanged and moved elements are not sent (N3).
///
/// It replaces the uploads of single elements, and falls back to them in two cases: the provider cannot do it, or
/// someone else has changed the package. Then each side keeps its changes (HAZARDS 5).
package struct RemotePackageUploads: Sendable {
    private let uploads: RemoteUploads
    private var parts: RemoteParts { uploads.parts }
    private var packages: StagedPackages { uploads.parts.staged.packages }

    /// Creates the sender on top of the uploads of single documents.
    package init(_ uploads: RemoteUploads) { self.uploads = uploads }

    /// Sends a committed change of a package, after the changes before it.
    ///
    /// - Parameter report: receives the number of bytes sent, and the total.
    /// - Returns: false when the elements have to be sent one by one.
    /// - Throws: ``Failure`` when it has to be tried again.
    package func send(
        _ id: String, _ report: @escaping @Sendable (Int64, Int64?) -> Void = { _, _ in }
    ) async throws -> Bool {
        guard let begun = try await parts.journal.operation(id),
            let whole = try await packages.publishing(begun, { try await parts.journal.operation(id) }),
            !packages.isByElement(id)
        else { return false }
        guard let given = whole.itemKey else {
            // The elements of a new package are not sent separately: after a kill it is published first.
            guard whole.state == .staged else { return false }
            throw Failure(.unavailable, "The package has to be published first.", provider: whole.provider)
        }
        let key = try await parts.current(given)
        return try await packages.locks.withLock(on: key) {
            for change in try await parts.journal.unsent(of: key) where change.kind == .package {
                let isSent: Bool
                do {
                    isSent = try await sendNow(change, key, report)
                } catch {
                    // Whoever finishes a save that was sent removes its content, and does not wait for this lock.
                    if try await parts.journal.operation(change.id)?.isUnsent != true { continue }
                    if let failure = error as? Failure { try await noteFailure(failure, change) }
                    throw error
                }
                parts.replaced.end(change.id)
                if change.id == id { return isSent }
                guard isSent else { throw Self.waiting(key) }
            }
            // Another task has sent it.
            return try await parts.journal.unsentParts(of: id).isEmpty
        }
    }

    // If the attempt has to be repeated, the provider may still have the package: its reply was lost, or it could not
    // be asked.
    private func noteFailure(_ failure: Failure, _ change: JournaledOperation) async throws {
        guard UploadVerdict(failure, isCreation: false) != .retry else { return }
        if let obstacle = await parts.access.obstacle(change.provider) { throw obstacle }
        parts.replaced.end(change.id)
    }

    private static func waiting(_ key: ItemKey) -> Failure {
        Failure(
            .unavailable, "An earlier save of the package has to be sent first.", provider: key.provider)
    }

    private func sendNow(
        _ whole: JournaledOperation, _ key: ItemKey, _ report: @Sendable (Int64, Int64?) -> Void
    ) async throws -> Bool {
        guard !packages.isByElement(whole.id), whole.state != .failed, let digest = whole.digest,
            try await parts.access.features(key.provider).contains("packages")
        else { return false }
        let manifest = try await packages.manifest(whole.id, digest: digest)
        let changed = try await parts.journal.unsentParts(of: whole.id)
        guard !changed.contains(where: { $0.state == .failed }) else { return false }
        let isSent = try await packages.isSent(whole.id)
        let contents = manifest.elements.count { $0.content != nil }
        // It was sent while this waited for the lock, and is not finished yet.
        if changed.isEmpty, contents > 0, !isSent { return true }
        // If some elements were sent one by one, the others are sent that way too. If it was sent as a whole, some may
        // be settled already.
        guard isSent || changed.count == contents else { return false }
        for part in changed { try await requireTurn(part, key) }
        guard !isSent else {
            try await settle(whole, key, manifest, changed, isSent: true)
            return true
        }
        guard let elements = try await wire(manifest, key) else { return false }
        do {
            _ = try await replace(whole, digest, .existing(key), manifest, elements, report)
        } catch let failure as Failure {
            guard failure.kind.mayPassInParts else { throw failure }
            packages.setByElement(whole.id)
            return false
        }
        try await settle(whole, key, manifest, changed)
        return true
    }

    /// Sends a package before any part of it is published here, because it is new or has new folders: it is never
    /// visible without its contents. That it was sent is recorded durably.
    ///
    /// - Returns: the package; nil when its elements have to be sent one by one.
    /// - Throws: ``Failure``, for a new package only.
    package func sendFirst(
        _ whole: JournaledOperation, _ target: Target, _ manifest: PackageManifest
    ) async throws -> ItemDescription? {
        guard !packages.isByElement(whole.id), let digest = whole.digest,
            try await parts.access.features(target.key.provider).contains("packages")
        else { return nil }
        return try await packages.locks.withLock(on: target.key) {
            do {
                guard let elements = try await wire(manifest, target.key) else { return nil }
                let item = try await replace(whole, digest, target, manifest, elements) { _, _ in }
                try await packages.noteSent(whole.id)
                return item.map { ItemDescription($0) }
            } catch let failure as Failure {
                try await noteFailure(failure, whole)
                if case .existing = target { return nil }
                guard failure.kind == .unsupported else { throw failure }
                packages.setByElement(whole.id)
                return nil
            }
        }
    }

    /// The package to send.
    package enum Target {
        /// An existing package.
        case existing(ItemKey)
        /// A new package in a folder.
        case new(name: String, in: ItemKey)

        /// The package, or the folder.
        var key: ItemKey {
            switch self {
            case .existing(let key), .new(_, let key): key
            }
        }

        func parameters(
            _ whole: JournaledOperation, _ digest: String, _ elements: [Wire.PackagePart]
        ) -> FileProviderInterface.BeginPackage.Parameters {
            switch self {
            case .existing(let key):
                .init(
                    domain: key.domain, identifier: key.identifier, elements: elements, digest: digest,
                    operation: whole.id)
            case .new(let name, let folder):
                .init(
                    domain: folder.domain, parent: folder.identifier, name: name, elements: elements, digest: digest,
                    operation: whole.id)
            }
        }
    }

    // Earlier saves of an element go first.
    private func requireTurn(_ part: JournaledOperation, _ package: ItemKey) async throws {
        guard part.state != .staged else { throw Self.waiting(package) }
        guard let given = part.itemKey else { return }
        let first = try await parts.journal.unsent(of: parts.current(given)).first { $0.kind != .package }
        guard first?.id == part.id else { throw Self.waiting(package) }
    }

    // MARK: The provider's side

    private func replace(
        _ whole: JournaledOperation, _ digest: String, _ target: Target, _ manifest: PackageManifest,
        _ elements: [Wire.PackagePart], _ report: @Sendable (Int64, Int64?) -> Void
    ) async throws -> Wire.ProviderItem? {
        let key = target.key
        let package = ProviderWrites.Package(
            key: key, parameters: target.parameters(whole, digest, elements), manifest: manifest)
        var hasBegun = false
        do {
            let reply = try await ProviderWrites(.account(parts.access)).replace(
                package, parts.staged.metadata, open: { try packages.open($0, of: whole.id) },
                check: { needed in
                    // The provider has compared its state and commits only if it does not change. Earlier changes are
                    // detected here.
                    if case .existing = target { try await requireBase(manifest, key, needed) }
                    hasBegun = true
                },
                progress: { report($0, manifest.size) },
                commits: {
                    // From here on, clients could see versions that are not yet known to be ours.
                    if case .existing(let package) = target { parts.replaced.begin(whole.id, of: package) }
                })
            parts.crash(.sent)
            return reply.item
        } catch let failure as Failure where hasBegun && failure.kind == .missing {
            // A restarted provider process does not know the unfinished package: it is begun again.
            throw Failure(.unavailable, failure.message, provider: key.provider)
        }
    }

    /// Refuses to replace what someone else has changed, removed or added. Then the elements are sent one by one, so
    /// that each side keeps its changes (HAZARDS 5, 19).
    private func requireBase(_ manifest: PackageManifest, _ key: ItemKey, _ needed: Set<BytewiseText>) async throws {
        let there = try await tree(key)
        var known = Set((manifest.elements.map(\.path) + manifest.removed.map(\.path)).map { BytewiseText($0.text) })
        known.formUnion(manifest.elements.compactMap { $0.source.map { BytewiseText($0.path.text) } })
        guard there.keys.allSatisfy(known.contains) else { throw Self.changed(key) }
        // The provider has compared the elements that it does not need, or has stored them already.
        for element in manifest.elements where !element.isFolder && needed.contains(BytewiseText(element.path.text)) {
            let now = there[BytewiseText(element.path.text)]
            guard let base = element.base, !base.isFolder else {
                guard now == nil || now?.isFolder == true else { throw Self.changed(key) }
                continue
            }
            guard let now, try await now.version.isSame(as: version(base, key)) else { throw Self.changed(key) }
        }
        for base in manifest.removed where !base.isFolder {
            guard let now = there[BytewiseText(base.path.text)] else { continue }
            guard try await now.version.isSame(as: version(base, key)) else { throw Self.changed(key) }
        }
    }

    private static func changed(_ key: ItemKey) -> Failure {
        Failure(
            .conflict, "The package was changed elsewhere.", suggestion: "Read the package again, then save.",
            provider: key.provider)
    }

    /// The elements as sent to the provider; nil when it has one without a version that could be sent.
    private func wire(_ manifest: PackageManifest, _ key: ItemKey) async throws -> [Wire.PackagePart]? {
        var result: [Wire.PackagePart] = []
        for element in manifest.elements {
            var part = Wire.PackagePart(path: element.path.text, isFolder: element.isFolder)
            if let base = element.unchanged {
                guard let version = try await version(base, key) else { return nil }
                part.version = version
                part.from = element.source?.path.text
            } else if let content = element.content {
                part.size = Int(content.size)
                part.digest = content.digest
            }
            result.append(part)
        }
        return result
    }

    /// The provider's version of an element that stays. The versions from our own uploads and package replacements
    /// since then have the same content.
    private func version(_ base: PackageManifest.Base, _ package: ItemKey) async throws -> String? {
        guard let identifier = base.identifier else { return base.version }
        let key = try await parts.current(package.sibling(identifier))
        guard let now = try await parts.index.item(key)?.description.version else { return base.version }
        var known: [String?] = [base.version]
        if let operation = LocalVersion(base.version)?.operation {
            guard let sent = try await parts.journal.operation(operation)?.uploadedVersion else {
                throw Self.waiting(package)
            }
            known.append(sent)
        }
        let former = parts.states.former(of: key, version: now)
        if packages.isCopy(now, ofAny: known, key) { return now }
        if known.contains(now) || (former != nil && known.contains(former)) { return now }
        if let operation = LocalVersion(former)?.operation,
            let sent = try await parts.journal.operation(operation)?.uploadedVersion, known.contains(sent)
        {
            return now
        }
        return known.last ?? nil
    }

    // MARK: The outcome

    // The provider has the package. Each step may be repeated after a kill, because the provider then gives the same
    // answer.
    private func settle(
        _ whole: JournaledOperation, _ key: ItemKey, _ manifest: PackageManifest, _ changed: [JournaledOperation],
        isSent: Bool = false
    ) async throws {
        let there = try await tree(key)
        let ours = Dictionary(changed.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for element in manifest.elements where !element.isFolder {
            var description = there[BytewiseText(element.path.text)]
            if let content = element.content {
                guard let part = ours["\(whole.id)-\(content.file)"], let given = part.itemKey else { continue }
                let current = try await parts.current(given)
                // If someone else has changed it since, that is not our content.
                if isSent, let version = part.baseVersion { description?.version = version }
                if let description {
                    _ = try await uploads.confirm(part, current, description)
                } else {
                    try await parts.locks.withLock(on: current) {
                        try await parts.conflicts.keep(part, current, as: .deleted)
                    }
                }
            } else if let base = element.base, let description {
                try await stays(base, key, description)
            }
        }
        for base in manifest.removed.sorted(by: { $0.path.depth > $1.path.depth }) {
            guard let identifier = base.identifier else { continue }
            let element = try await parts.current(key.sibling(identifier))
            guard there[BytewiseText(base.path.text)] == nil else { continue }
            // A listing that is running may still contain it.
            parts.moves.left([element])
            await parts.conflicts.keepUnsent(of: try await parts.index.remove(element))
        }
    }

    // To the service, an element that stays is a new document: another version with the same content. It may have been
    // listed since, so that the index has the new version already.
    private func stays(
        _ base: PackageManifest.Base, _ package: ItemKey, _ description: ItemDescription
    ) async throws {
        guard let identifier = base.identifier else { return }
        let key = try await parts.current(package.sibling(identifier))
        try await parts.locks.withLock(on: key) {
            guard description.identifier.isSame(as: key.identifier), let item = try await parts.index.item(key),
                let new = description.version, let old = try await version(base, package), !old.isSame(as: new)
            else { return }
            // A different size means that it is not a copy: someone has written it since, and the next look finds that
            // out.
            if let size = description.size, let before = item.description.size, size != before { return }
            let sent = SentVersion(
                key: key, version: new, former: parts.states.former(of: key, version: old) ?? old)
            let copy = item.local?.version
            let isHere = copy.isSame(as: old) || packages.isCopy(old, ofAny: [copy], key)
            packages.noteCopy(of: old, as: new, key)
            parts.states.confirmed(sent)
            try await parts.index.confirm(description, of: key, former: sent.former, copy: isHere ? copy : nil)
            parts.changes.confirmed(key, version: new)
        }
    }

    /// All elements as the provider has them now, by path.
    package func tree(_ package: ItemKey) async throws -> [BytewiseText: ItemDescription] {
        var found: [BytewiseText: ItemDescription] = [:]
        var rest = [(identifier: package.identifier, prefix: "", depth: 1)]
        var entered: Set<BytewiseText> = [BytewiseText(package.identifier)]
        while let (identifier, prefix, depth) = rest.popLast() {
            var pages = PageSequence(provider: package.provider, folder: identifier)
            var page: String?
            repeat {
                let reply = try await parts.access.call(
                    FileProviderInterface.Children.self,
                    .init(domain: package.domain, parent: identifier, page: page), provider: package.provider,
                    domain: package.domain)
                for item in reply.items {
                    found[BytewiseText(prefix + item.name)] = ItemDescription(item)
                    // A folder that contains itself is entered only once.
                    guard item.isFolder, entered.insert(BytewiseText(item.identifier)).inserted else { continue }
                    guard depth <= PackagePath.maximumDepth else { throw PackageElements.tooMany }
                    rest.append((item.identifier, prefix + item.name + "/", depth + 1))
                }
                guard found.count <= 2 * PackagePath.maximumCount else { throw PackageElements.tooMany }
                page = try pages.next(reply.nextPage, items: reply.items.count)
            } while page != nil
        }
        return found
    }
}
