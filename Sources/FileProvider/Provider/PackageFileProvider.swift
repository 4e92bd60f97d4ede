/// A provider that replaces a package, a folder which is one document, as a whole (M4).
///
/// Implement it, and declare ``ProviderFeatures/packages``, where a reader must never see a half of a save: a
/// provider of local files, or of a service that knows packages. Without it the host changes the elements one by one.
public protocol PackageFileProvider: ReplicatedFileProvider {
    /// Begins to replace a package, or to make one. Nothing is visible before ``PackageReplacement/commit()``.
    ///
    /// An operation that was carried out before, also before a crash, is recognised by its name and digest: its
    /// replacement needs nothing, and its commit answers as before.
    ///
    /// - Parameters:
    ///   - target: What is replaced or made.
    ///   - elements: All that it consists of afterwards.
    ///   - operation: Names the change; its digest is that of the list of elements.
    /// - Throws: ``FileProviderError/Code/versionOutOfDate`` when an element that is to stay is not there any more.
    func beginPackage(
        _ target: PackageTarget, elements: [PackageElement], operation: ChangeOperation
    ) async throws -> any PackageReplacement
}

/// Which package is replaced or made.
public enum PackageTarget: Hashable, Sendable {
    /// One that is there. The version is that of the package on which the change is based; nil: whatever is there.
    case existing(ItemIdentifier, baseVersion: ItemVersion?)
    /// A new one in a folder, never replacing.
    case new(parent: ItemIdentifier, filename: String)
}

/// A package in the making. Its methods are called from many tasks; what it staged goes with its last reference unless it
/// was committed.
public protocol PackageReplacement: Sendable {
    /// The paths whose content is still to be given.
    var neededPaths: [String] { get }

    /// Takes the content of an element. Repeated for a path it replaces what was given before.
    ///
    /// - Throws: ``FileProviderError``.
    func stage(_ path: String, contents: ContentReader) async throws

    /// Puts the package in its place, atomically and durably. What was there is kept beside it if it was not the base.
    ///
    /// - Returns: The package, and the item that keeps what was there.
    /// - Throws: ``FileProviderError``.
    func commit() async throws -> ModifiedItem

    /// The same, with what is to be kept beside the content of the package. Leaves that out unless implemented.
    func commit(metadata: ItemMetadata?) async throws -> ModifiedItem
}

extension PackageReplacement {
    /// Leaves the metadata out.
    public func commit(metadata: ItemMetadata?) async throws -> ModifiedItem { try await commit() }
}
