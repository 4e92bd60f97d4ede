import CLinux
import Glibc

/// Content that must not be lost and has no place in the container: conflict versions and recovered sessions.
package struct VersionStore: Sendable {
    /// Why a version was kept.
    package enum Reason: String, Sendable, CaseIterable {
        /// Another program's save was displaced by ours.
        case conflict
        /// A session died uncommitted.
        case recovered
    }

    private static let keyName = FileName(unchecked: Array("\(NameEscaping.reservedPrefix)item".utf8))
    private let path: String

    /// Makes the store of a layout.
    package init(layout: StorageLayout) {
        path = layout.versionsDirectory
    }

    /// Moves a file here. Idempotent by operation: a second one of the same operation gets a number.
    package func keep(_ name: FileName, in directory: Directory, item: String, reason: Reason, operation: String) throws
        -> FileName
    {
        let folder = try self.folder(of: item)
        var number = 1
        while true {
            let suffix = number == 1 ? "" : "-\(number)"
            let kept = try FileName("\(reason.rawValue)-\(operation)\(suffix)")
            let outcome = directory.rename(name, to: folder, as: kept, flags: CLINUX_RENAME_NOREPLACE)
            if outcome == -EEXIST {
                number += 1
                continue
            }
            try checked(outcome, "keep the version", path: folder.shown(kept))
            try folder.sync()
            return kept
        }
    }

    /// The versions kept of an item, unordered.
    package func versions(of item: String) throws -> [FileName] {
        let root = try Directory(path: path)
        guard try root.status(of: NameEscaping.escape(item)) != nil else { return [] }
        return try root.directory(NameEscaping.escape(item)).names().filter { $0 != Self.keyName }
    }

    /// Opens a kept version for reading.
    package func open(_ version: FileName, of item: String) throws -> OpenDescriptor {
        let file = try Directory(path: path).directory(NameEscaping.escape(item)).open(version)
        _ = try ForeignDescriptor.check(file.number, access: .readOnly)
        return file
    }

    /// Removes a kept version, when the user has decided.
    package func remove(_ version: FileName, of item: String) throws {
        let root = try Directory(path: path)
        guard try root.status(of: NameEscaping.escape(item)) != nil else { return }
        try root.directory(NameEscaping.escape(item)).remove(version)
    }

    private func folder(of item: String) throws -> Directory {
        let folder = try Directory(path: path).makeDirectory(NameEscaping.escape(item))
        if NameEscaping.isHashed(NameEscaping.escape(item)) {
            try IdentifierFile.write(item, named: Self.keyName, in: folder)
        }
        return folder
    }
}
