/// A legal name of one path component: 1 to 255 bytes, neither `.` nor `..`, no slash, no NUL. Need not be UTF-8.
package struct FileName: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The longest name that Linux file systems allow, in bytes.
    package static let maximumLength = 255

    /// The bytes of the name, without a terminator.
    package let bytes: [UInt8]

    /// Takes the bytes if they are a legal name; otherwise nil.
    package init?(bytes: some Collection<UInt8>) {
        guard Self.isLegal(bytes) else { return nil }
        self.bytes = Array(bytes)
    }

    /// Takes a name as given.
    ///
    /// - Throws: `FileSystemError.Code.badName`.
    package init(_ name: String) throws {
        guard Self.isLegal(name.utf8) else {
            throw FileSystemError(.badName, "\"\(name.prefix(80))\" is not a legal file name.", path: name)
        }
        bytes = Array(name.utf8)
    }

    /// Takes bytes that are legal by construction, such as escaped text.
    init(unchecked bytes: [UInt8]) {
        assert(Self.isLegal(bytes))
        self.bytes = bytes
    }

    /// Decodes the bytes and checks them again: a stored name is not trusted.
    package init(from decoder: any Decoder) throws {
        let bytes = try decoder.singleValueContainer().decode([UInt8].self)
        guard Self.isLegal(bytes) else {
            throw FileSystemError(.badName, "A stored file name is not legal.")
        }
        self.bytes = bytes
    }

    /// Encodes the bytes.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }

    /// The name for display: bytes that are not UTF-8, and control characters, as `\xHH`.
    package var description: String {
        var shown = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            let piece = rest.prefix(length)
            if first >= 0x20, first != 0x7F, first != UInt8(ascii: "\\"),
                let text = String(validating: piece, as: UTF8.self)
            {
                shown += text
                rest = rest.dropFirst(length)
            } else {
                shown += "\\x" + Self.hexadecimal(first)
                rest = rest.dropFirst()
            }
        }
        return shown
    }

    /// The name as text, from which `FileName(_:)` creates it again: lossless for every name that came from a text,
    /// unlike `description`, which escapes.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Calls `body` with the name as a C string.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        try (bytes + [0]).withUnsafeBufferPointer { buffer in
            try buffer.withMemoryRebound(to: CChar.self) { text in
                // The terminator makes the buffer non-empty, so it has an address.
                guard let start = text.baseAddress else { preconditionFailure("an array of at least one byte") }
                return try body(start)
            }
        }
    }

    private static func isLegal(_ bytes: some Collection<UInt8>) -> Bool {
        guard (1...maximumLength).contains(bytes.count) else { return false }
        if bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) && bytes.count <= 2 { return false }
        return !bytes.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    static func hexadecimal(_ byte: UInt8) -> String {
        let digits = Array("0123456789ABCDEF")
        return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
}
