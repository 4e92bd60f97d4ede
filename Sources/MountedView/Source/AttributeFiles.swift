import CLinux
import Documents
import Glibc

/// The extended attributes that programs have given to the documents of a view: a file of this user for each document
/// that has any. They outlive the view.
struct AttributeFiles: Sendable {
    typealias Attributes = [String: [UInt8]]

    /// The most of one document, and the bytes of all their names and values: no more can be sent to a provider.
    static let (mostAttributes, mostBytes) = (64, 64 << 10)
    /// The most documents with attributes.
    static let mostDocuments = 20_000
    private static let mark = Array("docent attributes 1\n".utf8)

    /// The absolute path of the folder for all of them.
    private let root: String

    /// - Parameter root: created when it is needed.
    init(root: String) { self.root = root }

    /// The attributes of a document; none if they cannot be read.
    ///
    /// - Parameter document: what identifies it among those of all accounts.
    func attributes(of document: [String]) -> Attributes {
        guard let bytes = Self.read(path(document)), let (owner, attributes) = Self.decode(bytes), owner == document
        else { return [:] }
        return attributes
    }

    /// Keeps the attributes of a document instead of those that it had.
    func set(_ attributes: Attributes, of document: [String]) throws(DocumentsError) {
        let path = path(document)
        guard !attributes.isEmpty else {
            guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure(path) }
            return
        }
        guard Self.fits(attributes) else { throw DocumentsError(.noSpace, "The document has too many attributes.") }
        if access(path, F_OK) != 0 {
            try prepare()
            guard count() < Self.mostDocuments else {
                throw DocumentsError(.noSpace, "Too many documents have attributes: \(Self.mostDocuments).")
            }
        }
        let new = path + ".\(getpid())"
        let file = clinux_open(new, CLINUX_O_RDWR | CLINUX_O_CREAT | CLINUX_O_TRUNC | CLINUX_O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            errno = -file
            throw Self.failure(new)
        }
        defer { _ = clinux_close(file) }
        let bytes = Self.encode(document, attributes)
        let written = bytes.withUnsafeBytes { buffer in
            buffer.baseAddress.map { clinux_pwrite(file, $0, buffer.count, 0) } ?? 0
        }
        guard written == bytes.count, rename(new, path) == 0 else {
            if written < 0 { errno = CInt(-written) } else if written < bytes.count { errno = ENOSPC }
            let failure = Self.failure(path)
            unlink(new)
            throw failure
        }
    }

    /// Whether a document may have these attributes.
    static func fits(_ attributes: Attributes) -> Bool {
        attributes.count <= mostAttributes
            && attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.count } <= mostBytes
    }

    private static func failure(_ path: String) -> DocumentsError {
        DocumentsError(
            errno == ENOSPC || errno == EDQUOT ? .noSpace : .failed, "\(path): \(String(cString: strerror(errno))).")
    }

    private func path(_ document: [String]) -> String {
        root + "/" + String(StableNumber.of(document), radix: 16)
    }

    private func prepare() throws(DocumentsError) {
        var path = ""
        for part in root.split(separator: "/") {
            path += "/" + part
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure(path) }
        }
    }

    private func count() -> Int {
        guard let directory = opendir(root) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }

    private static func read(_ path: String) -> [UInt8]? {
        let file = clinux_open(path, CLINUX_O_RDONLY | CLINUX_O_NOFOLLOW | CLINUX_O_NONBLOCK, 0)
        guard file >= 0 else { return nil }
        defer { _ = clinux_close(file) }
        // Identifiers have no limit of their own; nothing that was written here is longer.
        var bytes = [UInt8](repeating: 0, count: mostBytes * 2)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
        guard count > 0, count < bytes.count else { return nil }
        return Array(bytes[..<count])
    }

    // MARK: Format

    static func encode(_ document: [String], _ attributes: Attributes) -> [UInt8] {
        var bytes = mark
        func add(_ part: some Collection<UInt8>) {
            withUnsafeBytes(of: UInt32(clamping: part.count).littleEndian) { bytes += $0 }
            bytes += part
        }
        add([UInt8(clamping: document.count)])
        for text in document { add(text.utf8) }
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            add(name.utf8)
            add(value)
        }
        return bytes
    }

    /// The document and its attributes; nil for anything else than ``encode(_:_:)`` makes.
    static func decode(_ bytes: [UInt8]) -> (document: [String], attributes: Attributes)? {
        guard bytes.starts(with: mark) else { return nil }
        var rest = bytes.dropFirst(mark.count)
        func next() -> ArraySlice<UInt8>? {
            guard rest.count >= 4 else { return nil }
            let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        guard let length = next(), length.count == 1, let texts = length.first else { return nil }
        var document: [String] = []
        for _ in 0..<texts {
            guard let text = next().flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
            document.append(text)
        }
        var attributes: Attributes = [:]
        while !rest.isEmpty {
            guard let name = next().flatMap({ String(validating: $0, as: UTF8.self) }), let value = next() else {
                return nil
            }
            attributes[name] = Array(value)
        }
        return (document, attributes)
    }
}
