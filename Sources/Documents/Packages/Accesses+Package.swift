extension ReadingAccess {
    /// Reads the item as a package, element by element, within the accessor.
    public var package: PackageReader {
        PackageReader(reference: item.reference, version: item.version, client: claim.client)
    }
}

extension WritingAccess {
    /// Starts writing the item as a package (M4). ``PackageWriteSession/commit()`` publishes it; if that was not called, the
    /// accessor's return does.
    ///
    /// - Parameter replacing: start with nothing instead of what is there; nil as the options say, so with nothing for
    ///   ``FileCoordinator/WritingOptions/forReplacing``.
    /// - Throws: ``DocumentsError``; `notFound` where nothing is.
    public func package(replacing: Bool? = nil) async throws(DocumentsError) -> PackageWriteSession {
        let session = try await PackageWriteSession.begin(
            try required(), replacing: replacing ?? isReplacing, claim: (claim, index), client: claim.client)
        claim.adopt(session)
        return session
    }
}
