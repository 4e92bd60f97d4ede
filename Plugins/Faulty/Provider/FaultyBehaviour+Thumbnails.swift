import FileProvider

extension FaultyBehaviour {
    /// One grey pixel as a PNG.
    private var pixel: [UInt8] {
        [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1,
            8, 0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0, 0, 0,
            2, 0, 1, 0x48, 0xAF, 0xA4, 0x71, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
        ]
    }

    func thumbnail(of identifier: ItemIdentifier, version: ItemVersion?, size: Int) async throws -> ItemThumbnail {
        try await core.trouble("thumbnail", identifier)
        let entry = try core.entry(identifier)
        guard !entry.isFolder else { throw Trouble.notSupported }
        let known = core.describe(entry, in: .alone).version
        let script = core.script
        if script.strikes("thumbnail.noPicture") {
            return ItemThumbnail(data: Array("<html>Sign in</html>".utf8), contentType: "public.png", version: known)
        }
        if script.strikes("thumbnail.wrongType") {
            return ItemThumbnail(data: pixel, contentType: "public.jpeg", version: known)
        }
        if script.strikes("thumbnail.wrongVersion") {
            return ItemThumbnail(data: pixel, version: ItemVersion(content: "another"))
        }
        if script.strikes("thumbnail.huge") {
            return ItemThumbnail(data: pixel + [UInt8](repeating: 0, count: ItemThumbnail.maximumLength))
        }
        return ItemThumbnail(data: pixel, version: known)
    }
}
