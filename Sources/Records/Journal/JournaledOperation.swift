package import FoundationEssentials
import GRDB
package import Rights

/// A write, creation, move or package on its way from a client to its provider (W).
package struct JournaledOperation: Hashable, Sendable, Codable, Identifiable {
    /// What the client requested.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// Replacing or updating a document.
        case write
        /// Creating a document (export).
        case create
        /// Creating a document and then deleting the source (move).
        case move
        /// Replacing a package as a whole.
        case package
    }

    /// The progress. The step numbers are those of W.
    package enum State: String, Hashable, Sendable, Codable {
        /// Step 1: a staged file may exist; nothing is promised.
        case open
        /// Step 5, the commit point: it will be completed.
        case staged
        /// Step 7: it has been published.
        case published
        /// Move (b): it has been published, and the source waits to be deleted.
        case moveSourcePending
        /// Step 9: the provider has confirmed it; the file in `Uploads` may still be there.
        case uploaded
        /// Everything is done.
        case finished
        /// It cannot continue until the user acts; its data is kept.
        case failed
        /// It was given up before the commit point, and its data was discarded.
        case abandoned
        /// It was given up before the commit point, and its data was kept as a recovered version.
        case recovered

        /// Whether the state is final.
        package var isFinal: Bool { self == .finished || self == .abandoned || self == .recovered }
    }

    /// The name of its files in `Staging` and `Uploads`: unique, assigned here, and, unlike ``operation``, safe in a
    /// path.
    package let id: String
    /// The client's name for the operation.
    package let operation: String
    /// The client that requested it.
    package let principal: Principal
    /// What the client requested.
    package let kind: Kind
    /// The provider that receives it.
    package let provider: String
    /// The account within the provider.
    package let domain: String
    /// The document's identifier; nil until a created one is published.
    package let item: String?
    /// The identifier of the parent folder, for creations.
    package let parent: String?
    /// The name of the document, for creations.
    package let name: String?
    /// The version that the change is based on, for If-Match.
    package let baseVersion: String?
    /// The client's description of the source of a move.
    package let source: String?
    /// The uniform type identifier of the created document, as stated by the client.
    package let contentType: String?
    /// The digest of the frozen content, from the commit point on.
    package let digest: String?
    /// The size of the content in bytes.
    package let size: Int64?
    /// The progress.
    package let state: State
    /// The state in which it failed.
    package let failedFrom: State?
    /// Why it failed or was given up.
    package let reason: String?
    /// The local version of the item after publishing; each publication increases it by one.
    package let itemVersion: Int64?
    /// When it began.
    package let created: Date
    /// When it last changed.
    package let changed: Date
    /// When the provider confirmed it.
    package let uploaded: Date?
    /// The remote version that the provider assigned to the content; nil when it named none.
    package let uploadedVersion: String?
    /// When the source of a move was deleted, or kept because it had changed.
    package let sourceFinished: Date?
    /// For an element's operation: the ``id`` of the operation on the package that it is part of.
    package let package: String?

    /// The document, once its identifier is known.
    package var itemKey: ItemKey? { item.map { ItemKey(provider: provider, domain: domain, identifier: $0) } }

    /// The folder for a creation.
    package var folderKey: ItemKey? { parent.map { ItemKey(provider: provider, domain: domain, identifier: $0) } }

    /// Whether it creates something, including through a client's write session.
    package var isCreation: Bool { kind != .write || parent != nil }

    /// Whether the created item does not exist yet.
    package var isNew: Bool { item == nil && parent != nil }

    /// Whether the content still has to be sent to the provider.
    package var needsUpload: Bool { (state == .published || state == .moveSourcePending) && uploaded == nil }

    /// Whether it is committed and not on the provider yet, failed or not.
    package var isUnsent: Bool { digest != nil && uploaded == nil && !state.isFinal }

    init(row: Row) throws {
        guard let kind = Kind(rawValue: row["kind"]), let state = State(rawValue: row["state"]) else {
            throw JournalError.unreadable
        }
        self.id = row["id"]
        self.operation = row["op"]
        self.principal = Principal(row: row)
        self.kind = kind
        self.provider = row["provider"]
        self.domain = row["domain"]
        self.item = row["item"]
        self.parent = row["parent"]
        self.name = row["name"]
        self.baseVersion = row["base_version"]
        self.source = row["source"]
        self.contentType = row["content_type"]
        self.digest = row["digest"]
        self.size = row["size"]
        self.state = state
        self.failedFrom = (row["failed_from"] as String?).flatMap(State.init(rawValue:))
        self.reason = row["reason"]
        self.itemVersion = row["item_version"]
        self.created = Date(milliseconds: row["created"])
        self.changed = Date(milliseconds: row["changed"])
        self.uploaded = (row["uploaded"] as Int64?).map(Date.init(milliseconds:))
        self.uploadedVersion = row["uploaded_version"]
        self.sourceFinished = (row["source_finished"] as Int64?).map(Date.init(milliseconds:))
        self.package = row["package"]
    }
}
