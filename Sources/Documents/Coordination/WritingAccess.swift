import DocentInterfaces
import Varlink

/// Writing that was granted, as long as the accessor runs (2.1).
///
/// Changes that were begun with it are committed when the accessor returns, and abandoned when it throws (2.9, deadlock 9).
public struct WritingAccess: Sendable {
    let claim: HeldClaim
    let index: Int

    /// Where was asked for.
    public let place: DocumentPlace

    init(_ claim: HeldClaim, _ index: Int, _ place: DocumentPlace) {
        self.claim = claim
        self.index = index
        self.place = place
    }

    /// The item as it is now; nil where nothing is. It may be another reference than the one asked for, when it was moved meanwhile.
    public var item: DocumentItem? { claim.item(index) }

    /// The item's name now; nil where nothing is.
    public var reference: DocumentReference? { item?.reference }

    /// Starts writing the document, or making it where nothing is at a ``place`` with a name. ``WriteSession/commit()`` publishes it;
    /// if that was not called, the accessor's return does.
    ///
    /// - Parameter replacing: start with an empty file instead of a copy of the content; nil as the options say, so with an
    ///   empty file for ``FileCoordinator/WritingOptions/forReplacing``.
    /// - Throws: ``DocumentsError``; `notFound` where nothing is any more of an item that was asked for itself.
    public func session(replacing: Bool? = nil) async throws(DocumentsError) -> WriteSession {
        let (reference, creating) = try Self.target(claim, index, place)
        let session = try await WriteSession.begin(
            reference, replacing: replacing ?? isReplacing, creating: creating, claim: (claim, index),
            client: claim.client)
        claim.adopt(session)
        return session
    }

    /// Moves or renames the item, never replacing anything, and tells others who wait for it or present it.
    ///
    /// - Parameters:
    ///   - folder: another folder, to which the client needs the right; nil for the same.
    ///   - name: another name; nil for the same.
    /// - Returns: the item as it now is.
    /// - Throws: ``DocumentsError``; `conflict` when something is there.
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
    ///   - version: only if it still is this one.
    ///   - recursive: a folder with all that is in it.
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

    /// What is written: the item that is there, or a new one of a name in a folder.
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
                suggestion: "Make it first: with a session of a coordinated write at a name in a folder, or an export.")
        }
        return reference
    }
}
