import FileProvider

/// The name under which content lies on the server until it is whole.
enum TemporaryUpload {
    private static let prefix = ".docent-upload-"

    /// The name of an operation's content.
    ///
    /// - Parameter attempt: How often it was sent before. Each attempt has a name of its own: some servers (copyparty)
    ///   keep what lies at a name and store what is sent again under another one.
    static func name(_ operation: ChangeOperation, attempt: Int = 0) -> LocalName? {
        LocalName(stem(operation) + (attempt > 0 ? "~\(attempt)" : ""))
    }

    /// The name of what an operation displaced, until it is removed.
    static func displacedName(_ operation: ChangeOperation) -> LocalName? { LocalName(stem(operation) + ".old") }

    /// Whether a name is one of these: they are no documents.
    static func isOne(_ name: LocalName) -> Bool { name.bytes.starts(with: prefix.utf8) }

    /// Whether a name is that of an attempt of an operation, or what the server made of it; not that of what it
    /// displaced.
    static func isUpload(_ name: LocalName, of operation: ChangeOperation) -> Bool {
        let stem = Array(stem(operation).utf8)
        guard name.bytes.starts(with: stem), name != displacedName(operation) else { return false }
        // What follows the name of another operation, which begins with that of this one, is a letter or a digit.
        guard let next = name.bytes.dropFirst(stem.count).first else { return true }
        return next == UInt8(ascii: "~") || next == UInt8(ascii: "-") || next == UInt8(ascii: ".")
            || next == UInt8(ascii: " ") || next == UInt8(ascii: "(")
    }

    private static func stem(_ operation: ChangeOperation) -> String {
        prefix + SegmentEncoding.encode(operation.identifier.utf8).replacing("%", with: "=").prefix(200)
    }
}
