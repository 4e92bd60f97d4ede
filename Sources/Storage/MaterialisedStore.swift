import CLinux
import Glibc

/// Downloaded content of a domain's items: one folder for each item, named after its identifier, with one file in it.
///
/// No provider can write to it. Still, everything is reached through descriptors, links are refused, and opened files
/// are checked. Blocking.
package struct MaterialisedStore: Sendable {
    static let identifierName = FileName(unchecked: Array("\(NameEscaping.reservedPrefix)identifier".utf8))

    /// The folder of the domain's copies.
    package let container: OwnPath

    /// - Parameter container: an existing folder.
    package init(container: OwnPath) {
        self.container = container
    }

    /// The place for an item's content.
    ///
    /// - Parameter name: the declared name, any bytes; an illegal file name is escaped.
    package func place(for identifier: String, name: [UInt8]) -> ItemPlace {
        ItemPlace(
            container: container, folder: NameEscaping.escape(identifier), name: NameEscaping.storageName(for: name))
    }

    /// The identifier of an item's folder; nil when the folder was not made by Docent.
    package func identifier(of folder: FileName) throws -> String? {
        guard NameEscaping.isHashed(folder) else { return NameEscaping.unescape(folder) }
        guard let text = try IdentifierFile.read(named: Self.identifierName, in: directory(folder)),
            NameEscaping.escape(text) == folder
        else { return nil }
        return text
    }

    /// The identifiers of the items that have a folder, unordered.
    package func identifiers() throws -> [String] {
        try Directory(path: container).names().compactMap { try? identifier(of: $0) }
    }

    /// Publishes a complete downloaded file, durably. Readers see either the old or the new content, always complete.
    ///
    /// - Parameters:
    ///   - name: a file in `staging`, which shares the container's file system; moved away by this.
    ///   - base: the file expected in the place, nil for none. Any other displaced file is kept as a conflict version.
    ///   - operation: names the conflict version.
    /// - Returns: the name of the conflict version, if there is one.
    package func publish(
        _ name: FileName, in staging: Directory, for identifier: String, at place: ItemPlace,
        replacing base: FileStamp?,
        item: String, operation: String, versions: VersionStore
    ) throws -> FileName? {
        let file = try staging.open(name)
        try checked(clinux_fsync(file.number), "sync the content", path: staging.shown(name))
        let publication = Publication(
            versions: versions, staging: staging, stagedName: name, place: place, base: base, item: item,
            operation: operation)
        let folder = try itemFolder(place.folder, for: identifier)
        let identity = try FileStatus(of: file.number).identity
        try publication.rename(in: folder)
        return try publication.settle(in: folder, published: identity)
    }

    /// Opens an item's content for reading; nil when it is missing.
    ///
    /// - Throws: `.unacceptable` for anything but a regular file.
    package func open(_ place: ItemPlace) throws -> OpenDescriptor? {
        let root = try Directory(path: container)
        guard try root.status(of: place.folder) != nil else { return nil }
        do {
            let file = try root.directory(place.folder).open(place.name)
            _ = try ForeignDescriptor.check(file.number, access: .readOnly, allowingFUSE: true)
            return file
        } catch let error as FileSystemError where error.code == .notFound {
            return nil
        }
    }

    /// Removes an item's content, and its folder if nothing else is in it. Missing content is no error.
    ///
    /// The caller has made sure that the content is uploaded.
    package func remove(_ place: ItemPlace) throws {
        let root = try Directory(path: container)
        guard try root.status(of: place.folder) != nil else { return }
        let folder = try root.directory(place.folder)
        try folder.remove(place.name)
        if try folder.names() == [Self.identifierName] { try folder.remove(Self.identifierName) }
        try root.removeEmptyDirectory(place.folder)
        try root.sync()
    }

    /// The folder of a place; nil when it is missing.
    package func folder(of place: ItemPlace) throws -> Directory? {
        let root = try Directory(path: container)
        guard try root.status(of: place.folder)?.kind == .directory else { return nil }
        return try root.directory(place.folder)
    }

    private func directory(_ folder: FileName) throws -> Directory {
        try Directory(path: container).directory(folder)
    }
}
