/// Names one change, so that doing it again after a lost reply is no second change.
///
/// The SDK answers a repeated operation from memory while the process lives. A provider that must recognise it after
/// a crash stores it with what it wrote.
public struct ChangeOperation: Hashable, Sendable {
    /// The operation's name, chosen by the host; unique for ever.
    public var identifier: String
    /// The SHA-256 of the content in hexadecimal; nil for a folder.
    public var digest: String?

    /// An operation from its parts.
    public init(identifier: String, digest: String? = nil) {
        self.identifier = identifier
        self.digest = digest
    }
}
