/// Identifies one change, so that repeating it after a lost reply does not make a second change.
///
/// The SDK answers a repeated operation from memory while the process lives. A provider that must recognise it after a
/// crash stores it with what it wrote.
public struct ChangeOperation: Hashable, Sendable {
    /// The operation's identifier, chosen by the host and never reused.
    public var identifier: String
    /// The SHA-256 of the content in hexadecimal; nil for a folder.
    public var digest: String?

    /// Creates an operation.
    public init(identifier: String, digest: String? = nil) {
        self.identifier = identifier
        self.digest = digest
    }
}
