/// What a provider can do beyond describing items and delivering their content.
public struct ProviderFeatures: OptionSet, Hashable, Sendable {
    /// The features as a bit mask.
    public let rawValue: Int

    /// Creates a set from a bit mask.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The content is a local file already: ``ReplicatedFileProvider/openInPlace(_:)`` is implemented.
    public static let inPlace = ProviderFeatures(rawValue: 1)
    /// Items can be created and changed. Without this feature the host refuses both at once.
    public static let write = ProviderFeatures(rawValue: 2)
    /// Items can be deleted.
    public static let delete = ProviderFeatures(rawValue: 4)
    /// ``ReplicatedFileProvider/changes(since:)`` is implemented.
    public static let changes = ProviderFeatures(rawValue: 8)
    /// ``ReplicatedFileProvider/moveItem(_:baseVersion:to:named:operation:)`` is implemented.
    public static let move = ProviderFeatures(rawValue: 32)
    /// ``ReplicatedFileProvider/fetchContents(of:resumingAt:into:progress:)`` can resume a download.
    public static let resume = ProviderFeatures(rawValue: 64)
    /// ``ReplicatedFileProvider/signIn(_:)`` accepts a credential.
    public static let signIn = ProviderFeatures(rawValue: 128)
    /// Packages are replaced as a whole: the provider is a ``PackageFileProvider``.
    public static let packages = ProviderFeatures(rawValue: 256)
    /// ``ItemMetadata`` is kept beside the content.
    public static let metadata = ProviderFeatures(rawValue: 512)
    /// ``ReplicatedFileProvider/fetchPartialContents(of:version:range:into:progress:)`` is implemented: programs read
    /// parts of a document without waiting for the whole.
    public static let ranges = ProviderFeatures(rawValue: 2048)
    /// ``ReplicatedFileProvider/usage()`` is implemented.
    public static let usage = ProviderFeatures(rawValue: 4096)
    /// ``ReplicatedFileProvider/trashItem(_:baseVersion:operation:)`` and the other methods of a trash are implemented:
    /// the host moves what people delete there, and deletes for good only what they ask it to.
    public static let trash = ProviderFeatures(rawValue: 8192)
    /// ``ReplicatedFileProvider/perform(_:arguments:)`` is implemented.
    public static let actions = ProviderFeatures(rawValue: 16384)
    /// ``ReplicatedFileProvider/thumbnail(of:version:size:)`` is implemented.
    public static let thumbnails = ProviderFeatures(rawValue: 32768)
    /// ``ReplicatedFileProvider/versions(of:page:)`` and the other methods of a history are implemented: earlier
    /// contents of a document can be read and restored that the service has kept.
    public static let versions = ProviderFeatures(rawValue: 65536)
    /// ``ReplicatedFileProvider/signInForms`` and ``ReplicatedFileProvider/authenticate(_:interaction:)`` are
    /// available. Always used with ``signIn``.
    static let authenticate = ProviderFeatures(rawValue: 1024)
    /// The provider is a ``FileProviderExtension``.
    static let classic = ProviderFeatures(rawValue: 16)

    /// The names of the members in the interface.
    var names: [String] {
        let all: [(ProviderFeatures, String)] = [
            (.inPlace, "inPlace"), (.write, "write"), (.delete, "delete"), (.move, "move"), (.changes, "changes"),
            (.resume, "resume"), (.ranges, "ranges"), (.signIn, "signIn"), (.packages, "packages"),
            (.usage, "usage"), (.trash, "trash"), (.versions, "versions"), (.actions, "actions"),
            (.thumbnails, "thumbnails"),
            (.metadata, "metadata"), (.authenticate, "authenticate"), (.classic, "classic"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}
