package import FoundationEssentials
package import Rights

/// A client whose deletions and saves are refused until the user allows them, because there were too many in a minute,
/// or because the saves turned documents into noise.
package struct HeldClient: Hashable, Sendable {
    /// The client.
    package var principal: Principal
    /// How many documents it had deleted or replaced within a minute.
    package var documents: Int
    /// Whether it is held because it turned these documents into noise.
    package var isNoise: Bool
    /// When it was held, in whole milliseconds once stored.
    package var since: Date

    /// Creates a record.
    package init(principal: Principal, documents: Int, since: Date, isNoise: Bool = false) {
        self.isNoise = isNoise
        self.principal = principal
        self.documents = documents
        self.since = since
    }
}
