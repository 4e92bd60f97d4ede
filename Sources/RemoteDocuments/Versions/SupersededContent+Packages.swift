import DocentInterfaces
import FoundationEssentials
import HostCore
import Logging
package import Records
package import Rights
package import Storage

// Packages that saves replace: put aside element by element, and kept as a whole.
extension SupersededContent {
    // MARK: Before the commit

    /// Begins to put a package aside. What an earlier attempt has put aside for the same save is removed.
    package func beginPackage(for row: JournaledOperation) async throws {
        try await worker.run { [packages] _ in try packages.begin(row.id) }
    }

    /// Puts a copy of an element aside.
    ///
    /// - Parameters:
    ///   - number: unique among the elements.
    ///   - former: a file that is kept already and may be equal.
    /// - Throws: `.noSpace`; like `FileCopier.copy`.
    package func keep(
        copyOf content: OpenDescriptor, number: Int, for row: JournaledOperation,
        like former: (place: VersionStore.Place, file: String)?
    ) async throws -> (file: String, size: Int64) {
        try await worker.run { [packages] cancellation in
            try packages.add(
                copyOf: content, number: number, of: row.id, like: former, cancellation: cancellation)
        }
    }

    /// Completes what was put aside for a save.
    package func finishPackage(
        for row: JournaledOperation, _ package: KeptPackage, as reason: VersionStore.Reason
    ) async throws {
        try await worker.run { [packages] _ in _ = try packages.finish(row.id, package, reason) }
    }

    /// Removes what was put aside for a save.
    package func discardPackage(for row: JournaledOperation) async {
        try? await worker.run { [packages] _ in try packages.discard(row.id) }
    }

    /// Where a kept package is, and what it contains.
    package func list(
        _ version: KeptVersion
    ) async throws -> (place: VersionStore.Place, package: KeptPackage) {
        try await worker.run { [packages] _ in
            let place = VersionStore.Place(folder: try FileName(version.folder), file: try FileName(version.file))
            return (place, try packages.list(place))
        }
    }

    // MARK: At the publication

    /// The version to record for a save of a package that is being published; nil if nothing was put aside for it. A
    /// save that its provider has is never held up by its version: a failure is logged.
    package func version(ofPackage key: ItemKey, for row: JournaledOperation, name: String) async -> KeptVersion? {
        do {
            let found = try await worker.run { [packages] _ in
                try packages.kept(row.id).map { (kept: $0, list: try packages.list($0.place)) }
            }
            guard let (kept, list) = found else { return nil }
            let origin = try await journal.origin(of: key, version: list.version)
            return KeptVersion(
                id: Self.identifier(row.id), key: key, name: name,
                reason: KeptVersion.Reason(rawValue: kept.reason.rawValue) ?? .superseded, size: list.size,
                created: .now, folder: kept.place.folder.text, file: kept.place.file.text, operation: row.id,
                savedBy: origin?.savedBy, host: origin == nil ? nil : host,
                modified: origin?.saved ?? list.modified.map(Date.init(timeIntervalSince1970:)),
                contentVersion: list.version)
        } catch {
            logger.warning(
                "a package that a save replaced is not kept",
                metadata: ["item": "\(key.identifier)", "why": "\(FailureMapping.failure(error).message)"])
            return nil
        }
    }
}
