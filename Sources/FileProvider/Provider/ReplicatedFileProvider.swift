/// A provider as a handful of remote operations on items. The host derives everything else from them: placeholders,
/// downloads, uploads, conflicts, the picker.
///
/// The manifest's principal class names the conforming type. The SDK creates one instance for each domain on first use
/// and calls its methods from many tasks at once. An error thrown by a method is reported to the call that caused it; a
/// method that never returns blocks only that call. When the caller goes away, the task is cancelled.
///
/// Only ``item(for:)``, ``children(of:page:)`` and one of ``fetchContents(of:into:progress:)`` and ``openInPlace(_:)``
/// are required. Where a method has a longer and a shorter form, the SDK calls the longer one, which calls the shorter
/// one by default.
public protocol ReplicatedFileProvider: Sendable {
    /// What the provider can do beyond listing and fetching. Empty by default.
    static var features: ProviderFeatures { get }

    /// Creates the provider of one domain. Must not wait for the network.
    init(domain: FileProviderDomain, host: FileProviderHost) throws

    /// Describes an item.
    ///
    /// - Throws: ``FileProviderError/Code/noSuchItem`` only if it is certainly gone.
    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem

    /// The item with that name in a folder, compared by bytes. By default this looks through the pages.
    func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem

    /// One page of a folder's items; the first one if `page` is nil.
    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage

    /// The changes since an anchor; without one, only the anchor of the current state.
    ///
    /// - Throws: ``FileProviderError/Code/syncAnchorExpired`` when the anchor is too old.
    func changes(since anchor: String?) async throws -> ItemChanges

    /// Writes the content of an item.
    ///
    /// - Returns: The item at the version that was written.
    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem

    /// Writes the content of an item, resuming an interrupted download if possible.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - start: What is present already; nil for nothing, and always nil without the feature
    ///     ``ProviderFeatures/resume``.
    ///   - destination: Where the content goes. To resume, call ``ContentWriter/begin(at:)`` first.
    ///   - progress: Counts from the start of the content, including what was present before.
    /// - Returns: The item at the version that was written.
    func fetchContents(
        of identifier: ItemIdentifier, resumingAt start: ResumePoint?, into destination: ContentWriter,
        progress: TransferProgress
    ) async throws -> FileProviderItem

    /// Writes a part of the content of an item. Called only with the feature ``ProviderFeatures/ranges``, and for
    /// several parts of an item at once.
    ///
    /// Write the bytes of `range` in their order, fewer only if the content ends before; nothing if it ends before the
    /// range begins. Write no byte before you know that it belongs to that version.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - version: The version whose bytes are wanted.
    ///   - range: The wanted bytes, counted from the start of the content; at least one.
    ///   - destination: Where the bytes go.
    ///   - progress: Extends the deadline while nothing can be written for a while. What is written is reported without
    ///     it.
    /// - Returns: The version of the bytes that were written, and the size of the whole content.
    /// - Throws: ``FileProviderError/Code/versionOutOfDate`` when the item has another version;
    ///   ``FileProviderError/Code/notSupported`` when this content cannot be fetched in parts: the host then fetches
    ///   the whole.
    func fetchPartialContents(
        of identifier: ItemIdentifier, version: ItemVersion, range: Range<Int>, into destination: PartialContentWriter,
        progress: TransferProgress
    ) async throws -> PartialContent

    /// Opens the file of an item itself, for reading only.
    func openInPlace(_ identifier: ItemIdentifier) async throws -> InPlaceContent

    /// Creates an item without replacing another one.
    ///
    /// - Parameters:
    ///   - template: What to create.
    ///   - contents: Its content; nil for a folder.
    ///   - operation: Identifies the change.
    /// - Throws: ``FileProviderError/Code/filenameCollision`` when the name is taken.
    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem

    /// Creates an item without replacing another one, and reports progress.
    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation, progress: TransferProgress
    ) async throws -> FileProviderItem

    /// Replaces the content of an item.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - baseVersion: The version that the change is based on; nil: the current one.
    ///   - contents: The new content.
    ///   - operation: Identifies the change.
    /// - Throws: ``FileProviderError/Code/versionOutOfDate`` when the item has another version whose content cannot be
    ///   kept as a conflict.
    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem

    /// Replaces the content of an item, and reports progress.
    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation,
        progress: TransferProgress
    ) async throws -> ModifiedItem

    /// Moves an item to another folder or name without replacing another one. It keeps its identifier.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - baseVersion: The version that may be moved; nil: any.
    ///   - parent: The folder that it is moved to.
    ///   - name: Its name there.
    ///   - operation: Identifies the change.
    /// - Throws: ``FileProviderError/Code/filenameCollision`` when the name is taken.
    func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem

    /// Deletes an item.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - baseVersion: The version that may be deleted; nil: any.
    ///   - recursive: Whether a folder is deleted with all its contents.
    func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws

    /// Moves an item to the trash of the domain, a folder with all that it contains. From then on there is no item with
    /// its identifier, nor with those of what it contains, until it is restored. Called only with the feature
    /// ``ProviderFeatures/trash``, as the other methods of the trash.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - baseVersion: The version that may be moved there; nil: any.
    ///   - operation: Identifies the change.
    /// - Returns: Its ``TrashedItem/identifier``; nil if that is not known.
    /// - Throws: ``FileProviderError/Code/notSupported`` for an item that cannot be moved to the trash. Do not delete
    ///   it instead.
    func trashItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> String?

    /// One page of what is in the trash, newest first if possible.
    ///
    /// - Parameter page: The ``TrashPage/nextPage`` of the page before; nil: the first.
    /// - Throws: ``FileProviderError/Code/notSupported`` if this domain has no trash, although others have one.
    func trashedItems(page: String?) async throws -> TrashPage

    /// Moves an item from the trash to a folder without replacing another one. It gets the identifier that it had, if
    /// the provider can do that.
    ///
    /// - Parameters:
    ///   - trashed: Its ``TrashedItem/identifier``.
    ///   - parent: The folder; nil: the one that it was in.
    ///   - name: Its name there; nil: the one that it had.
    ///   - operation: Identifies the change.
    /// - Throws: ``FileProviderError/Code/filenameCollision`` when the name is taken;
    ///   ``FileProviderError/Code/noSuchItem`` when it is not in the trash, or the folder does not exist.
    func restoreItem(
        _ trashed: String, to parent: ItemIdentifier?, named name: String?, operation: ChangeOperation
    ) async throws -> FileProviderItem

    /// Deletes one item of the trash for good, a folder with all that it contains.
    ///
    /// - Parameter trashed: Its ``TrashedItem/identifier``.
    func deleteTrashedItem(_ trashed: String) async throws

    /// One page of the earlier contents of a document that the service has kept, in any order, without the current one.
    /// Called only with the feature ``ProviderFeatures/versions``, as the other methods of a history, and only when a
    /// person or a program asks for the history of this document.
    ///
    /// - Parameters:
    ///   - identifier: The document.
    ///   - page: The ``EarlierVersionPage/nextPage`` of the page before; nil: the first.
    /// - Throws: ``FileProviderError/Code/notSupported`` if this document has no history, although others have one.
    func versions(of identifier: ItemIdentifier, page: String?) async throws -> EarlierVersionPage

    /// Writes an earlier content of a document.
    ///
    /// - Parameters:
    ///   - version: Its ``EarlierVersion/identifier``.
    ///   - identifier: The document.
    ///   - destination: Where the content goes, from its start.
    ///   - progress: Counts from the start of the content.
    /// - Throws: ``FileProviderError/Code/noSuchItem`` when the version, or its content, is gone.
    func fetchVersion(
        _ version: String, of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws

    /// Makes an earlier content the content of its document. What it replaces becomes an earlier version.
    ///
    /// - Parameters:
    ///   - version: Its ``EarlierVersion/identifier``.
    ///   - identifier: The document.
    ///   - baseVersion: The version that may be replaced; nil: any.
    ///   - operation: Identifies the change.
    /// - Returns: The document as it is now.
    /// - Throws: ``FileProviderError/Code/versionOutOfDate`` when the document has another version;
    ///   ``FileProviderError/Code/noSuchItem`` when the version, or its content, is gone.
    func restoreVersion(
        _ version: String, of identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> FileProviderItem

    /// Called when the item is no longer in use. Does nothing by default.
    func stopProviding(_ identifier: ItemIdentifier) async

    /// Called when a client starts to present the item or, for a folder, its contents at any depth. Until
    /// ``stopObserving(_:)`` is called, report changes by others promptly with ``FileProviderHost/signalChanged(_:)``
    /// and ``FileProviderHost/signalDeleted(_:)``. A repeated call for the same item has no effect. Not supported by
    /// default: the host then relies on its usual ways to detect changes.
    func startObserving(_ identifier: ItemIdentifier) async throws

    /// Called when no client presents the item any more. Does nothing by default.
    func stopObserving(_ identifier: ItemIdentifier) async

    /// How much space the account has. Called at most once a minute, with the feature ``ProviderFeatures/usage``. An
    /// account that says nothing about its space is no error: return a ``StorageUsage`` without values.
    ///
    /// - Throws: ``FileProviderError``, as any method; `notSupported` by default.
    func usage() async throws -> StorageUsage

    /// A picture of an item's content, for lists, without its content being fetched. Called with the feature
    /// ``ProviderFeatures/thumbnails``, for several items at the same time; cancelling the task means that nobody needs
    /// the picture any more. Answer within the usual deadline of a call.
    ///
    /// - Parameters:
    ///   - identifier: the item, a document.
    ///   - version: the version that the host knows; nil if it knows none.
    ///   - size: how many pixels the longer side is to have: 128, 256, 512 or 1024. Return the nearest that there is.
    /// - Throws: ``FileProviderError``, as any method; `notSupported` if there is no picture of this item, and by
    ///   default.
    func thumbnail(
        of identifier: ItemIdentifier, version: ItemVersion?, size: Int
    ) async throws -> ItemThumbnail

    /// Does something with the domain as a whole that no other method stands for, with the feature
    /// ``ProviderFeatures/actions``. The person's own commands ask for it, never a program that is confined. Arguments
    /// and rows may be secret: the host does not record them. Answer within the usual deadline of a call; let the
    /// caller ask again for what takes longer.
    ///
    /// - Parameters:
    ///   - action: its name, as the provider's commands know it.
    ///   - arguments: texts by name.
    /// - Returns: Rows of texts by name.
    /// - Throws: ``FileProviderError``, as any method; `notSupported` for an unknown action, and by default.
    func perform(_ action: String, arguments: [String: String]) async throws -> [[String: String]]

    /// Takes the credential that the domain signs in with and keeps it as long as the instance lives, even when the
    /// service cannot be reached to check it; that error is reported nonetheless. An empty credential stands for what
    /// is known already. The SDK passes the credential again to a later instance of the domain.
    ///
    /// - Returns: The account's display name, if the service has one.
    /// - Throws: ``FileProviderError/Code/notAuthenticated`` when the service refuses the credential.
    func signIn(_ credential: Credential) async throws -> String?

    /// The forms to sign in with, the most common one first. Read before a domain exists; used with the feature
    /// ``ProviderFeatures/signIn``. A user name and a password by default.
    static var signInForms: [SignInForm] { get }

    /// Signs in at the service with a person's answers. Called on a separate instance, whose domain already has the
    /// answers that are not secret among its settings. ``signOut()`` follows, and the instance must not keep anything.
    /// By default ``signIn(_:)`` tries the answers `username` and `password` or `token`.
    ///
    /// - Parameters:
    ///   - answers: The answers to one of ``signInForms``.
    ///   - interaction: Sends the person to a browser.
    /// - Returns: What ``signIn(_:)`` receives from now on.
    /// - Throws: ``FileProviderError/Code/notAuthenticated`` with the reason when the service refuses.
    func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn

    /// Forgets the credential. Also called when the instance is replaced because the domain was changed or removed.
    func signOut() async
}

extension ReplicatedFileProvider {
    /// Empty.
    public static var features: ProviderFeatures { [] }

    /// Looks through the pages of the folder.
    public func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem {
        var page: String?
        repeat {
            try Task.checkCancellation()
            let answer = try await children(of: parent, page: page)
            if let item = answer.items.first(where: { $0.filename.isSame(as: name) }) { return item }
            page = answer.nextPage
        } while page != nil
        throw FileProviderError(.noSuchItem, "There is no \"\(name)\" in the folder.")
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

    /// Starts from the beginning, with ``fetchContents(of:into:progress:)``.
    public func fetchContents(
        of identifier: ItemIdentifier, resumingAt start: ResumePoint?, into destination: ContentWriter,
        progress: TransferProgress
    ) async throws -> FileProviderItem {
        try destination.begin(at: 0)
        return try await fetchContents(of: identifier, into: destination, progress: progress)
    }

    /// Not supported.
    public func fetchPartialContents(
        of identifier: ItemIdentifier, version: ItemVersion, range: Range<Int>, into destination: PartialContentWriter,
        progress: TransferProgress
    ) async throws -> PartialContent {
        throw FileProviderError(.notSupported, "This provider does not fetch content in parts.")
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

    /// Reports no progress, and calls ``createItem(basedOn:contents:operation:)``.
    public func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation, progress: TransferProgress
    ) async throws -> FileProviderItem {
        try await createItem(basedOn: template, contents: contents, operation: operation)
    }

    /// Not supported.
    public func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        throw FileProviderError(.notSupported, "Nothing can be changed in this provider.")
    }

    /// Reports no progress, and calls ``modifyItem(_:baseVersion:contents:operation:)``.
    public func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation,
        progress: TransferProgress
    ) async throws -> ModifiedItem {
        try await modifyItem(identifier, baseVersion: baseVersion, contents: contents, operation: operation)
    }

    /// Not supported.
    public func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem {
        throw FileProviderError(.notSupported, "Nothing can be moved or renamed in this provider.")
    }

    /// Not supported.
    public func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        throw FileProviderError(.notSupported, "Nothing can be deleted in this provider.")
    }

    /// Not supported.
    public func trashItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> String? { throw Self.noTrash }

    /// Not supported.
    public func trashedItems(page: String?) async throws -> TrashPage { throw Self.noTrash }

    /// Not supported.
    public func restoreItem(
        _ trashed: String, to parent: ItemIdentifier?, named name: String?, operation: ChangeOperation
    ) async throws -> FileProviderItem { throw Self.noTrash }

    /// Not supported.
    public func deleteTrashedItem(_ trashed: String) async throws { throw Self.noTrash }

    private static var noTrash: FileProviderError {
        FileProviderError(.notSupported, "This provider has no trash.")
    }

    /// Not supported.
    public func versions(of identifier: ItemIdentifier, page: String?) async throws -> EarlierVersionPage {
        throw Self.noHistory
    }

    /// Not supported.
    public func fetchVersion(
        _ version: String, of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws { throw Self.noHistory }

    /// Not supported.
    public func restoreVersion(
        _ version: String, of identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> FileProviderItem { throw Self.noHistory }

    private static var noHistory: FileProviderError {
        FileProviderError(.notSupported, "This provider has no history of documents.")
    }

    /// Does nothing.
    public func stopProviding(_ identifier: ItemIdentifier) async {}

    /// Not supported.
    public func startObserving(_ identifier: ItemIdentifier) async throws {
        throw FileProviderError(.notSupported, "This provider does not watch single items.")
    }

    /// Does nothing.
    public func stopObserving(_ identifier: ItemIdentifier) async {}

    /// Not supported.
    public func usage() async throws -> StorageUsage {
        throw FileProviderError(.notSupported, "This provider does not know how much space there is.")
    }

    /// Not supported.
    public func thumbnail(
        of identifier: ItemIdentifier, version: ItemVersion?, size: Int
    ) async throws -> ItemThumbnail {
        throw FileProviderError(.notSupported, "This provider has no pictures of its items.")
    }

    /// Not supported.
    public func perform(_ action: String, arguments: [String: String]) async throws -> [[String: String]] {
        throw FileProviderError(.notSupported, "This provider has no actions.")
    }

    /// Not supported.
    public func signIn(_ credential: Credential) async throws -> String? {
        throw FileProviderError(.notSupported, "This provider has no sign-in.")
    }

    /// Does nothing.
    public func signOut() async {}
}
