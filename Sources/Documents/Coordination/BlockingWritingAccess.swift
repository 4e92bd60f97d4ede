import DocentInterfaces
import Varlink

/// Write access granted to synchronous code, valid while the accessor runs. Its methods block the calling thread.
///
/// Changes that were begun with it are committed when the accessor returns, and abandoned when it throws.
public struct BlockingWritingAccess: Sendable {
    let claim: HeldClaim
    let index: Int

    /// The place that was asked for.
    public let place: DocumentPlace

    init(_ claim: HeldClaim, _ index: Int, _ place: DocumentPlace) {
        self.claim = claim
        self.index = index
        self.place = place
    }

    /// The item as it is now; nil when there is none.
    public var item: DocumentItem? { claim.item(index) }

    /// The item's current reference; nil when there is none.
    public var reference: DocumentReference? { item?.reference }

    /// The blocking form of ``WritingAccess/session(replacing:)``.
    public func session(replacing: Bool? = nil) throws(DocumentsError) -> WriteSession {
        let (reference, creating) = try WritingAccess.target(claim, index, place)
        let session = try WriteSession.beginBlocking(
            reference, replacing: replacing ?? WritingAccess.isReplacing(claim, index), creating: creating,
            claim: (claim, index), client: claim.client)
        do {
            if let known = WritingAccess.doubted(claim, index, base: session.baseVersion) {
                let now = try claim.client.callBlocking(
                    DocumentsInterface.Info.self, .init(reference: known.reference.wire)
                ).value
                try WritingAccess.require(known, stillIn: DocumentItem(now.item))
            }
        } catch {
            session.abandonBlocking()
            throw error
        }
        claim.adopt(session)
        return session
    }

    /// The blocking form of ``WritingAccess/move(to:name:)``.
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

    /// The blocking form of ``WritingAccess/delete(version:recursive:)``.
    public func delete(version: String? = nil, recursive: Bool = false) throws(DocumentsError) {
        _ = try claim.client.callBlocking(
            DocumentsInterface.Delete.self,
            .init(
                reference: try WritingAccess.required(claim, index).wire, version: version, recursive: recursive,
                operation: OperationIdentifier.make(), claim: claim.operation))
    }
}
