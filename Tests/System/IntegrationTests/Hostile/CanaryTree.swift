import DocentTestSupport
import Foundation
import Glibc

/// A user's files and folders that Docent must not touch, and their initial state.
struct CanaryTree: Sendable {
    /// The attributes of a file or folder that must not change.
    struct Look: Hashable, Sendable {
        var kind: mode_t
        var mode: mode_t
        var inode: UInt64
        var modified: Int
        var content: Data?
    }

    let root: String
    /// Folders that a hostile link may point to: accessible, full, and hidden ones.
    let folders: [String]
    /// A private file that a hostile link may point to.
    let file: String
    private let before: [String: Look]

    /// Creates the tree in a folder that does not exist.
    init(at root: String) throws {
        self.root = root
        folders = [".config/autostart", ".ssh", "Documents"].map { "\(root)/\($0)" }
        file = root + "/.ssh/id_ed25519"
        for (folder, mode) in [(".config/autostart", 0o755), (".ssh", 0o700), ("Documents/Letters", 0o750)] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
            chmod("\(root)/\(folder)", mode_t(mode))
        }
        for name in [
            ".config/autostart/editor.desktop", ".ssh/id_ed25519", "Documents/Letters/a.txt", "a.txt", "b.txt",
        ] {
            try Data("canary \(name)".utf8).write(to: URL(fileURLWithPath: "\(root)/\(name)"))
            chmod("\(root)/\(name)", 0o640)
        }
        before = try Self.look(root)
    }

    /// The differences from the initial state, one per line.
    func changes() throws -> [String] {
        let now = try Self.look(root)
        return Set(before.keys).union(now.keys).sorted().compactMap { path in
            before[path] == now[path]
                ? nil
                : "\(path): \(before[path].map { "\($0)" } ?? "not there") → \(now[path].map { "\($0)" } ?? "gone")"
        }
    }

    private static func look(_ root: String) throws -> [String: Look] {
        var found: [String: Look] = [:]
        for path in [""] + (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []) {
            let whole = "\(root)/\(path)"
            var status = stat()
            guard lstat(whole, &status) == 0 else { throw Problem("\(whole) cannot be examined") }
            let kind = status.st_mode & S_IFMT
            found[path] = Look(
                kind: kind, mode: status.st_mode & 0o7777, inode: UInt64(status.st_ino),
                modified: status.st_mtim.tv_sec,
                content: kind == S_IFREG ? try Data(contentsOf: URL(fileURLWithPath: whole)) : nil)
        }
        return found
    }
}
