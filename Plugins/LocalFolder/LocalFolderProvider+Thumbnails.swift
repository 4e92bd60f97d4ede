package import FileProvider

extension LocalFolderProvider {
    /// The picture that a client gave with the save of this content. Other documents have none here: the host draws
    /// them itself.
    package func thumbnail(
        of identifier: ItemIdentifier, version: ItemVersion?, size: Int
    ) async throws -> ItemThumbnail {
        let item = try await item(for: identifier)
        guard let name = item.thumbnail, let picture = thumbnails.read(name) else {
            throw FileProviderError(.notSupported, "No program has given a picture of this document.")
        }
        return ItemThumbnail(data: picture, version: item.version)
    }
}
