import FileProvider

/// The name of content on the server while it is not complete.
enum TemporaryUpload {
    private static let prefix = ".docent-upload-"

    /// The name for an operation's content.
    ///
    /// - Parameter attempt: The number of earlier attempts. Each attempt has its own name, because some servers
    ///   (copyparty) never overwrite: they store the second upload under another name.
    static func name(_ operation: ChangeOperation, attempt: Int = 0) -> LocalName? {
        LocalName(stem(operation) + (attempt > 0 ? "~\(attempt)" : ""))
    }

    /// The name of the document that an operation displaced, until it is removed.
    static func displacedName(_ operation: ChangeOperation) -> LocalName? { LocalName(stem(operation) + ".old") }

    /// Whether a name is one of these names, which are not documents.
    static func isOne(_ name: LocalName) -> Bool { name.bytes.starts(with: prefix.utf8) }

    /// Whether a name belongs to an attempt of an operation, or is the server's variant of such a name. The name of a
    /// displaced document does not count.
    static func isUpload(_ name: LocalName, of operation: ChangeOperation) -> Bool {
        let stem = Array(stem(operation).utf8)
        guard name.bytes.starts(with: stem), name != displacedName(operation) else { return false }
        // If the next byte is a letter or digit, the name belongs to another operation with a longer identifier.
        guard let next = name.bytes.dropFirst(stem.count).first else { return true }
        return next == UInt8(ascii: "~") || next == UInt8(ascii: "-") || next == UInt8(ascii: ".")
            || next == UInt8(ascii: " ") || next == UInt8(ascii: "(")
    }

    private static func stem(_ operation: ChangeOperation) -> String {
        prefix + SegmentEncoding.encode(operation.identifier.utf8).replacing("%", with: "=").prefix(200)
    }
}
