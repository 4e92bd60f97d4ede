import Glibc
import Synchronization

/// Remembers across restarts which file each of the last thousand operations created, so that an operation repeated
/// after a crash is recognised. Stored as lines of text in a hidden file of the document storage. Safe to use from any
/// thread.
final class OperationLog: Sendable {
    /// Identifies a file regardless of its name. A reused inode has another birth time.
    struct File: Equatable, Sendable {
        var inode: UInt64
        var birth: Int64

        init(_ facts: LocalFileFacts) {
            inode = facts.inode
            birth = facts.birth
        }

        fileprivate init?(_ text: Substring) {
            let parts = text.split(separator: ".")
            guard parts.count == 2, let inode = UInt64(parts[0], radix: 36), let birth = Int64(parts[1], radix: 36)
            else { return nil }
            self.inode = inode
            self.birth = birth
        }

        fileprivate var text: String { String(inode, radix: 36) + "." + String(birth, radix: 36) }
    }

    /// The result of an operation.
    struct Result: Sendable {
        var file: File
        /// Whether the file is known to have its final name. It may have it in any case.
        var isDone: Bool
    }

    private struct State {
        var results: [ChangeOperation: Result] = [:]
        var order: [ChangeOperation] = []
        var lines = 0
        var descriptor: CInt = -1
    }

    private static let name = ".docent-operations-v1"
    private static let capacity = 1_000

    private let directory: String
    private let state = Mutex(State())

    /// Creates a log in the document storage. The file is read on first use.
    init(storage directory: String) { self.directory = directory }

    deinit {
        state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
    }

    /// Whether a name in the storage is that of the log or of its temporary file.
    static func isLog(_ name: LocalName) -> Bool { name.bytes.starts(with: Self.name.utf8) }

    /// The result of an operation; nil when it never got that far.
    ///
    /// - Throws: ``FileProviderError`` when the log cannot be read.
    func result(of operation: ChangeOperation) throws -> Result? {
        try state.withLock { state in
            try open(&state)
            return state.results[operation]
        }
    }

    /// Records durably that an operation is about to give a file its name, or that it has done so.
    ///
    /// - Throws: ``FileProviderError`` when the record cannot be written; nothing may be changed then.
    func note(_ operation: ChangeOperation, _ file: File, isDone: Bool) throws {
        try state.withLock { state in
            try open(&state)
            let result = Result(file: file, isDone: isDone)
            let line = Array(Self.line(operation, result).utf8)
            guard write(state.descriptor, line, line.count) == line.count else {
                // A partly written line must not swallow the next one.
                _ = write(state.descriptor, "\n", 1)
                throw FileProviderError(.insufficientQuota, "The log of operations cannot be written.")
            }
            guard isDone || fdatasync(state.descriptor) == 0 else {
                throw FileProviderError(.failed, "The log of operations cannot be made durable.")
            }
            state.lines += 1
            Self.apply(operation, result, to: &state)
            if state.lines > 4 * Self.capacity { rewrite(&state) }
        }
    }

    private func open(_ state: inout State) throws {
        guard state.descriptor < 0 else { return }
        let path = directory + "/" + Self.name
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw FileProviderError(.failed, "The log of operations cannot be opened (error \(errno)).")
        }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            text.append(contentsOf: buffer[..<count])
        }
        // A line that a crash cut short must not swallow the next one.
        if text.last.map({ $0 != UInt8(ascii: "\n") }) ?? false { _ = write(descriptor, "\n", 1) }
        for line in text.split(separator: UInt8(ascii: "\n")) {
            state.lines += 1
            if let (operation, result) = Self.parse(String(decoding: line, as: UTF8.self)) {
                Self.apply(operation, result, to: &state)
            }
        }
        state.descriptor = descriptor
    }

    /// Writes the entries that are still needed to a new file, which then replaces the old one.
    private func rewrite(_ state: inout State) {
        let text = state.order.compactMap { key in state.results[key].map { Self.line(key, $0) } }.joined()
        let (path, bytes) = (directory + "/" + Self.name, Array(text.utf8))
        let file = Glibc.open(path + ".new", O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, rename(path + ".new", path) == 0 else {
            close(file)
            unlink(path + ".new")
            return
        }
        close(state.descriptor)
        state.descriptor = file
        state.lines = state.order.count
        try? LocalDirectory(path: directory).synchronize()
    }

    private static func apply(_ operation: ChangeOperation, _ result: Result, to state: inout State) {
        if state.results.updateValue(result, forKey: operation) == nil { state.order.append(operation) }
        if state.order.count > capacity { state.results[state.order.removeFirst()] = nil }
    }

    private static func line(_ operation: ChangeOperation, _ result: Result) -> String {
        let words = [operation.identifier, operation.digest ?? ""].map { word in
            word.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        return "\(result.isDone ? "done" : "begin") \(words[0]):\(words[1]) \(result.file.text) .\n"
    }

    private static func parse(_ line: String) -> (ChangeOperation, Result)? {
        let parts = line.split(separator: " ")
        guard parts.count == 4, parts[3] == ".", ["begin", "done"].contains(parts[0]), let file = File(parts[2]) else {
            return nil
        }
        let words = parts[1].split(separator: ":", omittingEmptySubsequences: false).map(text)
        guard words.count == 2, let identifier = words[0], let digest = words[1] else { return nil }
        let operation = ChangeOperation(identifier: identifier, digest: digest.isEmpty ? nil : digest)
        return (operation, Result(file: file, isDone: parts[0] == "done"))
    }

    /// Decodes a text from hexadecimal digits.
    private static func text(_ word: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = word.utf8[...]
        while !rest.isEmpty {
            guard let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
