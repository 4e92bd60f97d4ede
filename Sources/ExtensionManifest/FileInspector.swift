import Glibc
import Synchronization

/// The facts about a file that the trust rules need.
package struct FileFacts: Sendable, Hashable {
    /// The kind of a directory entry.
    package enum Kind: String, Sendable {
        /// A file with content.
        case regular = "a regular file"
        /// A directory.
        case directory = "a directory"
        /// A symbolic link that is not followed.
        case symbolicLink = "a symbolic link"
        /// A socket, pipe or device.
        case special = "a socket, pipe or device"
    }

    /// The kind of file.
    package var kind: Kind
    /// The user identifier of the owner.
    package var owner: UInt32
    /// The identifier of the group.
    package var group: UInt32
    /// The permission bits, including the sticky bit: at most `0o7777`.
    package var permissions: UInt32

    /// Creates facts.
    package init(kind: Kind, owner: UInt32, group: UInt32, permissions: UInt32) {
        self.kind = kind
        self.owner = owner
        self.group = group
        self.permissions = permissions
    }

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .special
            }
        owner = status.st_uid
        group = status.st_gid
        permissions = status.st_mode & 0o7777
    }
}

/// Answers who owns a file: from the file system, or from a test.
package struct FileInspector: Sendable {
    /// The user that the daemon runs as. Files that are used must belong to this user or to root.
    package let user: UInt32
    /// Groups that may have write access, because all their members are trusted.
    package let trustedGroups: Set<UInt32>
    /// The facts of the file at a path, or nil when there is none. A link at the path itself is not followed.
    package let facts: @Sendable (_ path: String) -> FileFacts?
    /// The absolute path without links, or nil when it does not exist.
    let canonical: @Sendable (_ path: String) -> String?
    /// The paths that were asked about, if the inspector remembers them.
    let examined: @Sendable () -> [String]

    /// Creates an inspector with custom answers.
    package init(
        user: UInt32, trustedGroups: Set<UInt32> = [0],
        facts: @escaping @Sendable (_ path: String) -> FileFacts? = FileInspector.systemFacts
    ) {
        self.init(user: user, trustedGroups: trustedGroups, facts: facts, canonical: Paths.canonical, examined: { [] })
    }

    private init(
        user: UInt32, trustedGroups: Set<UInt32>, facts: @escaping @Sendable (_ path: String) -> FileFacts?,
        canonical: @escaping @Sendable (_ path: String) -> String?, examined: @escaping @Sendable () -> [String]
    ) {
        self.user = user
        self.trustedGroups = trustedGroups
        self.facts = facts
        self.canonical = canonical
        self.examined = examined
    }

    /// The same inspector, which asks about each path once: for a single scan, in which hundreds of files are in the
    /// same directories.
    func remembering() -> FileInspector {
        let (facts, canonical) = (Remembered(facts), Remembered(canonical))
        return FileInspector(
            user: user, trustedGroups: trustedGroups, facts: { facts[$0] }, canonical: { canonical[$0] },
            examined: { facts.paths + canonical.paths })
    }

    /// The real inspector: for this process's user, the group root, and the user's private group if it has no other
    /// members.
    package static func system() -> FileInspector {
        let user = geteuid()
        var groups: Set<UInt32> = [0]
        if let account = getpwuid(user)?.pointee {
            let name = String(cString: account.pw_name)
            let number = account.pw_gid
            if let group = getgrgid(number)?.pointee, String(cString: group.gr_name) == name,
                group.gr_mem?.pointee == nil
            {
                groups.insert(number)
            }
        }
        return FileInspector(user: user, trustedGroups: groups)
    }

    /// The result of `lstat`.
    package static func systemFacts(_ path: String) -> FileFacts? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileFacts(status) : nil
    }

    /// Why a file is not trusted as code: others can change the file or a directory above it.
    ///
    /// - Parameter path: an absolute path without links.
    package func distrust(of path: String) -> ManifestProblem? {
        verdict(on: path, key: ManifestKey.executable.rawValue).problems.first
    }

    /// The result of the trust rules for a file.
    struct Verdict {
        /// Why it is not trusted; empty if it is.
        var problems: [ManifestProblem] = []
        /// Whether only root can change it: root owns it and everything above it.
        var ownedByRoot = true
    }

    /// Checks a file and every directory above it: each must belong to root or the user, and nobody else may write to
    /// it. A sticky directory such as `/tmp` is allowed further up, because others cannot rename its contents.
    ///
    /// - Parameters:
    ///   - path: an absolute path without links.
    ///   - key: the key path for the problems.
    func verdict(on path: String, key: String) -> Verdict {
        var verdict = Verdict()
        var current = path
        var level = 0
        while true {
            let facts = facts(current)
            if let facts {
                verdict.ownedByRoot = verdict.ownedByRoot && facts.owner == 0
                // No sticky exception for the file itself and its directory.
                let isSticky = level > 1 && facts.permissions & 0o1000 != 0
                if let problem = problem(of: facts, at: current, isSticky: isSticky, key: key) {
                    verdict.problems.append(problem)
                }
            }
            guard current != "/" else { return verdict }
            current = Paths.parent(of: current)
            level += level == 0 && facts?.kind == .directory ? 2 : 1
        }
    }

    private func problem(of facts: FileFacts, at path: String, isSticky: Bool, key: String) -> ManifestProblem? {
        guard facts.owner == 0 || facts.owner == user else {
            let shown = DisplayText.quoted(path)
            return .error(
                key, found: "\(shown) owned by user \(facts.owner)", expected: "owned by root or by user \(user)",
                remedy: "Install the provider as yourself or as root.",
                message: "\(shown) belongs to another user, who could change the provider at any time.")
        }
        let othersMayWrite = facts.permissions & 0o002 != 0
        let groupMayWrite = facts.permissions & 0o020 != 0 && !trustedGroups.contains(facts.group)
        guard othersMayWrite || groupMayWrite, !isSticky, facts.kind != .symbolicLink else { return nil }
        let shown = DisplayText.quoted(path)
        let who = othersMayWrite ? "everybody" : "group \(facts.group)"
        return .error(
            key, found: "\(shown) writable by \(who)", expected: "writable by its owner only",
            remedy: "Run: chmod go-w \(shown)",
            message: "\(shown) can be changed by \(who), so that the provider cannot be trusted.")
    }
}

/// Remembers the answer for each path.
private final class Remembered<Answer: Sendable>: Sendable {
    private let ask: @Sendable (String) -> Answer?
    private let answers = Mutex<[[UInt8]: Answer?]>([:])

    init(_ ask: @escaping @Sendable (String) -> Answer?) {
        self.ask = ask
    }

    /// All paths that were asked about.
    var paths: [String] { answers.withLock { $0.keys.map { String(decoding: $0, as: UTF8.self) } } }

    subscript(_ path: String) -> Answer? {
        // By bytes: two spellings of an accent are two files.
        let key = Array(path.utf8)
        if let known = answers.withLock({ $0[key] }) { return known }
        let answer = ask(path)
        answers.withLock { $0[key] = .some(answer) }
        return answer
    }
}
