import Glibc

/// Reading that was granted, as long as the accessor runs (2.1).
public struct ReadingAccess: Sendable {
    let claim: HeldClaim
    let index: Int

    /// The item; it may be another reference than the one asked for, when it was moved meanwhile or a link was followed.
    public let item: DocumentItem

    init(_ claim: HeldClaim, _ index: Int) throws(DocumentsError) {
        guard let item = claim.item(index) else {
            throw DocumentsError(.notFound, "There is nothing to read at this place.")
        }
        self.claim = claim
        self.index = index
        self.item = item
    }

    /// The item's name now.
    public var reference: DocumentReference { item.reference }

    /// The content, open for reading and borrowed: it is closed when the accessor ends. −1 for a folder or package that is not
    /// read for uploading, for attributes alone, and after the end.
    public var descriptor: CInt { claim.file(index)?.descriptor ?? -1 }

    /// Opens the content once more.
    ///
    /// - Returns: an open file description of the caller's own, positioned at the start, which the caller closes; it goes on
    ///   reading this content after the accessor has ended.
    /// - Throws: ``DocumentsError`` `invalidArgument` where there is no ``descriptor``.
    public func openForReading() throws(DocumentsError) -> CInt {
        guard let descriptor = claim.file(index)?.reopen() else {
            throw DocumentsError(
                .invalidArgument, "This access has no content to open, or has ended.",
                suggestion: "Open it within the accessor, of a document that is read with its content.")
        }
        return descriptor
    }
}
