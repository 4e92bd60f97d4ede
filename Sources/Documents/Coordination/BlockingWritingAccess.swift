import DocentInterfaces
import Varlink

/// Writing that was granted to synchronous code, as long as the accessor runs; its methods block the calling thread.
///
/// Changes that were begun with it are committed when the accessor returns, and abandoned when it throws.
public struct BlockingWritingAccess: Sendable {
    let claim: HeldClaim
    let index: Int

    /// Where was asked for.
    public let place: DocumentPlace

    init(_ claim: HeldClaim, _ index: Int, _ place: DocumentPlace) {
        self.claim = claim
        self.index = index
        self.place = place
    }

    /// The item as it is now; nil where nothing is.
    public var item: DocumentItem? { claim.item(index) }

    /// The item's name now; nil where nothing is.
    public var reference: DocumentReference? { item?.reference }

    /// As ``WritingAccess/session(replacing:)``.
    public func session(replacing: Bool? = nil) throws(DocumentsError) -> WriteSession {
        let (reference, creating) = try WritingAccess.target(claim, index, place)
        let session = try WriteSession.beginBlocking(
            reference, replacing: replacing ?? WritingAccess.isReplacing(claim, index), creating: creating,
            claim: (claim, index), client: claim.client)
        claim.adopt(session)
        return session
    }

    /// As ``WritingAccess/move(to:name:)``.
    @discardableResult
    public func move(to folder: DocumentReference? = nil, name: String? = nil) throws(DocumentsError) -> DocumentItem {
        let reply = try claim.client.callBlocking(
            DocumentsInterface.Move.self,
            .init(
                reference: try WritingAccess.required(claim, index).wire, parent: folder?.wire, name: name,
                operation: OperationIdentifier.make(), claim: claim.operation))
        let item = DocumentItem(reply.value.item)
        claim.note(item, at: index)
        return item
    }

    /// As ``WritingAccess/delete(version:recursive:)``.
    public func delete(version: String? = nil, recursive: Bool = false) throws(DocumentsError) {
        _ = try claim.client.callBlocking(
            DocumentsInterface.Delete.self,
            .init(
                reference: try WritingAccess.required(claim, index).wire, version: version, recursive: recursive,
                operation: OperationIdentifier.make(), claim: claim.operation))
    }
}
