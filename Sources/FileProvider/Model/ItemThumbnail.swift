/// A picture of an item's content, for lists.
public struct ItemThumbnail: Sendable, Hashable {
    /// The most bytes of a picture: 4 MiB.
    public static let maximumLength = 4 << 20

    /// The picture: a PNG or a JPEG.
    public let data: [UInt8]
    /// Its type identifier: `public.png` or `public.jpeg`.
    public let contentType: String
    /// The version of the item that the picture shows; nil if that is not known.
    public let version: ItemVersion?

    /// Creates a picture.
    ///
    /// - Parameters:
    ///   - data: a whole PNG or JPEG of at most ``maximumLength`` bytes.
    ///   - contentType: its type identifier; nil: told by its first bytes.
    ///   - version: the version of the item that it shows. The host refuses a picture of another version than the one
    ///     it asked for. Without it, the host takes the picture for one of the version that it asked for.
    public init(data: [UInt8], contentType: String? = nil, version: ItemVersion? = nil) {
        self.data = data
        self.contentType = contentType ?? (data.starts(with: [0xFF, 0xD8, 0xFF]) ? "public.jpeg" : "public.png")
        self.version = version
    }
}
