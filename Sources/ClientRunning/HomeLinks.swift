import CLinux
import CommandConsole
import Documents
import Glibc

/// Shows programs from the user's home in a client's home: each is mounted elsewhere, with a link in its own place.
///
/// Nothing is mounted in a client's home. bubblewrap creates mount points by their paths while the user's whole file
/// tree is still there, and the client can put links in the way, in an earlier run or in another one at the same time:
/// empty files and folders would be created wherever the links lead. The places are therefore links, created beneath an
/// open folder.
struct HomeLinks: Equatable {
    /// All mounts, none of them in the home.
    private(set) var mounts: [ClientMount] = []
    /// The links by their path below the home, with their targets.
    private(set) var links: [Link] = []

    struct Link: Equatable {
        let names: [String]
        let target: String
    }

    /// Works out the mounts and links.
    ///
    /// - Parameters:
    ///   - mounts: the wanted mounts, in any order.
    ///   - home: the path of the home inside.
    ///   - place: the path inside of a folder for the moved mounts.
    init(_ mounts: [ClientMount], home: String, place: String) {
        let inside = mounts.map { Self.names(of: $0.target, below: home) }
        for (index, mount) in mounts.enumerated() {
            guard let names = inside[index] else {
                self.mounts.append(mount)
                continue
            }
            // A mount that lies in another is shown with it.
            let isShown = inside.contains { other in
                other.map { $0.count < names.count && names.starts(with: $0) } ?? false
            }
            guard !isShown else { continue }
            // The path is the same in every run of the client, because several share the home, and the mounts keep
            // their relative positions.
            let target = ([place] + names).joined(separator: "/")
            self.mounts.append(ClientMount(mount.source, at: target, isWritable: mount.isWritable))
            links.append(Link(names: names, target: target))
        }
    }

    /// The components of a path below a folder; nil if the path is not below it.
    static func names(of path: String, below folder: String) -> [String]? {
        let path = path.split(separator: "/").map(String.init)
        let folder = folder.split(separator: "/").map(String.init)
        guard path.count > folder.count, path.starts(with: folder) else { return nil }
        return Array(path[folder.count...])
    }

    // MARK: Making

    /// Makes the links. Whatever is in their place is removed or renamed.
    ///
    /// - Parameter folder: the folder of this machine that is the home.
    /// - Throws: ``DocumentsError`` `failed`.
    func make(in folder: String) throws(DocumentsError) {
        for link in links {
            do {
                try Self.make(link, in: folder)
            } catch {
                throw DocumentsError(
                    .failed,
                    "\(SafeText.escaped(link.names.joined(separator: "/"))) cannot be shown to the program: its home has no place "
                        + "for it (\(String(cString: strerror(error.code)))).",
                    suggestion: "Check \(SafeText.escaped(folder)).")
            }
        }
    }

    private struct Failure: Error { let code: CInt }

    /// Limited, because another run of the client may change the same places again and again.
    private static let attempts = 16

    private static func make(_ link: Link, in root: String) throws(Failure) {
        var folder = clinux_open(root, CLINUX_O_PATH | CLINUX_O_DIRECTORY | CLINUX_O_NOFOLLOW, 0)
        guard folder >= 0 else { throw Failure(code: -folder) }
        defer { close(folder) }
        for name in link.names.dropLast() {
            let next = try enter(name, in: folder)
            close(folder)
            folder = next
        }
        let name = link.names[link.names.count - 1]
        for _ in 0..<attempts {
            if target(of: name, in: folder) == link.target { return }
            let made = clinux_symlinkat(link.target, folder, name)
            if made == 0 { return }
            guard made == -EEXIST else { throw Failure(code: -made) }
            try clear(name, in: folder)
        }
        throw Failure(code: EBUSY)
    }

    /// Opens a folder, and creates it first if it does not exist.
    private static func enter(_ name: String, in folder: CInt) throws(Failure) -> CInt {
        for _ in 0..<attempts {
            let opened = clinux_openat_beneath(folder, name, CLINUX_O_PATH | CLINUX_O_DIRECTORY, 0)
            switch -opened {
            case ENOENT:
                let made = clinux_mkdirat(folder, name, 0o700)
                guard made == 0 || made == -EEXIST else { throw Failure(code: -made) }
            case ELOOP, ENOTDIR: try clear(name, in: folder)
            default:
                guard opened >= 0 else { throw Failure(code: -opened) }
                // The folder belongs to the client. Nothing could be created in it otherwise.
                var facts = clinux_stat()
                if clinux_stat_fd(opened, &facts) == 0, facts.mode & 0o700 != 0o700 {
                    chmod("/proc/self/fd/\(opened)", mode_t(facts.mode & 0o777 | 0o700))
                }
                return opened
            }
        }
        throw Failure(code: EBUSY)
    }

    private static func target(of name: String, in folder: CInt) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = clinux_readlinkat(folder, name, &buffer, CInt(buffer.count))
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer[..<Int(count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes a link or an empty folder. Anything else belongs to the client and is kept under another name.
    private static func clear(_ name: String, in folder: CInt) throws(Failure) {
        var facts = clinux_stat()
        let known = clinux_stat_at(folder, name, &facts)
        guard known == 0 else {
            if known == -ENOENT { return }
            throw Failure(code: -known)
        }
        if clinux_is_directory(facts.mode) == 1, clinux_unlinkat(folder, name, CLINUX_AT_REMOVEDIR) == 0 { return }
        let other = "\(name.prefix(50)).moved-" + String(UInt32.random(in: 0...UInt32.max), radix: 16)
        let result =
            clinux_is_link(facts.mode) == 1
            ? clinux_unlinkat(folder, name, 0)
            : clinux_renameat2(folder, name, folder, other, CLINUX_RENAME_NOREPLACE)
        guard result == 0 || result == -ENOENT else { throw Failure(code: -result) }
    }
}
