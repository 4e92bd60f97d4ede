package import DocentInterfaces
package import HostCore
package import Storage

/// What the administration may ask of the documents that are kept here for remote providers.
package protocol RemoteAdministration: Sendable {
    /// Keeps a document, or all that is in a folder now; or no longer. Returns how many.
    func pin(location: Wire.Location, pinned: Bool) async throws -> Int
    /// Removes local copies of a document, or of all in a folder that may go.
    func evict(location: Wire.Location) async throws -> (items: Int, bytes: Int64)
    /// Asks the provider what changed; `accept` believes a listing that shrank by more than half.
    func refresh(location: Wire.Location, accept: Bool) async throws -> (changed: Int, deleted: Int, held: [String])
    /// The kept versions of a document, or of all.
    func versions(location: Wire.Location?) async throws -> [Wire.Version]
    /// A kept version, to be read.
    func openVersion(_ identifier: String) async throws -> (version: Wire.Version, file: OpenDescriptor)
    /// Removes a kept version for good.
    func removeVersion(_ identifier: String) async throws
    /// Settles what is unsent of a domain whose transfers have ended: keeps it as versions, or drops it. Idempotent.
    ///
    /// - Returns: how many were dropped.
    func settleUnsent(of domain: DomainKey, discards: Bool) async throws -> Int
    /// Removes all that is here of a domain that was signed out but what is kept: copies, placeholders, unfinished
    /// downloads, what is known of items. Idempotent.
    func removeCopies(of domain: DomainKey) async throws
    /// A domain is going: keeps what of it is not sent as versions, then removes its local copies and all that is known
    /// of it. Idempotent.
    func removeContent(of domain: DomainKey) async throws
}
