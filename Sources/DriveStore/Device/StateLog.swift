import Glibc

/// The file of a device's state: changes one after the other, each with its hash. A change is kept when its method
/// returns; what a crash leaves half-written is dropped at the next start.
///
/// Unchecked: its one user, an actor, never calls two methods at once.
final class StateLog: @unchecked Sendable {
    private static let name = "state"
    private static let hashSize = 16
    private static let headSize = 8 + hashSize

    private let directory: String
    private var descriptor: CInt = -1
    private let lock: CInt
    private var size = 0
    private var sizeAtStart = 0
    private var isBroken = false

    /// Opens the file in a directory that exists, for one process at a time.
    ///
    /// - Returns: The changes since the beginning.
    static func open(_ directory: String) throws(DriveError) -> (log: StateLog, changes: [StateChange]) {
        let log = try StateLog(directory)
        return (log, try log.load())
    }

    private init(_ directory: String) throws(DriveError) {
        self.directory = directory
        lock = Glibc.open(directory + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Self.failure("opened", directory + "/lock") }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(lock)
            errno = code
            throw code == EWOULDBLOCK
                ? .local("Another process uses this drive.") : Self.failure("locked", directory + "/lock")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        close(lock)
    }

    private static func failure(_ verb: String, _ path: String) -> DriveError {
        .local("\(path) cannot be \(verb): \(String(cString: strerror(errno))).")
    }

    private var path: String { directory + "/" + Self.name }

    private func load() throws(DriveError) -> [StateChange] {
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("opened", path) }
        try syncDirectory()
        let bytes = try readAll()
        var changes: [StateChange] = []
        while bytes.count - size >= Self.headSize {
            let length = Self.length(bytes[size..<size + 8])
            let start = size + Self.headSize
            guard length <= bytes.count - start else { break }
            let body = bytes[start..<start + length]
            guard Sodium.hash(body, size: Self.hashSize).elementsEqual(bytes[size + 8..<start]) else { break }
            for value in try CBORDecoder.decode(body).asArray() { changes.append(try StateChange(value)) }
            size = start + length
        }
        // Only the last write can be unfinished, because each is synced before the next; anything else is a damaged
        // file, from which nothing may be guessed.
        if isFollowedByAnother(bytes) { throw .local("\(path) is damaged in its middle.") }
        if size < bytes.count { try cut() }
        sizeAtStart = size
        return changes
    }

    private static func length(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(min(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, 1 << 48))
    }

    private func isFollowedByAnother(_ bytes: [UInt8]) -> Bool {
        guard bytes.count - size >= Self.headSize else { return false }
        let length = Self.length(bytes[size..<size + 8])
        let next = size + Self.headSize + length
        guard length < bytes.count, bytes.count - next >= Self.headSize else { return false }
        let following = Self.length(bytes[next..<next + 8])
        let start = next + Self.headSize
        guard following <= bytes.count - start else { return false }
        return Sodium.hash(bytes[start..<start + following], size: Self.hashSize)
            .elementsEqual(bytes[next + 8..<start])
    }

    private func readAll() throws(DriveError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure("read", path) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(done))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("read", path) }
            done += count
        }
        return bytes
    }

    private func cut() throws(DriveError) {
        guard ftruncate(descriptor, off_t(size)) == 0, fdatasync(descriptor) == 0 else {
            throw Self.failure("shortened", path)
        }
    }

    /// Whether it has grown so much that it is worth being written anew.
    var shallBeRewritten: Bool { size > 4 << 20 && size > 2 * sizeAtStart }

    /// Adds changes, all or none of which survive a crash.
    func append(_ changes: [StateChange]) throws(DriveError) {
        guard !isBroken else { throw .local("\(path) could not be repaired after a failed write.") }
        do throws(DriveError) {
            size += try Self.write(changes, to: descriptor, at: size, path)
            return
        } catch {
            // What was written of it must not stand before the next change.
            isBroken = ftruncate(descriptor, off_t(size)) != 0
            throw error
        }
    }

    /// Replaces all changes by fewer that lead to the same state.
    func rewrite(_ changes: [StateChange]) throws(DriveError) {
        let draft = path + ".new"
        let next = Glibc.open(draft, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard next >= 0 else { throw Self.failure("written", draft) }
        do throws(DriveError) {
            let count = try Self.write(changes, to: next, at: 0, draft)
            guard rename(draft, path) == 0 else { throw Self.failure("put in place", draft) }
            close(descriptor)
            descriptor = next
            size = count
            sizeAtStart = count
        } catch {
            close(next)
            throw error
        }
        try syncDirectory()
    }

    private static func write(
        _ changes: [StateChange], to descriptor: CInt, at offset: Int, _ path: String
    ) throws(DriveError) -> Int {
        let body = CBOR.array(changes.map(\.value)).encoded
        let length = (0..<8).map { UInt8(truncatingIfNeeded: body.count >> (56 - $0 * 8)) }
        let frame = length + Sodium.hash(body, size: hashSize) + body
        var done = 0
        while done < frame.count {
            let count = frame.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure("written", path) }
            done += count
        }
        guard fdatasync(descriptor) == 0 else { throw failure("synced", path) }
        return frame.count
    }

    private func syncDirectory() throws(DriveError) {
        let folder = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failure("opened", directory) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Self.failure("synced", directory) }
    }
}
