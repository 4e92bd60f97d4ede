import Glibc

/// Read access, valid while the accessor runs.
public struct ReadingAccess: Sendable {
    let claim: HeldClaim
    let index: Int

    /// The item. Its reference may differ from the one asked for, if the item was moved meanwhile or a link was
    /// followed.
    public let item: DocumentItem

    init(_ claim: HeldClaim, _ index: Int) throws(DocumentsError) {
        guard let item = claim.item(index) else {
            throw DocumentsError(.notFound, "There is nothing to read at this place.")
        }
        self.claim = claim
        self.index = index
        self.item = item
    }

    /// The item's current reference.
    public var reference: DocumentReference { item.reference }

    /// The content, open for reading. The descriptor is borrowed: it is closed when the accessor ends. −1 for a folder
    /// or package that is not read for uploading, when only attributes are read, and after the accessor has ended.
    public var descriptor: CInt { claim.file(index)?.descriptor ?? -1 }

    /// Opens the content again.
    ///
    /// - Returns: a new open file description, positioned at the start, which the caller closes. It keeps reading this
    ///   content after the accessor has ended.
    /// - Throws: ``DocumentsError`` `invalidArgument` when there is no ``descriptor``.
    public func openForReading() throws(DocumentsError) -> CInt {
        guard let descriptor = claim.file(index)?.reopen() else {
            throw DocumentsError(
                .invalidArgument, "This access has no content to open, or has ended.",
                suggestion: "Open it within the accessor of an access that reads the content.")
        }
        return descriptor
    }
}
