import CLinux
import Glibc

/// Publishes a staged file in an item's place, atomically, and keeps the displaced file unless it is the base (W6).
struct Publication {
    let versions: VersionStore
    let staging: Directory
    let stagedName: FileName
    let place: ItemPlace
    let base: FileStamp?
    let item: String
    let operation: String

    // Where a file system cannot exchange names, the old file is linked under this name before it is replaced.
    private var displacedName: FileName { FileName(unchecked: Array(".old-\(operation)".utf8.prefix(255))) }

    /// Renames the staged file to its final name. Afterwards the staged name, if it exists, is the displaced file.
    func rename(in folder: Directory) throws {
        try Self.rename(stagedName, in: staging, onto: place.name, in: folder, unless: renameWithoutFlags)
    }

    /// Renames a file to a name, exchanging it with an existing file.
    ///
    /// - Parameter fallback: the action when the file system cannot exchange names; without one, the existing file is
    ///   replaced.
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
            // The name has disappeared in the meantime: the next round needs no exchange.
            guard exchanged == -ENOENT else {
                try checked(exchanged, "publish", path: folder.shown(name))
                return
            }
        }
        throw FileSystemError(.changed, "The name \"\(name)\" keeps changing.", path: folder.shown(name))
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

    /// Removes the displaced file if it is the base, otherwise keeps it as a conflict version. Makes both folders
    /// durable.
    ///
    /// Idempotent: the next run completes an interrupted one.
    func settle(in folder: Directory, published: FileIdentity) throws -> FileName? {
        // The new name must be durable before the old content is removed.
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
