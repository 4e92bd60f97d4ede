import FileProvider
import Glibc
import Synchronization

/// Stores the ``IdentityRecords`` of a domain as lines of text in the provider's own storage. Bindings and operations
/// are durable before the change that they explain is made. Safe to use from any thread.
final class IdentityLog: Sendable {
    private static let name = "identities-v1"

    private struct File {
        var descriptor: CInt = -1
        var lines = 0
    }

    private let directory: String
    private let report: @Sendable (String) -> Void
    // Held while a line is made durable, which may take long. Whoever reads needs only the records, which change after
    // it: `file` is locked before `records`.
    private let file = Mutex(File())
    private let records = Mutex(IdentityRecords())

    /// Reads the log in a directory, which is created if necessary. If it cannot be stored, records are kept in memory
    /// only, and `report` is called.
    init(directory: String, report: @escaping @Sendable (String) -> Void) {
        self.directory = directory
        self.report = report
        file.withLock { load(&$0) }
    }

    deinit {
        file.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
    }

    /// Reads a consistent part of the records.
    func read<Value: Sendable>(_ body: (IdentityRecords) -> Value) -> Value {
        records.withLock { body($0) }
    }

    /// The identifier of a file.
    func identifier(of identity: LocalFileIdentity) -> String {
        read { $0.identifiers[identity] ?? identity.text }
    }

    /// Binds an identifier to a file.
    func bind(_ identifier: String, _ identity: LocalFileIdentity, durably: Bool = true) throws {
        try append(IdentityRecords.line(bind: identifier, identity), durably: durably)
    }

    /// Gives the identifier of an item to a file that was found in its place, if
    /// ``IdentityRecords/canPass(_:to:)`` allows that. Nothing is recorded between the check and the binding.
    ///
    /// - Returns: Whether the file has it now.
    func pass(_ identifier: String, to identity: LocalFileIdentity, durably: Bool = true) throws -> Bool {
        try file.withLock { file in
            guard read({ $0.canPass(identifier, to: identity) }) else { return false }
            try append(IdentityRecords.line(bind: identifier, identity), durably: durably, &file)
            return true
        }
    }

    /// Undoes a binding: the file was not put in its place after all.
    func unbind(_ identifier: String, _ identity: LocalFileIdentity) {
        try? append(IdentityRecords.line(unbind: identifier, identity), durably: false)
    }

    /// Records that an operation is about to publish a file, or has done so.
    func note(_ operation: ChangeOperation, _ identity: LocalFileIdentity, isDone: Bool) throws {
        try append(
            IdentityRecords.line(operation.key, .init(identity: identity, isDone: isDone)), durably: !isDone)
    }

    /// The result of an operation.
    func made(by operation: ChangeOperation) -> IdentityRecords.Operation? {
        read { $0.operations[operation.key] }
    }

    /// Records that an item was used and where it was.
    func saw(_ identifier: String, at path: [LocalName]) {
        guard read({ $0.hints[identifier] }) != path else { return }
        try? append(IdentityRecords.line(identifier, seenAt: path), durably: false)
    }

    /// Records that an item was deleted by this provider: a new file in its place is another item.
    func forget(_ identifier: String) throws {
        let line = IdentityRecords.line(gone: identifier)
        try file.withLock { file in
            guard read({ $0.hints[identifier] != nil || $0.identities[identifier] != nil }) else {
                // Nothing of it outlives this run.
                return records.withLock { $0.apply(line.dropLast()) }
            }
            try append(line, durably: true, &file)
        }
    }

    /// Records that an item is about to be moved to the trash from a path: a new file in its place, or in that of
    /// anything that it contains, is another item. Its file keeps its identifier.
    func trashed(_ identifier: String, at path: [LocalName]) throws {
        try file.withLock { file in
            for inside in read({ $0.hinted(below: path) }) where inside != identifier {
                try append(IdentityRecords.line(trashed: inside), durably: false, &file)
            }
            try append(IdentityRecords.line(trashed: identifier), durably: true, &file)
        }
    }

    private func append(_ line: String, durably: Bool) throws {
        try file.withLock { try append(line, durably: durably, &$0) }
    }

    private func append(_ line: String, durably: Bool, _ file: inout File) throws {
        if file.descriptor >= 0 {
            let bytes = Array(line.utf8)
            guard Glibc.write(file.descriptor, bytes, bytes.count) == bytes.count else {
                // A partly written line must not swallow the next one.
                _ = Glibc.write(file.descriptor, "\n", 1)
                throw FileProviderError(.insufficientQuota, "The log of identifiers cannot be written.")
            }
            if durably, fsync(file.descriptor) != 0 {
                throw FileProviderError(.failed, "The log of identifiers cannot be made durable.")
            }
            file.lines += 1
        }
        let count = records.withLock { records in
            records.apply(line.dropLast())
            return records.count
        }
        if file.lines > 4_096 + 4 * count { rewrite(&file) }
    }

    private func load(_ file: inout File) {
        makeDirectory()
        let path = "\(directory)/\(Self.name)"
        file.descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file.descriptor >= 0 else {
            report("Identifiers are not kept beyond this run: \(path) cannot be opened (error \(errno)).")
            return
        }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file.descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            text.append(contentsOf: buffer[..<count])
        }
        // A line that a crash cut short must not swallow the next one.
        if text.last.map({ $0 != UInt8(ascii: "\n") }) ?? false { _ = Glibc.write(file.descriptor, "\n", 1) }
        records.withLock { records in
            for line in text.split(separator: UInt8(ascii: "\n")) {
                records.apply(String(decoding: line, as: UTF8.self)[...])
                file.lines += 1
            }
        }
    }

    /// Writes the entries that are still needed to a new file, which then replaces the old one.
    private func rewrite(_ file: inout File) {
        file.lines = 0
        let path = "\(directory)/\(Self.name)"
        let temporary = path + ".new"
        let bytes = Array(records.withLock { $0.lines }.utf8)
        let new = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard new >= 0 else { return }
        guard Glibc.write(new, bytes, bytes.count) == bytes.count, fsync(new) == 0,
            Glibc.rename(temporary, path) == 0
        else {
            close(new)
            unlink(temporary)
            return
        }
        close(file.descriptor)
        file.descriptor = new
        if let directory = try? LocalDirectory(path: directory) { try? directory.synchronize() }
    }

    private func makeDirectory() {
        var path = ""
        for part in directory.split(separator: "/") {
            path += "/" + part
            mkdir(path, 0o700)
        }
    }
}

extension ChangeOperation {
    /// The operation as one word of a line.
    fileprivate var key: String {
        IdentityRecords.encoded(identifier.utf8) + ":" + IdentityRecords.encoded((digest ?? "").utf8)
    }
}
