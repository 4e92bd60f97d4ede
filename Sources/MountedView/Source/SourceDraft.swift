package import Documents

/// A change of a document that is being written: all of it takes effect together, or nothing.
package protocol SourceDraft: Sendable {
    /// Whether the document has another version than the writer has read. Then the draft starts empty, and its content
    /// will be kept beside that of the other version.
    var isOutdated: Bool { get }

    /// Whether it makes a document that does not exist yet.
    var isNew: Bool { get }

    /// Names the change for a process that goes on with it; nil if it needs no name.
    var operation: String? { get }

    /// A copy of the descriptor of the staged content, open for reading and writing; the caller closes it before the
    /// commit.
    func descriptor() throws(DocumentsError) -> CInt

    /// Notes the extended attributes that the content has, before the commit. A provider that does not keep them
    /// ignores them.
    func attach(_ attributes: [String: [UInt8]])

    /// Publishes what was written. Durable when it returns. The draft ends, also with an error.
    ///
    /// - Parameter modified: the date that the content should have, in seconds since 1970; nil for now.
    func commit(modified: Double?) async throws(DocumentsError) -> ViewItem

    /// Discards it.
    func abandon() async
}

extension SourceDraft {
    package func attach(_ attributes: [String: [UInt8]]) {}
}
