import CLinux
import DocentTestSupport
import Foundation
import Glibc

/// The home of an installation, in which Docent must touch nothing except its own data, and its initial state. Some
/// files and folders are planted there, and in the container of a provider that is not installed.
struct CanaryTree: Sendable {
    /// The attributes of a file or folder that must not change.
    struct Look: Hashable, Sendable {
        var kind: mode_t
        var mode: mode_t
        var owner: UInt32
        var group: UInt32
        var inode: UInt64
        var modified: Int
        var modifiedNanoseconds: Int
        /// Of a link.
        var target: String?
        var attributes: [String: [UInt8]]
        var content: Data?
    }

    /// The folder of what was planted.
    let root: String
    /// Folders that a hostile link may point to: accessible, full, and hidden ones.
    let folders: [String]
    /// A private file that a hostile link may point to.
    let file: String
    /// The document group of another provider, which is not installed.
    static let otherGroup = "group.org.example.Other"
    /// The document storage in its container.
    let otherContainer: String
    private let home: String
    /// Docent's own.
    private let data: String
    private let before: [String: Look]

    /// What each planted file begins with.
    private static let mark = "canary "

    /// Plants the files, and looks at the home. From now on, the test must not write there.
    init(in installation: Installation) throws {
        home = installation.home
        data = installation.data
        root = installation.home + "/canaries"
        folders = [root + "/.config/autostart", root + "/.ssh", root + "/Documents"]
        file = root + "/.ssh/id_ed25519"
        try Self.plant(root)
        otherContainer = installation.data + "/Groups/\(Self.otherGroup)/File Provider Storage"
        // Docent creates it when it is first used, and thereby changes the folder above.
        try FileManager.default.createDirectory(
            atPath: installation.data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.createDirectory(
            atPath: otherContainer + "/box/item", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for name in ["a.txt", "box/a.txt", "box/b.txt", "box/item/a.txt"] {
            try Data((Self.mark + name).utf8).write(to: URL(fileURLWithPath: "\(otherContainer)/\(name)"))
        }
        before = try Self.look([home, otherContainer], besides: data)
    }

    private static func plant(_ root: String) throws {
        for (folder, mode) in [(".config/autostart", 0o755), (".ssh", 0o700), ("Documents/Letters", 0o750)] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
            chmod("\(root)/\(folder)", mode_t(mode))
        }
        for name in [
            ".config/autostart/editor.desktop", ".ssh/id_ed25519", "Documents/Letters/a.txt", "a.txt", "b.txt",
        ] {
            let path = "\(root)/\(name)"
            try Data((mark + name).utf8).write(to: URL(fileURLWithPath: path))
            chmod(path, 0o640)
        }
        try FileManager.default.createSymbolicLink(
            atPath: root + "/Documents/latest", withDestinationPath: "Letters/a.txt")
        let marked = clinux_open(root + "/a.txt", CLINUX_O_RDONLY, 0)
        guard marked >= 0 else { throw Problem("\(root)/a.txt cannot be opened") }
        defer { clinux_close(marked) }
        // Some file systems in memory have no attributes.
        let value = Array("kept".utf8)
        clinux_set_attribute(marked, "user.docent.canary", value, value.count)
    }

    /// Whether a text has the content of a planted file.
    static func isRevealed(in text: String) -> Bool { text.contains(mark) }

    /// The differences from the initial state, one per line.
    func changes() throws -> [String] {
        let now = try Self.look([home, otherContainer], besides: data)
        return Set(before.keys).union(now.keys).sorted().compactMap { path in
            before[path] == now[path]
                ? nil
                : "\(path): \(before[path].map { "\($0)" } ?? "not there") → \(now[path].map { "\($0)" } ?? "gone")"
        }
    }

    private static func look(_ roots: [String], besides data: String) throws -> [String: Look] {
        var found: [String: Look] = [:]
        var waiting = roots
        while let path = waiting.popLast() {
            var status = stat()
            guard lstat(path, &status) == 0 else { throw Problem("\(path) cannot be examined") }
            let kind = status.st_mode & S_IFMT
            found[path] = Look(
                kind: kind, mode: status.st_mode & 0o7777, owner: status.st_uid, group: status.st_gid,
                inode: UInt64(status.st_ino), modified: Int(status.st_mtim.tv_sec),
                modifiedNanoseconds: Int(status.st_mtim.tv_nsec),
                target: kind == S_IFLNK ? try FileManager.default.destinationOfSymbolicLink(atPath: path) : nil,
                attributes: kind == S_IFREG || kind == S_IFDIR ? try attributes(path) : [:],
                content: kind == S_IFREG ? try Data(contentsOf: URL(fileURLWithPath: path)) : nil)
            guard kind == S_IFDIR else { continue }
            waiting += try FileManager.default.contentsOfDirectory(atPath: path).map { "\(path)/\($0)" }
                .filter { $0 != data }
        }
        return found
    }

    private static func attributes(_ path: String) throws -> [String: [UInt8]] {
        let file = clinux_open(path, CLINUX_O_RDONLY | CLINUX_O_NOFOLLOW | CLINUX_O_NONBLOCK, 0)
        guard file >= 0 else { throw Problem("\(path) cannot be opened") }
        defer { clinux_close(file) }
        var names = [CChar](repeating: 0, count: 1 << 16)
        let length = clinux_list_attributes(file, &names, names.count)
        guard length > 0 else { return [:] }
        var found: [String: [UInt8]] = [:]
        for name in names.prefix(length).split(separator: 0) {
            let name = String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self)
            var value = [UInt8](repeating: 0, count: 1 << 16)
            let size = clinux_get_attribute(file, name, &value, value.count)
            if size >= 0 { found[name] = Array(value.prefix(size)) }
        }
        return found
    }
}
