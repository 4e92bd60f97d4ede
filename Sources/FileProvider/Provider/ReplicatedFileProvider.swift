/// A provider as a handful of remote operations on items (DESIGN 5). The host derives everything else from them:
/// placeholders, downloads, uploads, conflicts, the picker.
///
/// The manifest's principal class names the conforming type. The SDK makes one instance for each domain when it is
/// needed first (A10) and calls its methods from many tasks at once. A method that throws reports an error to the call
/// that caused it; one that never returns hangs nothing but that call. When the caller goes away, the task is
/// cancelled.
///
/// Only ``item(for:)``, ``children(of:page:)`` and one of ``fetchContents(of:into:progress:)`` and
/// ``openInPlace(_:)`` must be written. Where there is a longer and a shorter form of a method, the SDK calls the
/// longer one, which calls the shorter unless implemented.
public protocol ReplicatedFileProvider: Sendable {
    /// What the provider can do beyond listing and fetching. Nothing unless implemented.
    static var features: ProviderFeatures { get }

    /// Makes the provider of one domain. Must not wait for the network.
    init(domain: FileProviderDomain, host: FileProviderHost) throws

    /// Describes an item.
    ///
    /// - Throws: ``FileProviderError/Code/noSuchItem`` only if it is gone for certain.
    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem

    /// The item of that name in a folder, byte by byte. Looks through the pages unless implemented.
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

    /// Writes the content of an item, from where a download that was cut can go on.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - start: What is there already; nil, and always nil without the feature ``ProviderFeatures/resume``: nothing.
    ///   - destination: Where it goes. A provider that goes on calls ``ContentWriter/begin(at:)`` first.
    ///   - progress: Counts from the start of the content, what was there before included.
    /// - Returns: The item at the version that was written.
    func fetchContents(
        of identifier: ItemIdentifier, resumingAt start: ResumePoint?, into destination: ContentWriter,
        progress: TransferProgress
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

    /// Creates an item, never replacing one, and tells how far it has come.
    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation, progress: TransferProgress
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

    /// Replaces the content of an item, and tells how far it has come.
    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation,
        progress: TransferProgress
    ) async throws -> ModifiedItem

    /// Gives an item another folder or another name, never replacing one. It keeps its identifier.
    ///
    /// - Parameters:
    ///   - identifier: The item.
    ///   - baseVersion: The version that may be moved; nil: any.
    ///   - parent: The folder that it goes into.
    ///   - name: Its name there.
    ///   - operation: Names the change.
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
    ///   - recursive: Whether a folder goes with all that is in it.
    func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws

    /// Nobody uses the item any more (D10). Does nothing unless implemented.
    func stopProviding(_ identifier: ItemIdentifier) async

    /// Somebody shows the item, or what is in the folder at any depth: changes that others make shall be told soon with
    /// ``FileProviderHost/signalChanged(_:)`` and ``FileProviderHost/signalDeleted(_:)``, until ``stopObserving(_:)`` is called.
    /// Called again for the same item it changes nothing. Not supported unless implemented: the host then learns of changes as it does anyway.
    func startObserving(_ identifier: ItemIdentifier) async throws

    /// Nobody shows the item any more. Does nothing unless implemented.
    func stopObserving(_ identifier: ItemIdentifier) async

    /// Takes what the domain signs in with, and keeps it as long as the instance lives: also when the service cannot be
    /// reached to try it, which is reported nonetheless. An empty credential asks for what is known already. The SDK
    /// gives the credential again to a later instance of the domain.
    ///
    /// - Returns: The account's name for people, if the service tells it.
    /// - Throws: ``FileProviderError/Code/notAuthenticated`` when the service refuses the credential.
    func signIn(_ credential: Credential) async throws -> String?

    /// The ways to sign in, the one for most people first. Asked for before there is a domain; heeded with the feature
    /// ``ProviderFeatures/signIn``. A user name and a password unless implemented.
    static var signInForms: [SignInForm] { get }

    /// Signs in with what a person answered, asking the service. Called on an instance of its own, whose domain has the answers that are no
    /// secrets among its settings already; ``signOut()`` follows, and nothing of it may be kept. Unless implemented, ``signIn(_:)`` tries
    /// the answers `username` and `password` or `token`.
    ///
    /// - Parameters:
    ///   - answers: To one of ``signInForms``.
    ///   - interaction: Sends the person to a browser.
    /// - Returns: What ``signIn(_:)`` is to be given from now on.
    /// - Throws: ``FileProviderError/Code/notAuthenticated`` with the reason when the service refuses.
    func authenticate(_ answers: SignInAnswers, interaction: SignInInteraction) async throws -> SignedIn

    /// Forgets the credential. Also called when the instance is replaced because the domain changed or was dropped.
    func signOut() async
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
            if let item = answer.items.first(where: { $0.filename.isSame(as: name) }) { return item }
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

    /// Begins at the start, with ``fetchContents(of:into:progress:)``.
    public func fetchContents(
        of identifier: ItemIdentifier, resumingAt start: ResumePoint?, into destination: ContentWriter,
        progress: TransferProgress
    ) async throws -> FileProviderItem {
        try destination.begin(at: 0)
        return try await fetchContents(of: identifier, into: destination, progress: progress)
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

    /// Tells nothing, and calls ``createItem(basedOn:contents:operation:)``.
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

    /// Tells nothing, and calls ``modifyItem(_:baseVersion:contents:operation:)``.
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

    /// Does nothing.
    public func stopProviding(_ identifier: ItemIdentifier) async {}

    /// Not supported.
    public func startObserving(_ identifier: ItemIdentifier) async throws {
        throw FileProviderError(.notSupported, "This provider does not watch single items.")
    }

    /// Does nothing.
    public func stopObserving(_ identifier: ItemIdentifier) async {}

    /// Not supported.
    public func signIn(_ credential: Credential) async throws -> String? {
        throw FileProviderError(.notSupported, "One does not sign in to this provider.")
    }

    /// Does nothing.
    public func signOut() async {}
}
