package import FoundationEssentials
import GRDB
package import Rights

/// That a client used a document: it opened, saved or was given it.
package struct DocumentUse: Hashable, Sendable {
    /// The client.
    package let principal: Principal
    /// The document as it was described then.
    package let document: UsedDocument
    /// When it was used last, in whole milliseconds once stored.
    package let moment: Date

    /// Creates one.
    package init(principal: Principal, document: UsedDocument, moment: Date) {
        self.principal = principal
        self.document = document
        self.moment = moment
    }

    init(row: Row) {
        self.init(
            principal: Principal(row: row), document: UsedDocument(row: row), moment: Date(milliseconds: row["used"]))
    }
}

/// A document that was used or is a favourite, as it is shown when nobody can be asked about it.
package struct UsedDocument: Hashable, Sendable {
    /// Its identity.
    package let key: ItemKey
    /// Its name.
    package let name: String
    /// The uniform type identifier.
    package let contentType: String
    /// Whether it is a folder or a package.
    package let isFolder: Bool

    /// Creates one.
    package init(key: ItemKey, name: String, contentType: String, isFolder: Bool) {
        self.key = key
        self.name = name
        self.contentType = contentType
        self.isFolder = isFolder
    }

    init(row: Row) {
        self.init(
            key: ItemKey(row: row), name: row["name"], contentType: row["content_type"], isFolder: row["is_folder"])
    }

    var isStorable: Bool { key.isStorable && name.isStorable && contentType.isStorable }
}
