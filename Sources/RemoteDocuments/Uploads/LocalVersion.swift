/// The version of a document whose newest content is a local save that its provider does not have yet:
/// `local-<operation>`.
package struct LocalVersion: Hashable, Sendable {
    private static let prefix = "local-"

    /// The journal's identifier of the operation.
    package let operation: String

    /// The version that an operation creates.
    package init(_ operation: String) { self.operation = operation }

    /// Reads a version; nil when it is a provider's version.
    package init?(_ version: String?) {
        guard let version, version.hasPrefix(Self.prefix) else { return nil }
        operation = String(version.dropFirst(Self.prefix.count))
    }

    /// The version as text.
    package var text: String { Self.prefix + operation }
}
