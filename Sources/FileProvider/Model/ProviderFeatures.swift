/// What a provider can do beyond describing items and giving their content.
public struct ProviderFeatures: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The content already is a local file: ``ReplicatedFileProvider/openInPlace(_:)`` answers.
    public static let inPlace = ProviderFeatures(rawValue: 1)
    /// Items can be created and changed. The host refuses both at once for a provider without it.
    public static let write = ProviderFeatures(rawValue: 2)
    /// Items can be deleted.
    public static let delete = ProviderFeatures(rawValue: 4)
    /// ``ReplicatedFileProvider/changes(since:)`` answers.
    public static let changes = ProviderFeatures(rawValue: 8)
    /// ``ReplicatedFileProvider/moveItem(_:baseVersion:to:named:operation:)`` answers.
    public static let move = ProviderFeatures(rawValue: 32)
    /// ``ReplicatedFileProvider/fetchContents(of:resumingAt:into:progress:)`` heeds where to go on.
    public static let resume = ProviderFeatures(rawValue: 64)
    /// ``ReplicatedFileProvider/signIn(_:)`` takes a credential.
    public static let signIn = ProviderFeatures(rawValue: 128)
    /// A package is replaced as a whole: the provider is a ``PackageFileProvider``.
    public static let packages = ProviderFeatures(rawValue: 256)
    /// What is beside the content, ``ItemMetadata``, is kept.
    public static let metadata = ProviderFeatures(rawValue: 512)
    /// ``ReplicatedFileProvider/signInForms`` and ``ReplicatedFileProvider/authenticate(_:interaction:)`` answer; goes with ``signIn``.
    static let authenticate = ProviderFeatures(rawValue: 1024)
    /// The class of iOS 8.
    static let classic = ProviderFeatures(rawValue: 16)

    /// The names of the members, as the interface spells them.
    var names: [String] {
        let all: [(ProviderFeatures, String)] = [
            (.inPlace, "inPlace"), (.write, "write"), (.delete, "delete"), (.move, "move"), (.changes, "changes"),
            (.resume, "resume"), (.signIn, "signIn"), (.packages, "packages"),
            (.metadata, "metadata"), (.authenticate, "authenticate"), (.classic, "classic"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}
