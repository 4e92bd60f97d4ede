import FileProvider
import Foundation
import Glibc

/// The documents of the probe: files in `Files` of its container. An identifier is the inode's number, so it survives
/// renames, and content is changed in place.
struct ProbeFolder: Sendable {
    let root: String

    init(_ log: ProbeLog) {
        root = log.container + "/Files"
        try? FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    /// The current path of an item.
    func path(_ identifier: ItemIdentifier) throws -> String {
        if identifier == .rootContainer { return root }
        for name in FileManager.default.enumerator(atPath: root)?.compactMap({ $0 as? String }) ?? [] {
            let path = "\(root)/\(name)"
            if let facts = try? facts(path), "i\(facts.st_ino)" == identifier.rawValue { return path }
        }
        throw FileProviderError(.noSuchItem, "The probe has no item \(identifier).")
    }

    /// The item with a name in the root folder.
    func identifier(named name: String) throws -> ItemIdentifier { try item(at: "\(root)/\(name)").identifier }

    func name(_ identifier: ItemIdentifier) throws -> String { URL(filePath: try path(identifier)).lastPathComponent }

    func item(_ identifier: ItemIdentifier) throws -> FileProviderItem { try item(at: path(identifier)) }

    func item(at path: String) throws -> FileProviderItem {
        let facts = try facts(path)
        let name = URL(filePath: path).lastPathComponent
        guard path != root else {
            return FileProviderItem(folder: .rootContainer, parent: .rootContainer, filename: name)
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let parent = folder == root ? ItemIdentifier.rootContainer : ItemIdentifier("i\(try self.facts(folder).st_ino)")
        let identifier = ItemIdentifier("i\(facts.st_ino)")
        guard facts.st_mode & S_IFMT != S_IFDIR else {
            return FileProviderItem(folder: identifier, parent: parent, filename: name)
        }
        if facts.st_mode & S_IFMT == S_IFLNK {
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: path)
            return FileProviderItem(
                symbolicLink: identifier, parent: parent, filename: name,
                target: ItemIdentifier("i\(try self.facts("\(folder)/\(target)").st_ino)"))
        }
        let changed = facts.st_mtim
        return FileProviderItem(
            identifier: identifier, parent: parent, filename: name, size: Int(facts.st_size),
            version: ItemVersion(content: "\(changed.tv_sec).\(changed.tv_nsec)-\(facts.st_size)"))
    }

    func children(of parent: ItemIdentifier) throws -> ItemPage {
        let folder = try path(parent)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return ItemPage(items: try names.map { try item(at: "\(folder)/\($0)") })
    }

    func create(_ template: ItemTemplate, _ contents: ContentReader?) throws -> FileProviderItem {
        let path = "\(try path(template.parent))/\(template.filename)"
        guard (try? facts(path)) == nil else {
            throw FileProviderError(.filenameCollision, "\"\(template.filename)\" is there already.")
        }
        if let contents {
            try contents.readAll().write(to: URL(filePath: path))
        } else {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        return try item(at: path)
    }

    func modify(_ identifier: ItemIdentifier, _ base: ItemVersion?, _ contents: Data) throws -> FileProviderItem {
        let path = try path(identifier)
        guard try base == nil || base == item(at: path).version else {
            throw FileProviderError(.versionOutOfDate, "The document was changed meanwhile.")
        }
        try contents.write(to: URL(filePath: path))
        return try item(at: path)
    }

    func move(_ identifier: ItemIdentifier, to parent: ItemIdentifier, named name: String) throws -> FileProviderItem {
        let (from, to) = (try path(identifier), "\(try path(parent))/\(name)")
        guard from != to else { return try item(at: to) }
        guard rename(from, to) == 0 else { throw FileProviderError(.failed, "It cannot be renamed: \(errno).") }
        return try item(at: to)
    }

    func delete(_ identifier: ItemIdentifier) throws { try FileManager.default.removeItem(atPath: path(identifier)) }

    private func facts(_ path: String) throws -> stat {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { throw FileProviderError(.noSuchItem, "There is no \(path).") }
        return facts
    }
}
