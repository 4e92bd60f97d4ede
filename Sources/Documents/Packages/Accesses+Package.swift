extension ReadingAccess {
    /// Reads the item as a package, element by element, within the accessor.
    public var package: PackageReader {
        PackageReader(reference: item.reference, version: item.version, client: claim.client)
    }
}

extension WritingAccess {
    /// Starts writing the item as a package. ``PackageWriteSession/commit()`` publishes it; if it was not called, the
    /// return of the accessor does.
    ///
    /// - Parameter replacing: whether to start with an empty package instead of the current one. Nil, the default,
    ///   follows the options: empty for ``FileCoordinator/WritingOptions/forReplacing``.
    /// - Throws: ``DocumentsError``; `notFound` when there is no item; `conflict` when it has other contents than
    ///   ``item`` says, except with ``FileCoordinator/WritingOptions/forReplacing``.
    public func package(replacing: Bool? = nil) async throws(DocumentsError) -> PackageWriteSession {
        let session = try await PackageWriteSession.begin(
            try required(), replacing: replacing ?? isReplacing, claim: (claim, index), client: claim.client)
        do { try await requireUnchanged(since: session.baseVersion) } catch {
            try? await session.abandon()
            throw error
        }
        claim.adopt(session)
        return session
    }
}
