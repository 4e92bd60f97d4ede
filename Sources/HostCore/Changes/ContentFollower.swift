package import DocentInterfaces
package import Rights

/// Who tells those that present items what becomes of them. Every function is quick and may be called on any thread.
package protocol ContentFollower: Sendable {
    /// There was news of an item.
    func noticed(_ key: ItemKey)
    /// All that is known of a provider may be other now.
    func noticedAll(_ provider: String, domain: String?)
    /// A version of our own making has got its provider's name.
    func confirmed(_ key: ItemKey, version: String?)
    /// Something was made where nothing was.
    func created(_ item: Wire.Item, name: String, in folder: ItemKey)
    /// A version of a document is kept beside it, or no longer.
    func versionKept(_ version: String, of key: ItemKey, isGone: Bool)
    /// The last version of a document that stood for a conflict is gone.
    func conflictResolved(_ version: String, of key: ItemKey)
    /// Removes a local copy if its presenters agree, without anybody claiming it meanwhile.
    ///
    /// - Throws: ``Failure`` `Conflict` with the reason why it stays; what the body throws.
    func withEviction<Result: Sendable>(
        of key: ItemKey, name: String, _ body: @Sendable () async throws -> Result
    ) async throws -> Result
    /// Rights were taken away (I3).
    func revoked(_ grants: [Grant])
}
