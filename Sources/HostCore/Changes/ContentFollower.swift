package import DocentInterfaces
package import Rights

/// Notifies presenters of what happens to their items. Every function is quick and may be called on any thread.
package protocol ContentFollower: AnyObject, Sendable {
    /// An item may have changed.
    func noticed(_ key: ItemKey)
    /// Everything known about a provider may have changed.
    func noticedAll(_ provider: String, domain: String?)
    /// The provider gave a version to a change that we made.
    func confirmed(_ key: ItemKey, version: String?)
    /// A new item was created.
    func created(_ item: Wire.Item, name: String, in folder: ItemKey)
    /// An item has a new identifier.
    func moved(_ from: ItemKey, to: ItemKey)
    /// A version of a document is now kept beside it, or no longer.
    func versionKept(_ version: String, of key: ItemKey, isGone: Bool)
    /// The last conflict version of a document is gone.
    func conflictResolved(_ version: String, of key: ItemKey)
    /// Removes a local copy if its presenters agree, and prevents claims on it meanwhile.
    ///
    /// - Throws: ``Failure`` `Conflict` with the reason why the copy stays; what the body throws.
    func withEviction<Result: Sendable>(
        of key: ItemKey, name: String, _ body: @Sendable () async throws -> Result
    ) async throws -> Result
    /// Grants were revoked.
    func revoked(_ grants: [Grant])
}
