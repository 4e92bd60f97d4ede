import CLinux
import Glibc
import Synchronization

/// Content that must not be lost and has no place in the container: conflict versions, recovered sessions, changes that
/// cannot be sent. One folder for each item. What saves replace is in ``SupersededStore``.
package struct VersionStore: Sendable {
    /// Why a version was kept.
    package enum Reason: String, Sendable, CaseIterable {
        /// Our save displaced another program's save, or the document was changed on both sides.
        case conflict
        /// Its session ended without a commit.
        case recovered
        /// It was the current content until the user replaced it with another version.
        case replaced
        /// It was never sent, and can no longer be sent.
        case unsent
        /// The document was deleted remotely while it had local changes.
        case deleted
        /// It was the current content until a save replaced it.
        case superseded
        /// A client added it.
        case added
    }

    /// The place of a version.
    package struct Place: Hashable, Sendable {
        /// The item's folder.
        package let folder: FileName
        /// The file in it.
        package let file: FileName

        /// Creates a place.
        package init(folder: FileName, file: FileName) {
            self.folder = folder
            self.file = file
        }
    }

    private static let keyName = FileName(unchecked: Array("\(NameEscaping.reservedPrefix)item".utf8))
    // Held by all stores while a version is added or removed: the folder of an item goes with its last version, which
    // another version must not be entering.
    private static let folders = Mutex(())
    private let path: OwnPath

    /// Creates the store of a layout.
    package init(layout: StorageLayout) {
        path = layout.versionsDirectory
    }

    /// Moves a file here, durably. A second file of the same operation gets a number.
    @discardableResult
    package func keep(
        _ name: FileName, in directory: Directory, item: String, reason: Reason, operation: String
    ) throws -> Place {
        try add(item, reason, operation) { folder, kept in
            let outcome = directory.rename(name, to: folder, as: kept, flags: CLINUX_RENAME_NOREPLACE)
            if outcome == -EEXIST { return false }
            try checked(outcome, "keep the version", path: folder.shown(kept))
            return true
        }
    }

    /// Links a file here, durably; the content also stays where it is. Idempotent for each operation.
    ///
    /// - Parameter directory: on the file system of this store; the file must not be written to any more.
    package func keepLink(
        to name: FileName, in directory: Directory, item: String, reason: Reason, operation: String
    ) throws -> Place {
        guard let identity = try directory.status(of: name)?.identity else {
            throw FileSystemError(errno: ENOENT, "keep the version", path: directory.shown(name))
        }
        return try add(item, reason, operation) { folder, kept in
            if try directory.link(name, to: folder, as: kept) { return true }
            return try folder.status(of: kept)?.identity == identity
        }
    }

    /// The versions kept of an item, unordered.
    package func versions(of item: String) throws -> [FileName] {
        let root = try Directory(path: path)
        guard try root.status(of: NameEscaping.escape(item)) != nil else { return [] }
        return try root.directory(NameEscaping.escape(item)).names().filter {
            !$0.bytes.starts(with: NameEscaping.reservedPrefix.utf8)
        }
    }

    /// The version that an operation has already kept, and its size in bytes; nil when there is none.
    package func kept(
        _ operation: String, of item: String, _ reason: Reason
    ) throws -> (place: Place, size: UInt64)? {
        let folder = NameEscaping.escape(item)
        let root = try Directory(path: path)
        let file = try FileName("\(reason.rawValue)-\(operation)")
        guard try root.status(of: folder) != nil, let status = try root.directory(folder).status(of: file) else {
            return nil
        }
        return (Place(folder: folder, file: file), status.size)
    }

    /// Opens a kept version that is a whole file. `KeptContentStore` opens all of them.
    package func open(_ place: Place) throws -> OpenDescriptor {
        let file = try Directory(path: path).directory(place.folder).open(place.file)
        _ = try ForeignDescriptor.check(file.number, access: .readOnly)
        return file
    }

    /// Removes a kept version, at the user's decision, and its folder with the last one. A missing version is no error.
    /// `KeptContentStore` removes those that saves have replaced.
    package func remove(_ place: Place) throws {
        try Self.folders.withLock { _ in
            let root = try Directory(path: path)
            guard try root.status(of: place.folder) != nil else { return }
            let folder = try root.directory(place.folder)
            try folder.remove(place.file)
            try folder.sync()
            // Its folders stay: a save may be about to put something there.
            guard !SupersededStore.owns(place.folder) else { return }
            if try folder.names() == [Self.keyName] { try folder.remove(Self.keyName) }
            try root.removeEmptyDirectory(place.folder)
        }
    }

    // Tries the possible names of an operation's versions in the item's folder in turn.
    private func add(
        _ item: String, _ reason: Reason, _ operation: String, take: (Directory, FileName) throws -> Bool
    ) throws -> Place {
        try Self.folders.withLock { _ in
            let folder = try self.folder(of: item)
            var number = 1
            while true {
                let suffix = number == 1 ? "" : "-\(number)"
                let kept = try FileName("\(reason.rawValue)-\(operation)\(suffix)")
                if try take(folder, kept) {
                    try folder.sync()
                    return Place(folder: NameEscaping.escape(item), file: kept)
                }
                number += 1
            }
        }
    }

    private func folder(of item: String) throws -> Directory {
        let folder = try Directory(path: path).makeDirectory(NameEscaping.escape(item))
        if NameEscaping.isHashed(NameEscaping.escape(item)) {
            try IdentifierFile.write(item, named: Self.keyName, in: folder)
        }
        return folder
    }
}
