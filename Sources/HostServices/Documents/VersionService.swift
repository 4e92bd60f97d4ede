package import DocentInterfaces
import FoundationEssentials
import HostCore
package import Records
package import Rights
package import Storage

/// Versions of documents that are kept beside their current content: conflicts, unsent changes, uncommitted writes.
package struct VersionService: Sendable {
    private let versions: KeptVersionStore
    private let layout: StorageLayout
    private let worker: BlockingWorker

    package init(versions: KeptVersionStore, layout: StorageLayout, worker: BlockingWorker) {
        self.versions = versions
        self.layout = layout
        self.worker = worker
    }

    /// The kept versions of a document, or all kept versions.
    package func list(of key: ItemKey?) async throws -> [Wire.Version] {
        try await versions.list(of: key).map(Self.wire)
    }

    /// Opens a kept version for reading.
    ///
    /// - Throws: ``Failure`` `NotFound`.
    package func open(_ identifier: String) async throws -> (version: Wire.Version, file: OpenDescriptor) {
        let version = try await require(identifier)
        let file = try await worker.run { [layout] _ in
            try VersionStore(layout: layout).open(Self.place(version))
        }
        return (Self.wire(version), file)
    }

    /// Deletes a kept version permanently.
    ///
    /// - Returns: the document of the version, and whether this resolves its last conflict.
    /// - Throws: ``Failure`` `NotFound`.
    @discardableResult
    package func remove(_ identifier: String) async throws -> (key: ItemKey, endsConflict: Bool) {
        let version = try await require(identifier)
        try await worker.run { [layout] _ in
            try VersionStore(layout: layout).remove(Self.place(version))
        }
        try await versions.remove(version.id)
        guard version.reason == .conflict else { return (version.key, false) }
        let isLast = try await versions.list(of: version.key).allSatisfy { $0.reason != .conflict }
        return (version.key, isLast)
    }

    private func require(_ identifier: String) async throws -> KeptVersion {
        guard let version = try await versions.version(identifier) else {
            throw Failure(
                .notFound, "There is no version \(identifier).", suggestion: "`docent versions` lists what is kept.")
        }
        return version
    }

    private static func place(_ version: KeptVersion) throws -> VersionStore.Place {
        VersionStore.Place(folder: try FileName(version.folder), file: try FileName(version.file))
    }

    private static func wire(_ version: KeptVersion) -> Wire.Version {
        Wire.Version(
            identifier: version.id, reference: version.key.reference, name: version.name,
            reason: version.reason.rawValue, size: Int(version.size), created: version.created.timeIntervalSince1970)
    }
}
