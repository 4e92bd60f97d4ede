/// A provider as a handful of remote operations on items (DESIGN 5). The host derives everything else from them:
/// placeholders, downloads, uploads, conflicts, the picker.
///
/// The manifest's principal class names the conforming type. The SDK makes one instance for each domain when it is
/// needed first (A10) and calls its methods from many tasks at once. A method that throws reports an error to the call
/// that caused it; one that never returns hangs nothing but that call. When the caller goes away, the task is
/// cancelled.
///
/// Only ``item(for:)``, ``children(of:page:)`` and one of ``fetchContents(of:into:progress:)`` and
/// ``openInPlace(_:)`` must be written.
public protocol ReplicatedFileProvider: Sendable {
    /// What the provider can do beyond listing and fetching. Nothing unless implemented.
    static var features: ProviderFeatures { get }

    /// Makes the provider of one domain. Must not wait for the network.
    init(domain: FileProviderDomain, host: FileProviderHost) throws

    /// Describes an item.
    ///
    /// - Throws: ``FileProviderError/Code/noSuchItem`` only if it is gone for certain.
    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem

    /// The item of that name in a folder. Looks through the pages unless implemented.
    func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem

    /// One page of a folder's items; without `page` the first.
    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage

    /// What changed since an anchor; without one, only the anchor of the present state.
    ///
    /// - Throws: ``FileProviderError/Code/syncAnchorExpired`` when the anchor is too old.
    func changes(since anchor: String?) async throws -> ItemChanges

    /// Writes the content of an item.
    ///
    /// - Returns: The item at the version that was written.
    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem

    /// Opens the very file of an item, for reading only.
    func openInPlace(_ identifier: ItemIdentifier) async throws -> InPlaceContent

    /// Creates an item, never replacing one.
    ///
    /// - Parameters:
    ///   - template: What to create.
    ///   - contents: Its content; nil for a folder.
    ///   - operation: Names the change.
    /// - Throws: ``FileProviderError/Code/filenameCollision`` when the name is taken.
    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem

    /// Replaces the content of an item.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - baseVersion: The version that the change is based on; nil: whatever is there.
    ///   - contents: The new content.
    ///   - operation: Names the change.
    /// - Throws: ``FileProviderError/Code/versionOutOfDate`` when the item is at another version and what is there
    ///   cannot be kept as a conflict.
    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem

    /// Deletes an item.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - baseVersion: The version that may be deleted; nil: any.
    ///   - recursive: Whether a folder goes with all that is in it.
    func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws

    /// Nobody uses the item any more (D10). Does nothing unless implemented.
    func stopProviding(_ identifier: ItemIdentifier) async
}

extension ReplicatedFileProvider {
    /// None.
    public static var features: ProviderFeatures { [] }

    /// Looks through the pages of the folder.
    public func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem {
        var page: String?
        repeat {
            try Task.checkCancellation()
            let answer = try await children(of: parent, page: page)
            if let item = answer.items.first(where: { $0.filename == name }) { return item }
            page = answer.nextPage
        } while page != nil
        throw FileProviderError(.noSuchItem, "There is no “\(name)” in the folder.")
    }

    /// Not supported.
    public func changes(since anchor: String?) async throws -> ItemChanges {
        throw FileProviderError(.notSupported, "This provider does not keep track of changes.")
    }

    /// Not supported.
    public func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        throw FileProviderError(.notSupported, "This provider does not fetch content.")
    }

    /// Not supported.
    public func openInPlace(_ identifier: ItemIdentifier) async throws -> InPlaceContent {
        throw FileProviderError(.notSupported, "This provider has no local files.")
    }

    /// Not supported.
    public func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        throw FileProviderError(.notSupported, "Nothing can be created in this provider.")
    }

    /// Not supported.
    public func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        throw FileProviderError(.notSupported, "Nothing can be changed in this provider.")
    }

    /// Not supported.
    public func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        throw FileProviderError(.notSupported, "Nothing can be deleted in this provider.")
    }

    /// Does nothing.
    public func stopProviding(_ identifier: ItemIdentifier) async {}
}
