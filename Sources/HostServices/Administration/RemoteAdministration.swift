package import DocentInterfaces
package import HostCore
package import Storage

/// The administration of the local content of remote providers.
package protocol RemoteAdministration: Sendable {
    /// Pins or unpins a document, or everything that is in a folder now. Returns the number of documents.
    func pin(location: Wire.Location, pinned: Bool) async throws -> Int
    /// Removes the local copies of a document, or of everything in a folder that can be evicted.
    func evict(location: Wire.Location) async throws -> (items: Int, bytes: Int64)
    /// Asks the provider for changes. `accept` trusts a listing that shrank by more than half.
    func refresh(location: Wire.Location, accept: Bool) async throws -> (changed: Int, deleted: Int, held: [String])
    /// The kept versions of a document, or all kept versions.
    ///
    /// - Parameters:
    ///   - includingSuperseded: whether what saves replaced is listed too.
    ///   - isUnresolved: only those that somebody has to decide about, with the paths of their documents.
    func versions(
        location: Wire.Location?, includingSuperseded: Bool, isUnresolved: Bool
    ) async throws -> [Wire.Version]
    /// Opens a kept version for reading.
    func openVersion(_ identifier: String) async throws -> (version: Wire.Version, file: OpenDescriptor)
    /// Deletes a kept version permanently.
    func removeVersion(_ identifier: String) async throws
    /// Settles the unsent changes of a domain whose transfers have ended: keeps them as versions, or discards them.
    /// Idempotent.
    ///
    /// - Returns: the number of discarded changes.
    func settleUnsent(of domain: DomainKey, discards: Bool) async throws -> Int
    /// Removes the local content of a domain that was signed out: copies, placeholders, unfinished downloads, and what
    /// is known of items. Kept versions stay. Idempotent.
    func removeCopies(of domain: DomainKey) async throws
    /// Removes a domain's local content. Unsent changes are kept as versions; then local copies and everything known of
    /// the domain are removed. Idempotent.
    func removeContent(of domain: DomainKey) async throws
}
