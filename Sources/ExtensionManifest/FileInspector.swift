import Glibc
import Synchronization

/// What the trust rules need to know about a file (S3).
package struct FileFacts: Sendable, Hashable {
    /// What a name in a directory stands for.
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

    /// What it is.
    package var kind: Kind
    /// The owner's user number.
    package var owner: UInt32
    /// The group's number.
    package var group: UInt32
    /// The permission bits, with the sticky bit: `0o7777` at most.
    package var permissions: UInt32

    /// Facts as given.
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

/// Asks the file system who owns what, or a test that says so itself.
package struct FileInspector: Sendable {
    /// The user that the daemon runs as; it and root may own what is used.
    package let user: UInt32
    /// Groups that may have write access, because only trusted users are in them.
    package let trustedGroups: Set<UInt32>
    /// The facts of the file at a path, without following a link there, or nil when there is none.
    package let facts: @Sendable (_ path: String) -> FileFacts?
    /// The absolute path without links, or nil when nothing is there.
    let canonical: @Sendable (_ path: String) -> String?
    /// The paths that were asked about, where that is remembered.
    let examined: @Sendable () -> [String]

    /// An inspector with facts of one's own.
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

    /// The same, which asks once about each path: for one scan, in which hundreds of files lie in the same directories.
    func remembering() -> FileInspector {
        let (facts, canonical) = (Remembered(facts), Remembered(canonical))
        return FileInspector(
            user: user, trustedGroups: trustedGroups, facts: { facts[$0] }, canonical: { canonical[$0] },
            examined: { facts.paths + canonical.paths })
    }

    /// The real one: this process's user, the group root, and the user's private group where it has nobody else.
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

    /// What `lstat` says.
    package static func systemFacts(_ path: String) -> FileFacts? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileFacts(status) : nil
    }

    /// Why a file is not trusted as code (S3): the file or a directory above it can be changed by others.
    ///
    /// - Parameter path: an absolute path without links.
    package func distrust(of path: String) -> ManifestProblem? {
        verdict(on: path, key: ManifestKey.executable.rawValue).problems.first
    }

    /// What the rules of S3 say about a file.
    struct Verdict {
        /// Why it is not trusted, or empty.
        var problems: [ManifestProblem] = []
        /// Whether root alone can change it: root owns it and everything above it.
        var ownedByRoot = true
    }

    /// Checks a file and every directory above it: each must belong to root or the user, and be writable by nobody
    /// else. A sticky directory such as `/tmp` may stand further up, because others cannot rename what is in it.
    ///
    /// - Parameters:
    ///   - path: an absolute path without links.
    ///   - key: the key path that problems name.
    func verdict(on path: String, key: String) -> Verdict {
        var verdict = Verdict()
        var current = path
        var level = 0
        while true {
            let facts = facts(current)
            if let facts {
                verdict.ownedByRoot = verdict.ownedByRoot && facts.owner == 0
                // The file itself and the directory that holds it are checked without the sticky exception.
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

/// Answers about paths, each asked for once.
private final class Remembered<Answer: Sendable>: Sendable {
    private let ask: @Sendable (String) -> Answer?
    private let answers = Mutex<[[UInt8]: Answer?]>([:])

    init(_ ask: @escaping @Sendable (String) -> Answer?) {
        self.ask = ask
    }

    /// All that was asked for.
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
