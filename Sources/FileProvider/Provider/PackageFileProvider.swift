/// A provider that replaces a package, which is a folder that looks like one document, as a whole.
///
/// Implement it and declare ``ProviderFeatures/packages`` if a reader must never see half of a save: for a provider of
/// local files, or of a service that knows packages. Without it the host changes the elements one by one.
public protocol PackageFileProvider: ReplicatedFileProvider {
    /// Begins to replace a package or to create one. Nothing is visible before ``PackageReplacement/commit()``.
    ///
    /// An operation that was carried out before, even before a crash, is recognised by its identifier and digest: its
    /// replacement needs no content, and its commit has the same result as before.
    ///
    /// - Parameters:
    ///   - target: The package to replace or create.
    ///   - elements: All elements of the package afterwards.
    ///   - operation: Identifies the change; its digest is that of the list of elements.
    /// - Throws: ``FileProviderError/Code/versionOutOfDate`` when an unchanged element no longer exists.
    func beginPackage(
        _ target: PackageTarget, elements: [PackageElement], operation: ChangeOperation
    ) async throws -> any PackageReplacement
}

/// The package that is replaced or created.
public enum PackageTarget: Hashable, Sendable {
    /// An existing package. The version is the one that the change is based on; nil: the current one.
    case existing(ItemIdentifier, baseVersion: ItemVersion?)
    /// A new package in a folder; nothing is replaced.
    case new(parent: ItemIdentifier, filename: String)
}

/// An unfinished package. Its methods are called from many tasks. Unless it was committed, its staged content is
/// removed with its last reference.
public protocol PackageReplacement: Sendable {
    /// The paths whose content is still missing.
    var neededPaths: [String] { get }

    /// Stages the content of an element. A repeated call for a path replaces what was staged before.
    ///
    /// - Throws: ``FileProviderError``.
    func stage(_ path: String, contents: ContentReader) async throws

    /// Puts the package in its place, atomically and durably. The previous package is kept beside it if it was not the
    /// base.
    ///
    /// - Returns: The package, and the item that keeps the previous one.
    /// - Throws: ``FileProviderError``.
    func commit() async throws -> ModifiedItem

    /// Does the same and keeps metadata beside the content of the package. By default the metadata is ignored.
    func commit(metadata: ItemMetadata?) async throws -> ModifiedItem
}

extension PackageReplacement {
    /// Ignores the metadata.
    public func commit(metadata: ItemMetadata?) async throws -> ModifiedItem { try await commit() }
}
