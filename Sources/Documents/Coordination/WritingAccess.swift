import DocentInterfaces
import Varlink

/// Write access, valid while the accessor runs.
///
/// Changes that were begun with it are committed when the accessor returns, and abandoned when it throws.
public struct WritingAccess: Sendable {
    let claim: HeldClaim
    let index: Int

    /// The place that was asked for.
    public let place: DocumentPlace

    init(_ claim: HeldClaim, _ index: Int, _ place: DocumentPlace) {
        self.claim = claim
        self.index = index
        self.place = place
    }

    /// The item as it is now; nil when there is none. Its reference may differ from the one asked for, if the item was
    /// moved meanwhile.
    public var item: DocumentItem? { claim.item(index) }

    /// The item's current reference; nil when there is none.
    public var reference: DocumentReference? { item?.reference }

    /// Starts writing the document, or creating it when ``place`` has a name and no item. ``WriteSession/commit()``
    /// publishes it; if it was not called, the return of the accessor does.
    ///
    /// - Parameter replacing: whether to start with an empty file instead of a copy of the content. Nil, the default,
    ///   follows the options: empty for ``FileCoordinator/WritingOptions/forReplacing``.
    /// - Throws: ``DocumentsError``; `notFound` when the requested item no longer exists; `conflict` when it has other
    ///   contents than ``item`` says, except with ``FileCoordinator/WritingOptions/forReplacing``.
    public func session(replacing: Bool? = nil) async throws(DocumentsError) -> WriteSession {
        let (reference, creating) = try Self.target(claim, index, place)
        let session = try await WriteSession.begin(
            reference, replacing: replacing ?? isReplacing, creating: creating, claim: (claim, index),
            client: claim.client)
        do { try await requireUnchanged(since: session.baseVersion) } catch {
            try? await session.abandon()
            throw error
        }
        claim.adopt(session)
        return session
    }

    /// Checks that the document is still the one that this access shows. A program that does not coordinate may have
    /// changed it since, or one that was killed while its last save was being published.
    func requireUnchanged(since base: String?) async throws(DocumentsError) {
        guard let known = Self.doubted(claim, index, base: base) else { return }
        try Self.require(known, stillIn: try await claim.client.document(known.reference).item())
    }

    /// The item that an access shows, if a session in it begins with another version.
    static func doubted(_ claim: HeldClaim, _ index: Int, base: String?) -> DocumentItem? {
        guard !isReplacing(claim, index), let known = claim.item(index), let version = known.version, let base,
            base != version
        else { return nil }
        return known
    }

    /// The version may be another name of the same contents.
    static func require(_ known: DocumentItem, stillIn now: DocumentItem) throws(DocumentsError) {
        guard StoredDocument.differs(now, from: known) else { return }
        throw DocumentsError(
            .conflict, "\"\(known.name)\" was changed by someone else after this access had begun.",
            suggestion: "Read it again, and merge both changes.")
    }

    /// Moves or renames the item, never replacing anything. Waiting claims and presenters are notified.
    ///
    /// - Parameters:
    ///   - folder: the new folder, which the client must have a right to; nil for the same folder.
    ///   - name: the new name; nil for the same name.
    /// - Returns: the item as it is now.
    /// - Throws: ``DocumentsError``; `conflict` when something already exists there.
    @discardableResult
    public func move(to folder: DocumentReference? = nil, name: String? = nil) async throws(DocumentsError)
        -> DocumentItem
    {
        let reply = try await claim.client.call(
            DocumentsInterface.Move.self,
            .init(
                reference: try required().wire, parent: folder?.wire, name: name,
                operation: OperationIdentifier.make(), claim: claim.operation))
        let item = DocumentItem(reply.value.item)
        claim.note(item, at: index)
        return item
    }

    /// Deletes the item.
    ///
    /// - Parameters:
    ///   - version: deletes only this version, if given.
    ///   - recursive: whether to delete a folder with everything in it.
    /// - Throws: ``DocumentsError``; `conflict` when it has another version.
    public func delete(version: String? = nil, recursive: Bool = false) async throws(DocumentsError) {
        _ = try await claim.client.call(
            DocumentsInterface.Delete.self,
            .init(
                reference: try required().wire, version: version, recursive: recursive,
                operation: OperationIdentifier.make(), claim: claim.operation))
    }

    var isReplacing: Bool { Self.isReplacing(claim, index) }

    func required() throws(DocumentsError) -> DocumentReference { try Self.required(claim, index) }

    static func isReplacing(_ claim: HeldClaim, _ index: Int) -> Bool {
        guard claim.query.intents.indices.contains(index),
            case .writing(let options) = claim.query.intents[index].kind
        else { return false }
        return options.contains(.forReplacing)
    }

    /// What to write: the existing item, or a new one with a name in a folder.
    static func target(
        _ claim: HeldClaim, _ index: Int, _ place: DocumentPlace
    ) throws(DocumentsError) -> (reference: DocumentReference, creating: (name: String, contentType: String?)?) {
        guard claim.item(index) == nil, let name = place.name else { return (try required(claim, index), nil) }
        return (place.reference, (name, nil))
    }

    static func required(_ claim: HeldClaim, _ index: Int) throws(DocumentsError) -> DocumentReference {
        guard let reference = claim.item(index)?.reference else {
            throw DocumentsError(
                .notFound, "There is no document at this place yet.",
                suggestion: "Create it first, by a coordinated write at a name in a folder or by an export.")
        }
        return reference
    }
}
