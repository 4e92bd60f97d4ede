import DocentInterfaces

extension Wire.EarlierVersion {
    /// Encodes an answer of the provider.
    ///
    /// - Throws: ``FileProviderError`` for one that cannot be.
    init(_ version: EarlierVersion) throws(FileProviderError) {
        guard (1...EarlierVersion.maximumLength).contains(version.identifier.utf8.count) else {
            throw FileProviderError(
                .failed,
                "The provider gave an earlier version an identifier of \(version.identifier.utf8.count) bytes; "
                    + "it has 1 to \(EarlierVersion.maximumLength).")
        }
        self.init(
            identifier: version.identifier, modificationDate: version.modificationDate, size: version.size,
            version: version.version?.content, savedBy: version.savedBy)
    }

    /// About how many bytes it takes in a message.
    var estimatedSize: Int {
        150 + 2 * (identifier.utf8.count + (version?.utf8.count ?? 0) + (savedBy?.utf8.count ?? 0))
    }
}
