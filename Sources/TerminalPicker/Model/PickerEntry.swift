package import Documents

/// A document or a folder in a list.
package struct PickerEntry: Hashable, Sendable {
    /// The name as the provider gives it.
    package var name: String
    /// The uniform type identifier.
    package var contentType: String
    /// In bytes; nil for folders and when unknown.
    package var size: Int?
    /// Seconds since 1970; nil when unknown.
    package var modificationDate: Double?
    /// Whether it can be entered: an ordinary folder, not one that is a document.
    package var isFolder: Bool
    /// Whether this is a link, which leads to something else.
    package var isLink: Bool
    /// Whether the content is on this machine.
    package var isDownloaded: Bool
    /// Whether the provider has newer content than this machine.
    package var isStale: Bool
    /// Whether it may be chosen: it has one of the asked types.
    package var isChoosable: Bool
    /// Where it is, in a list of several folders; nil in the list of its folder.
    package var location: DocumentLocation?

    package init(
        name: String, contentType: String = "public.data", size: Int? = nil, modificationDate: Double? = nil,
        isFolder: Bool = false, isLink: Bool = false, isDownloaded: Bool = true, isStale: Bool = false,
        isChoosable: Bool = true, location: DocumentLocation? = nil
    ) {
        self.name = name
        self.contentType = contentType
        self.size = size
        self.modificationDate = modificationDate
        self.isFolder = isFolder
        self.isLink = isLink
        self.isDownloaded = isDownloaded
        self.isStale = isStale
        self.isChoosable = isChoosable
        self.location = location
    }

    /// The entry for an item.
    ///
    /// - Parameter isChoosable: whether an item of this type may be chosen.
    package init(_ item: DocumentItem, isChoosable: (_ contentType: String) -> Bool) {
        self.init(
            name: item.name, contentType: item.contentType, size: item.size, modificationDate: item.modificationDate,
            isFolder: item.isFolder && item.contentType == "public.folder", isLink: item.isSymbolicLink,
            isDownloaded: item.isDownloaded, isStale: item.isStale,
            // What a link leads to is known when it is followed.
            isChoosable: item.isSymbolicLink || isChoosable(item.contentType))
    }
}

extension DocumentLocation {
    /// The location of an entry of this folder.
    package func appending(_ name: String) -> DocumentLocation {
        DocumentLocation(
            provider: provider, domain: domain, path: path.hasSuffix("/") ? path + name : path + "/" + name)
    }

    /// Whether this is the top folder of an account.
    var isTop: Bool { name.isEmpty }
}
