import CLinux
import Glibc

/// A directory as a store: a disk, a network file system, a USB stick.
///
/// Objects are files that are written under another name, synced, and then linked to their own name, which fails if it
/// is taken. A register is a row of such files, `NAME.1`, `NAME.2` and so on; the greatest number counts.
package final class DirectoryStore: ObjectStore {
    private static let temporary = ".writing"

    private let root: String
    private let queue = StoreQueue("org.docent.drive.directory")

    /// - Parameter root: The path of the directory, which must exist.
    package init(_ root: String) { self.root = root }

    /// Whether several devices may write at once. Network file systems are known by their type: their links are not
    /// safe enough to try.
    package var allowsManyWriters: Bool {
        get throws(DriveError) {
            let descriptor = Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure("opened", root) }
            defer { close(descriptor) }
            var system = clinux_file_system()
            guard clinux_statfs_fd(descriptor, &system) == 0 else { throw failure("examined", root) }
            let network = [
                CLINUX_MAGIC_NFS, CLINUX_MAGIC_SMB2, CLINUX_MAGIC_CIFS, CLINUX_MAGIC_CEPH, CLINUX_MAGIC_V9FS,
                CLINUX_MAGIC_AFS, CLINUX_MAGIC_FUSE,
            ]
            return !network.contains(system.magic)
        }
    }

    package func get(_ key: StoreKey, range: Range<Int>?) async throws(DriveError) -> StoredObject? {
        try await queue.run { () throws(DriveError) in try self.read(key, range) }
    }

    package func create(_ key: StoreKey, _ bytes: [UInt8]) async throws(DriveError) -> StoreWrite {
        try await queue.run { () throws(DriveError) in
            guard key.isRegister else {
                return try self.publish(bytes, as: key.name) ? .written(tag: "") : .refused
            }
            guard try self.generations(key).isEmpty else { return .refused }
            return try self.write(bytes, key, generation: 1)
        }
    }

    package func replace(_ key: StoreKey, _ bytes: [UInt8], tag: String) async throws(DriveError) -> StoreWrite {
        try await queue.run { () throws(DriveError) in
            guard key.isRegister, let generation = UInt64(tag), generation < UInt64.max else { return .refused }
            return try self.write(bytes, key, generation: generation + 1)
        }
    }

    package func list(_ prefix: String) async throws(DriveError) -> [ListedObject] {
        try await queue.run { () throws(DriveError) in try self.entries(prefix) }
    }

    package func delete(_ key: StoreKey) async throws(DriveError) {
        try await queue.run { () throws(DriveError) in
            let names = key.isRegister ? try self.generations(key).map { "\(key.name).\($0)" } : [key.name]
            for name in names where unlink(self.path(name)) != 0 && errno != ENOENT {
                throw self.failure("removed", name)
            }
        }
    }

    private func path(_ name: String) -> String { root + "/" + name }

    private func failure(_ verb: String, _ name: String) -> DriveError {
        let code = errno
        let text = "\(name) cannot be \(verb) in the directory \(root): \(String(cString: strerror(code)))."
        return switch code {
        case EROFS, EACCES, EPERM: .notPermitted(text)
        case ENOSPC, EDQUOT: .full(text)
        default: .unreachable(text)
        }
    }

    /// What a disk and its desktop put into the top folder of it does not count.
    package var isEmpty: Bool {
        get async throws(DriveError) {
            try await queue.run { () throws(DriveError) in
                try self.names("").allSatisfy { $0 == "lost+found" || StoreNames.isLeftover($0 + "/") }
            }
        }
    }

    private func read(_ key: StoreKey, _ range: Range<Int>?) throws(DriveError) -> StoredObject? {
        // A generation may be replaced between the listing and the opening.
        for _ in 0..<100 {
            var name = key.name
            var tag = ""
            if key.isRegister {
                guard let last = try generations(key).max() else { return nil }
                name += ".\(last)"
                tag = String(last)
            }
            if let bytes = try contents(name, range) { return StoredObject(bytes: bytes, tag: tag) }
            if !key.isRegister { return nil }
        }
        throw .unreachable("\(key.name) changes faster than it can be read.")
    }

    private func contents(_ name: String, _ range: Range<Int>?) throws(DriveError) -> [UInt8]? {
        let descriptor = Glibc.open(path(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("opened", name)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw failure("read", name) }
        let all = 0..<Int(status.st_size)
        let wanted = (range ?? all).clamped(to: all)
        var bytes = [UInt8](repeating: 0, count: wanted.count)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    off_t(wanted.lowerBound + done))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure("read", name) }
            done += count
        }
        return bytes
    }

    private func write(_ bytes: [UInt8], _ key: StoreKey, generation: UInt64) throws(DriveError) -> StoreWrite {
        let name = "\(key.name).\(generation)"
        guard try publish(bytes, as: name) else { return .refused }
        // The number may be free because it was used and cleared long ago: then a greater one is there.
        let present = try generations(key)
        guard present.max() == generation else {
            if unlink(path(name)) != 0 && errno != ENOENT { throw failure("withdrawn", name) }
            return .refused
        }
        for old in present where old < generation { unlink(path("\(key.name).\(old)")) }
        return .written(tag: String(generation))
    }

    /// Whether the bytes are now under the name: put there, or found there, because a network file system may lose the
    /// reply to a request that it carried out.
    private func publish(_ bytes: [UInt8], as name: String) throws(DriveError) -> Bool {
        let target = path(name)
        let directory = String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)])
        try makeDirectory(directory)
        try makeDirectory(path(Self.temporary))
        let draft = path(Self.temporary) + "/" + DriveIdentifier.random().description
        let descriptor = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("written", name) }
        defer { unlink(draft) }
        defer { close(descriptor) }
        try fill(descriptor, bytes, name)
        guard fsync(descriptor) == 0 else { throw failure("synced", name) }
        if link(draft, target) != 0 {
            var code = errno
            if [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(code) {
                // FAT has no links; it can rename without replacing.
                code = -clinux_renameat2(AT_FDCWD, draft, AT_FDCWD, target, CLINUX_RENAME_NOREPLACE)
            }
            if code == EEXIST { return try contents(name, nil) == bytes }
            errno = code
            guard code == 0 else { throw failure("written", name) }
        }
        try sync(directory)
        return true
    }

    private func fill(_ descriptor: CInt, _ bytes: [UInt8], _ name: String) throws(DriveError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure("written", name) }
            done += count
        }
    }

    private func makeDirectory(_ directory: String) throws(DriveError) {
        if mkdir(directory, 0o700) == 0 {
            try sync(String(directory[..<(directory.lastIndex(of: "/") ?? directory.startIndex)]))
            return
        }
        if errno == EEXIST { return }
        guard errno == ENOENT, directory.count > root.count, let slash = directory.lastIndex(of: "/") else {
            throw failure("created", directory)
        }
        try makeDirectory(String(directory[..<slash]))
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw failure("created", directory) }
    }

    private func sync(_ directory: String) throws(DriveError) {
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("opened", directory) }
        defer { close(descriptor) }
        // Some file systems cannot sync a directory, and say so with EINVAL.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure("synced", directory) }
    }

    private func generations(_ key: StoreKey) throws(DriveError) -> [UInt64] {
        let slash = key.name.lastIndex(of: "/")
        let folder = slash.map { String(key.name[...$0]) } ?? ""
        let prefix = key.name.dropFirst(folder.count) + "."
        return try names(folder).compactMap { $0.hasPrefix(prefix) ? UInt64($0.dropFirst(prefix.count)) : nil }
    }

    private func names(_ folder: String) throws(DriveError) -> [String] {
        guard let directory = opendir(path(folder)) else {
            if errno == ENOENT && access(root, F_OK) == 0 { return [] }
            throw failure("listed", folder.isEmpty ? "It" : folder)
        }
        defer { closedir(directory) }
        var found: [String] = []
        errno = 0
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { found.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw failure("listed", folder.isEmpty ? "It" : folder) }
        return found
    }

    private func entries(_ prefix: String) throws(DriveError) -> [ListedObject] {
        let isOfRegisters = prefix == StoreNames.heads
        var greatest: [String: UInt64] = [:]
        var found: [ListedObject] = []
        for name in try names(prefix) {
            if isOfRegisters {
                guard let dot = name.lastIndex(of: "."), let number = UInt64(name[name.index(after: dot)...]) else {
                    continue
                }
                let base = String(name[..<dot])
                greatest[base] = max(greatest[base] ?? 0, number)
            } else {
                var status = stat()
                guard lstat(path(prefix + name), &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    found += try entries(prefix + name + "/")
                } else {
                    let time = status.st_mtim
                    found.append(
                        ListedObject(
                            name: prefix + name, tag: nil, size: Int(status.st_size),
                            modified: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000))
                }
            }
        }
        found += greatest.map { ListedObject(name: prefix + $0.key, tag: String($0.value), size: 0) }
        return found.sorted { $0.name < $1.name }
    }
}
