import FileProvider

/// The name under which content lies on the server until it is whole.
enum TemporaryUpload {
    private static let prefix = ".docent-upload-"

    /// The name of an operation's content; the same each time.
    static func name(_ operation: ChangeOperation) -> LocalName? {
        let plain = PercentEncoding.encode(operation.identifier.utf8).replacing("%", with: "=")
        let text = prefix + String(plain.prefix(200))
        return LocalName(text)
    }

    /// The name of what an operation displaced, until it is removed.
    static func displacedName(_ operation: ChangeOperation) -> LocalName? {
        name(operation).flatMap { LocalName($0.displayed + ".old") }
    }

    /// Whether a name is one of these: they are no documents.
    static func isOne(_ name: LocalName) -> Bool { name.bytes.starts(with: prefix.utf8) }
}
