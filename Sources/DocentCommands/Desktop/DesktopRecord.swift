import Documents
import FoundationEssentials
import Glibc
import ProviderInstallation

/// What `docent desktop enable` has changed, so that it can be taken back exactly: `desktop.json` in the state folder.
/// Each change is recorded before it is made.
struct DesktopRecord {
    private struct Content: Codable {
        var changes: [Change] = []
    }

    struct Change: Codable, Equatable {
        var path: String
        /// The content of the file that was written.
        var written: Data?
        /// The content that the file had before; nil if there was none.
        var before: Data?
        /// Where the link that was made leads to. Without it and content, this is a folder that was made.
        var link: String?
    }

    let path: String
    private(set) var changes: [Change]

    init(path: String) throws {
        self.path = path
        changes = []
        guard FileWork.isFile(path) else { return }
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(FileWork.read(path))) else {
            throw DocumentsError(.failed, "\(path) is not readable as the record of `docent desktop enable`.")
        }
        changes = content.changes
    }

    // MARK: Making

    /// Gives a file another content. A link, and anything else that is no file, is refused.
    mutating func write(_ content: Data, to path: String) throws {
        var status = stat()
        var before: Data?
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw DocumentsError(
                    .conflict, "\(path) is not a plain file.", suggestion: "docs/picker.md says what belongs into it.")
            }
            before = Data(try FileWork.read(path))
            if before == content { return }
        }
        try makeFolders(FileWork.parent(path))
        try add(Change(path: path, written: content, before: before))
        try Self.replace(path, content, mode: before == nil ? 0o644 : status.st_mode & 0o7777)
    }

    /// Makes a link. One that is there already stays, whoever made it.
    mutating func link(_ path: String, to target: String) throws {
        var status = stat()
        guard lstat(path, &status) != 0 else { return }
        try makeFolders(FileWork.parent(path))
        try add(Change(path: path, link: target))
        guard symlink(target, path) == 0 else { throw FileWork.failure(path, errno) }
    }

    private mutating func makeFolders(_ path: String) throws {
        guard !FileWork.isDirectory(path) else { return }
        try makeFolders(FileWork.parent(path))
        try add(Change(path: path))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileWork.failure(path, errno) }
    }

    private mutating func add(_ change: Change) throws {
        changes.append(change)
        try save()
    }

    private func save() throws {
        guard !changes.isEmpty else { return try FileWork.remove(path) }
        try FileWork.makeDirectories(FileWork.parent(path), mode: 0o700)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try Self.replace(path, encoder.encode(Content(changes: changes)), mode: 0o600)
    }

    private static func replace(_ path: String, _ content: Data, mode: mode_t) throws {
        let temporary = "\(path).\(getpid()).docent-new"
        try FileWork.remove(temporary)
        try FileWork.create(temporary, Array(content))
        guard chmod(temporary, mode) == 0 else { throw FileWork.failure(temporary, errno) }
        do {
            try FileWork.move(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    // MARK: Taking back

    /// Takes back everything that is still as it was made.
    ///
    /// - Returns: the paths that somebody else has changed since. They stay as they are, and recorded.
    mutating func takeBack() throws -> [String] {
        var kept: [Change] = []
        for change in changes.reversed() {
            if try !Self.takeBack(change) { kept.insert(change, at: 0) }
        }
        // A folder with something of others in it is no longer Docent's.
        changes = kept.filter { $0.written != nil || $0.link != nil }
        try save()
        return changes.map(\.path)
    }

    /// - Returns: whether nothing is left to do.
    private static func takeBack(_ change: Change) throws -> Bool {
        switch (change.written, change.link) {
        case (nil, nil): return rmdir(change.path) == 0 || errno == ENOENT
        case (nil, let link?):
            guard let target = linkTarget(change.path) else { return !exists(change.path) }
            guard target == link else { return false }
            try FileWork.remove(change.path)
            return true
        case (let written?, _):
            guard exists(change.path) else { return true }
            var status = stat()
            guard lstat(change.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
            let current = Data(try FileWork.read(change.path))
            if current == change.before { return true }
            guard current == written else { return false }
            if let before = change.before {
                try replace(change.path, before, mode: status.st_mode & 0o7777)
            } else {
                try FileWork.remove(change.path)
            }
            return true
        }
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func linkTarget(_ path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 4097)
        let count = readlink(path, &bytes, bytes.count - 1)
        guard count >= 0 else { return nil }
        return String(validating: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
