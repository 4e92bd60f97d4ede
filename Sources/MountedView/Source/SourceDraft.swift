package import Documents

/// A change of a document that is being written: all of it takes effect together, or nothing.
package protocol SourceDraft: Sendable {
    /// A copy of the descriptor of the staged content, open for reading and writing; the caller closes it before the
    /// commit.
    func descriptor() throws(DocumentsError) -> CInt

    /// Publishes what was written. Durable when it returns. The draft ends, also with an error.
    ///
    /// - Parameter modified: the date that the content should have, in seconds since 1970; nil for now.
    func commit(modified: Double?) async throws(DocumentsError) -> ViewItem

    /// Discards it.
    func abandon() async
}
