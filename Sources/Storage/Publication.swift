import CLinux
import Glibc

/// Step 6 of W: puts a staged file in an item's place, atomically, and keeps whatever it displaced that is not the
/// base.
struct Publication {
    let versions: VersionStore
    let staging: Directory
    let stagedName: FileName
    let place: ItemPlace
    let base: FileStamp?
    let item: String
    let operation: String

    // Where a file system cannot exchange names, the old file is linked here before it is replaced.
    private var displacedName: FileName { FileName(unchecked: Array(".old-\(operation)".utf8.prefix(255))) }

    /// Opens the item's folder, made if missing; a link planted by a provider is refused (F3).
    func openFolder() throws -> Directory {
        try Directory(path: place.container).makeDirectory(place.folder)
    }

    /// Renames the staged file onto the name. Afterwards the staged name, if it exists, is the displaced file.
    func rename(in folder: Directory) throws {
        try Self.rename(stagedName, in: staging, onto: place.name, in: folder, unless: renameWithoutFlags)
    }

    /// Renames a file onto a name, exchanging it with what is there.
    ///
    /// - Parameter fallback: what to do where the file system cannot exchange names; without one it replaces.
    static func rename(
        _ staged: FileName, in staging: Directory, onto name: FileName, in folder: Directory,
        unless fallback: ((Directory) throws -> Void)? = nil
    ) throws {
        func withoutFlags() throws {
            if let fallback { return try fallback(folder) }
            try checked(staging.rename(staged, to: folder, as: name, flags: 0), "publish", path: folder.shown(name))
        }
        for _ in 0..<64 {
            let fresh = staging.rename(staged, to: folder, as: name, flags: CLINUX_RENAME_NOREPLACE)
            if fresh == 0 { return }
            if fresh == -EINVAL { return try withoutFlags() }
            guard fresh == -EEXIST else {
                try checked(fresh, "publish", path: folder.shown(name))
                return
            }
            let exchanged = staging.rename(staged, to: folder, as: name, flags: CLINUX_RENAME_EXCHANGE)
            if exchanged == 0 { return }
            if exchanged == -EINVAL { return try withoutFlags() }
            // The name went away in between: the next round needs no exchange.
            guard exchanged == -ENOENT else {
                try checked(exchanged, "publish", path: folder.shown(name))
                return
            }
        }
        throw FileSystemError(.changed, "The name “\(name)” keeps changing.", path: folder.shown(name))
    }

    private func renameWithoutFlags(in folder: Directory) throws {
        if try folder.status(of: place.name) != nil {
            try staging.remove(displacedName)
            _ = try folder.link(place.name, to: staging, as: displacedName)
        }
        try checked(
            staging.rename(stagedName, to: folder, as: place.name, flags: 0), "publish",
            path: folder.shown(place.name))
    }

    /// Removes the displaced file if it is the base, keeps it as a conflict version if not; makes both folders durable.
    ///
    /// Idempotent: what is left of an interrupted run is settled by the next.
    func settle(in folder: Directory, published: FileIdentity) throws -> FileName? {
        // First the new name, then the removal of the old content.
        try folder.sync()
        var conflict: FileName?
        for name in [stagedName, displacedName] {
            guard let status = try staging.status(of: name) else { continue }
            if status.identity == published || status.stamp == base {
                try staging.remove(name)
            } else {
                conflict = try versions.keep(
                    name, in: staging, item: item, reason: .conflict, operation: operation
                ).file
            }
        }
        try staging.sync()
        return conflict
    }
}
