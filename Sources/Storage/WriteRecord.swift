/// What the journal keeps of one write, enough to finish it after a kill at any point (W).
package struct WriteRecord: Hashable, Sendable {
    /// How far the journal knows the write to have come.
    package enum State: String, Hashable, Sendable, Codable {
        /// A session is open; nothing is promised.
        case opened
        /// Committed: from here on the write is finished, whatever happens.
        case staged
        /// The item has the new content.
        case published
        /// The server has it too.
        case uploaded
    }

    /// The client's operation; names the files in Staging and Uploads.
    package let operation: String
    /// The item's key: provider, domain and identifier, as the Host writes it.
    package let item: String
    /// Where the content belongs.
    package let place: ItemPlace
    /// The item's version that the writer started from; nil for a new item.
    package let baseVersion: Int64?
    /// What the base's file looked like; nil when nothing was there.
    package let base: FileStamp?
    /// How far it came.
    package internal(set) var state: State
    /// The content's digest, from `staged` on.
    package internal(set) var digest: SHA256.Digest?
    /// The content's bytes, from `staged` on.
    package internal(set) var size: UInt64?

    /// Makes the record of a write that begins. `operation` must be a legal file name without a leading dot.
    package init(operation: String, item: String, place: ItemPlace, baseVersion: Int64?, base: FileStamp?) {
        self.operation = operation
        self.item = item
        self.place = place
        self.baseVersion = baseVersion
        self.base = base
        state = .opened
    }

    /// Makes a record as the journal kept it.
    package init(
        operation: String, item: String, place: ItemPlace, baseVersion: Int64?, base: FileStamp?, state: State,
        digest: SHA256.Digest?, size: UInt64?
    ) {
        self.init(operation: operation, item: item, place: place, baseVersion: baseVersion, base: base)
        self.state = state
        self.digest = digest
        self.size = size
    }

    func operationName() throws -> FileName {
        let name = try FileName(operation)
        guard !operation.hasPrefix(".") else {
            throw FileSystemError(.badName, "“\(operation)” cannot name an operation.")
        }
        return name
    }
}
