import DocentInterfaces

extension Wire.TrashedItem {
    /// Encodes an answer of the provider.
    ///
    /// - Throws: ``FileProviderError`` for one that cannot be.
    init(_ item: TrashedItem) throws(FileProviderError) {
        guard (1...TrashedItem.maximumLength).contains(item.identifier.utf8.count) else {
            throw FileProviderError(
                .failed,
                "The provider gave something in its trash an identifier of \(item.identifier.utf8.count) bytes; "
                    + "it has 1 to \(TrashedItem.maximumLength).")
        }
        self.init(
            identifier: item.identifier, name: item.filename, path: item.path.map { "/" + $0.joined(separator: "/") },
            parent: item.parent?.rawValue, item: item.item?.rawValue, deletionDate: item.deletionDate,
            size: item.size, isFolder: item.isFolder)
    }

    /// About how many bytes it takes in a message.
    var estimatedSize: Int {
        200 + 2 * (identifier.utf8.count + name.utf8.count + (path?.utf8.count ?? 0) + (item?.utf8.count ?? 0))
    }
}
