import DocentInterfaces
import Varlink

/// The documents that were used last, by this client or by all, and the user's favourites.
///
/// The daemon remembers a document when a client opens or saves it, or gets it in open or move mode, by its identifier:
/// it stays in the list when it is renamed or moved. A client that sets
/// ``DocumentsClient/Configuration/leavesNoTrace`` is left out. May be used from any task.
public struct Recents: Sendable {
    private let client: DocumentsClient

    /// - Parameter client: whose session is used.
    public init(client: DocumentsClient) { self.client = client }

    /// The documents that were used last, newest first. A confined program gets those that it used itself and may still
    /// read. Documents of accounts that are signed out or removed are not among them.
    ///
    /// - Parameters:
    ///   - identifier: only what this client used; must be nil for a confined program.
    ///   - limit: the most documents, 1 to 1000.
    /// - Throws: ``DocumentsError``.
    public func documents(
        of identifier: String? = nil, limit: Int = 50
    ) async throws(DocumentsError) -> [RecentDocument] {
        try await client.call(DocumentsInterface.Recents.self, .init(client: identifier, limit: limit))
            .value.items.map(RecentDocument.init)
    }

    /// Forgets that documents were used. The documents themselves stay as they are.
    ///
    /// - Parameters:
    ///   - references: the documents; nil for all.
    ///   - identifier: only that this client used them; must be nil for a confined program, which forgets its own uses.
    /// - Returns: how many uses were forgotten; a document that two clients used counts twice.
    /// - Throws: ``DocumentsError``.
    @discardableResult
    public func forget(
        _ references: [DocumentReference]?, of identifier: String? = nil
    ) async throws(DocumentsError) -> Int {
        try await client.call(
            DocumentsInterface.ForgetRecents.self,
            .init(references: references.map { $0.map(\.wire) }, client: identifier)
        ).value.removed
    }

    /// The documents and folders that the user marked, in the order of marking. Not for confined programs.
    ///
    /// - Throws: ``DocumentsError``; `notPermitted` for a confined program.
    public func favourites() async throws(DocumentsError) -> [RecentDocument] {
        try await client.call(PickerInterface.Favourites.self, .init()).value.items.map(RecentDocument.init)
    }

    /// Marks a document or folder as a favourite of the user, or removes the mark. Not for confined programs.
    ///
    /// - Returns: whether that changed anything.
    /// - Throws: ``DocumentsError``; `notPermitted` for a confined program.
    @discardableResult
    public func setFavourite(
        _ reference: DocumentReference, _ isFavourite: Bool = true
    ) async throws(DocumentsError) -> Bool {
        try await client.call(
            PickerInterface.SetFavourite.self, .init(reference: reference.wire, isFavourite: isFavourite)
        ).value.changed
    }

    /// Stops or resumes remembering what a client uses. Stopping also forgets what is remembered of it.
    ///
    /// - Parameters:
    ///   - isRemembered: nil changes nothing.
    ///   - identifier: the client; nil for all.
    /// - Returns: the clients for which it is stopped; an empty one stands for all.
    /// - Throws: ``DocumentsError``; `notPermitted` for a confined program.
    @discardableResult
    package func remember(
        _ isRemembered: Bool?, of identifier: String? = nil
    ) async throws(DocumentsError) -> [String] {
        try await client.call(
            PickerInterface.RememberRecents.self, .init(client: identifier, isRemembered: isRemembered)
        ).value.unremembered
    }
}
