package import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Records
package import Rights
package import Storage

/// The versions that are kept beside documents: conflicts, unsent changes, uncommitted writes, and what was replaced.
/// For the administration, which may use all of them; ``DocumentVersions`` is for clients.
package struct VersionService: Sendable {
    let versions: KeptVersionStore
    private let content: KeptContentStore
    private let worker: BlockingWorker
    private let changes: ContentChanges
    private let packages = KeptPackages()

    package init(
        versions: KeptVersionStore, content: KeptContentStore, worker: BlockingWorker, changes: ContentChanges
    ) {
        self.versions = versions
        self.content = content
        self.worker = worker
        self.changes = changes
    }

    /// The kept versions of a document, or all kept versions, oldest first.
    ///
    /// - Parameter includingSuperseded: whether what saves replaced is listed too.
    package func list(of key: ItemKey?, includingSuperseded: Bool = true) async throws -> [Wire.Version] {
        try await versions.list(of: key, includingSuperseded: includingSuperseded).map { Self.wire($0) }
    }

    /// The versions that somebody has to decide about.
    package func conflicts(of key: ItemKey?) async throws -> [KeptVersion] { try await versions.conflicts(of: key) }

    /// Opens a kept version for reading.
    ///
    /// - Throws: ``Failure`` `NotFound`.
    package func open(_ identifier: String) async throws -> (version: Wire.Version, file: OpenDescriptor) {
        let version = try await require(identifier)
        return (Self.wire(version), try await open(version))
    }

    /// Opens the content of a version for reading.
    ///
    /// - Parameter path: the file to open in the version of a package.
    /// - Throws: ``Failure``: `NotFound` when it is gone or incomplete, for instance after a loss of power; `Failed`
    ///   when it is damaged; `InvalidArgument` for a package without a path, and for a path in a file.
    func open(_ version: KeptVersion, path: String? = nil) async throws -> OpenDescriptor {
        if version.isPackage { return try await open(path, inPackage: version) }
        guard path == nil else { throw Self.notPackage }
        return try await worker.run { [content] cancellation in
            do {
                let file = try content.open(Self.place(version), cancellation: cancellation)
                guard try FileStatus(of: file.number).size == UInt64(clamping: version.size) else {
                    throw Self.lost(version)
                }
                return file
            } catch let error as FileSystemError where error.code == .notFound {
                throw Self.lost(version)
            } catch let error as FileSystemError where error.code == .corrupt {
                throw Failure(
                    .failed, "The content of the version \(version.id) is damaged on this machine. \(error.message)",
                    suggestion: "`docent history` lists the other versions.")
            }
        }
    }

    private func open(_ text: String?, inPackage version: KeptVersion) async throws -> OpenDescriptor {
        guard let text else {
            throw Failure(
                .invalidArgument, "The version \(version.id) is a package, and a package is a folder.",
                suggestion:
                    "`docent restore LOCATION --version \(version.id) --to LOCATION` makes a document of it.")
        }
        let entry = try await package(version)
        guard let element = entry.element(try PackagePath(text)), !element.isFolder else {
            throw Failure(.notFound, "There is no file \"\(text)\" in the version \(version.id).")
        }
        guard !element.isMissing else {
            throw Failure(
                .notFound, "\"\(text)\" was not on this machine when the version \(version.id) was kept.")
        }
        return try await worker.run { [content] _ in
            do {
                return try content.packages.open(element, of: entry.place)
            } catch let error as FileSystemError where error.code == .notFound {
                throw Self.lost(version)
            }
        }
    }

    /// The elements in the version of a package.
    ///
    /// - Throws: ``Failure``: `NotFound` when it is gone; `InvalidArgument` for a version that is a file.
    func package(_ version: KeptVersion) async throws -> KeptPackages.Entry {
        guard version.isPackage else { throw Self.notPackage }
        if let known = packages.entry(version.id) { return known }
        let entry = try await worker.run { [content] _ in
            do {
                let place = try Self.place(version)
                return KeptPackages.Entry(place, try content.packages.list(place))
            } catch let error as FileSystemError where error.code == .notFound {
                throw Self.lost(version)
            }
        }
        packages.note(entry, version.id)
        return entry
    }

    static var notPackage: Failure {
        Failure(.invalidArgument, "This version is a single file.", suggestion: "Open it without a path.")
    }

    /// Deletes a kept version permanently. Presenters of its document are notified.
    ///
    /// - Throws: ``Failure`` `NotFound`.
    package func remove(_ identifier: String) async throws { try await remove(try await require(identifier)) }

    /// Deletes a version permanently, its content first. Presenters of its document are notified.
    func remove(_ version: KeptVersion) async throws {
        try await worker.run { [content] _ in try content.remove([Self.place(version)], isDurable: true) }
        packages.forget(version.id)
        try await versions.remove(version.id)
        changes.versionKept(version.id, of: version.key, isGone: true)
        changes.descriptionChanged(version.key)
        guard version.isUnresolved, try await versions.conflicts(of: version.key).isEmpty else { return }
        changes.conflictResolved(version.id, of: version.key)
    }

    /// The version with an id.
    ///
    /// - Throws: ``Failure`` `NotFound`.
    func require(_ identifier: String) async throws -> KeptVersion {
        guard let version = try await versions.version(identifier) else { throw Self.unknown(identifier) }
        return version
    }

    static func unknown(_ identifier: String) -> Failure {
        Failure(
            .notFound, "There is no version \(identifier).",
            suggestion: "`docent history` lists the versions of a document, `docent versions` what is kept beside all.")
    }

    private static func lost(_ version: KeptVersion) -> Failure {
        Failure(
            .notFound, "The content of the version \(version.id) is no longer on this machine.",
            suggestion: "`docent history` lists the other versions.")
    }

    private static func place(_ version: KeptVersion) throws -> VersionStore.Place {
        VersionStore.Place(folder: try FileName(version.folder), file: try FileName(version.file))
    }

    /// A version for the administration.
    static func wire(_ version: KeptVersion, path: String? = nil) -> Wire.Version {
        Wire.Version(
            identifier: version.id, reference: version.key.reference, name: version.name,
            reason: version.reason.rawValue, size: Int(version.size), created: version.created.timeIntervalSince1970,
            isUnresolved: version.isUnresolved ? true : nil, path: path,
            modificationDate: version.modified?.timeIntervalSince1970, savedBy: version.savedBy?.identifier,
            host: version.host)
    }
}
