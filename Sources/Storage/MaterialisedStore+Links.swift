import CLinux
import Glibc

// Content that is in an item's place and elsewhere at the same time, as the same inode: a save that waits to be sent.
extension MaterialisedStore {
    /// Links committed content from `Uploads` into an item's place, durably; it stays in `Uploads`. The file is made
    /// read-only (0400). Readers see either the old or the new content, always complete.
    ///
    /// Idempotent: if the same inode is in the place already, it only completes an interrupted run.
    /// - Parameters:
    ///   - name: the file in `uploads`. `staging` may hold, under the same name, another link to it or the file that an
    ///     interrupted run displaced.
    ///   - staging: on the file system of both.
    /// - Returns: the displaced file, without a name, opened for reading; nil when there was none. Its space is freed
    ///   with the descriptor.
    package func publishLink(
        _ name: FileName, in uploads: Directory, for identifier: String, at place: ItemPlace, staging: Directory
    ) throws -> OpenDescriptor? {
        let file = try uploads.open(name)
        try checked(clinux_fchmod(file.number, 0o400), "set the mode of the file", path: uploads.shown(name))
        let identity = try FileStatus(of: file.number).identity
        let folder = try itemFolder(place.folder, for: identifier)
        // If the file system cannot exchange names, only this descriptor is left of the old content.
        var before: OpenDescriptor?
        let present = try folder.status(of: place.name)
        if present?.identity != identity {
            if present?.kind == .regular { before = try folder.open(place.name) }
            if try staging.status(of: name)?.identity != identity {
                try staging.remove(name)
                _ = try uploads.link(name, to: staging, as: name)
            }
            try Publication.rename(name, in: staging, onto: place.name, in: folder)
        }
        // The new name must be durable before the old content is removed.
        try folder.sync()
        guard let left = try staging.status(of: name) else { return before }
        let displaced = left.identity == identity || left.kind != .regular ? nil : try staging.open(name)
        try staging.remove(name)
        try staging.sync()
        return displaced
    }

    /// Gives an item's content a second place, durably: needed for a new identifier before the index is updated.
    /// Afterwards ``remove(_:)`` removes the old place.
    ///
    /// Idempotent. Another file in the new place is replaced.
    /// - Returns: false when there is nothing in the old place.
    @discardableResult
    package func link(_ old: ItemPlace, to place: ItemPlace, for identifier: String, staging: Directory) throws -> Bool
    {
        let root = try Directory(path: old.container)
        guard try root.status(of: old.folder) != nil else { return false }
        let source = try root.directory(old.folder)
        guard let content = try source.status(of: old.name), content.kind == .regular else { return false }
        let folder = try itemFolder(place.folder, for: identifier)
        if try folder.status(of: place.name)?.identity != content.identity {
            let aside = FileName(unchecked: Array(".link-\(UInt64.random(in: .min ... .max))".utf8))
            guard try source.link(old.name, to: staging, as: aside) else { return false }
            do {
                try Publication.rename(aside, in: staging, onto: place.name, in: folder)
                try staging.remove(aside)
            } catch {
                try? staging.remove(aside)
                throw error
            }
        }
        try folder.sync()
        return true
    }

    /// Opens an item's folder; creates it with its identifier file if missing.
    func itemFolder(_ name: FileName, for identifier: String) throws -> Directory {
        let folder = try Directory(path: container).makeDirectory(name)
        if NameEscaping.isHashed(name) {
            try IdentifierFile.write(identifier, named: Self.identifierName, in: folder)
        }
        return folder
    }
}
