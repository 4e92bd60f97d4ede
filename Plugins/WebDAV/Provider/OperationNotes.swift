import FileProvider
import Glibc

/// Records which operations reached the step after which the server may have done them although the reply was lost.
/// Each operation has a small file, so that the record survives the process. The last few hundred are kept.
struct OperationNotes: Sendable {
    private static let capacity = 400
    private static let unfinished = ".new-"
    private let directory: String

    /// - Parameters:
    ///   - directory: The domain's storage, which is made if needed.
    ///   - kind: What is recorded. Each kind has its own folder.
    init(directory: String, kind: String = "operations") { self.directory = directory + "/.org.docent.WebDAV." + kind }

    /// Whether the operation reached that step.
    func has(_ operation: ChangeOperation) -> Bool { access(path(operation), F_OK) == 0 }

    /// The operation reaches that step now. Returns when the record is on disk.
    ///
    /// - Parameter bytes: Data that is needed later.
    /// - Throws: `FileProviderError` if the record cannot be stored.
    func add(_ operation: ChangeOperation, _ bytes: [UInt8] = []) throws {
        makeDirectory()
        // The file gets its name only when it is complete. Other operations use the folder at the same time.
        let temporary = directory + "/" + Self.unfinished + name(operation)
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            throw FileProviderError(
                .failed, "The domain's folder cannot be written.",
                underlying: [
                    ErrorDetail(domain: "NSPOSIXErrorDomain", code: Int(errno), text: String(cString: strerror(errno)))
                ])
        }
        let isWhole = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        close(file)
        guard isWhole, rename(temporary, path(operation)) == 0 else {
            unlink(temporary)
            throw FileProviderError(.insufficientQuota, "The domain's folder cannot be written.")
        }
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
        prune()
    }

    /// The data recorded with the operation.
    func bytes(_ operation: ChangeOperation) -> [UInt8] {
        let file = open(path(operation), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        let count = read(file, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    /// The number recorded by ``increase(_:)``; 0 if there is none.
    func count(_ operation: ChangeOperation) -> Int {
        Int(String(decoding: bytes(operation), as: UTF8.self)).map { max(0, $0) } ?? 0
    }

    /// Counts one more for the operation.
    func increase(_ operation: ChangeOperation) throws {
        try add(operation, Array("\(count(operation) + 1)".utf8))
    }

    /// Deletes the record: the operation did not happen.
    func remove(_ operation: ChangeOperation) { unlink(path(operation)) }

    private func path(_ operation: ChangeOperation) -> String { directory + "/" + name(operation) }

    private func name(_ operation: ChangeOperation) -> String {
        String(SegmentEncoding.encode(operation.identifier.utf8).prefix(200)).replacing(".", with: "%2E")
    }

    private func makeDirectory() {
        var path = ""
        for part in directory.split(separator: "/") {
            path += "/" + part
            mkdir(path, 0o700)
        }
    }

    private func prune() {
        guard let folder = opendir(directory) else { return }
        defer { closedir(folder) }
        var files: [(name: String, time: Int)] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var facts = stat()
            guard name != ".", name != "..", stat(directory + "/" + name, &facts) == 0 else { continue }
            files.append((name, facts.st_mtim.tv_sec))
        }
        guard files.count > Self.capacity else { return }
        for file in files.sorted(by: { $0.time < $1.time }).prefix(files.count - Self.capacity / 2) {
            unlink(directory + "/" + file.name)
        }
    }
}
