import DocentInterfaces
import FoundationEssentials
import UniformTypes

extension Wire.ProviderItem {
    /// Converts an author's item.
    ///
    /// - Throws: ``FileProviderError`` when the interface forbids one of its values.
    init(_ item: FileProviderItem) throws {
        guard !item.identifier.rawValue.isEmpty else {
            throw FileProviderError(.failed, "The provider gave an item without an identifier.")
        }
        if let version = item.version?.content, version.utf8.count > ItemVersion.maximumLength {
            throw FileProviderError(
                .failed,
                "The provider gave \"\(item.filename)\" a version of \(version.utf8.count) bytes; "
                    + "at most \(ItemVersion.maximumLength) are possible.")
        }
        if let thumbnail = item.thumbnail, thumbnail.utf8.count > FileProviderItem.maximumThumbnailLength {
            throw FileProviderError(
                .failed,
                "The provider gave \"\(item.filename)\" a thumbnail reference of \(thumbnail.utf8.count) bytes; "
                    + "at most \(FileProviderItem.maximumThumbnailLength) are possible.")
        }
        if let target = item.symbolicLinkTarget {
            guard !item.isFolder, !target.rawValue.isEmpty, target != item.identifier else {
                throw FileProviderError(
                    .failed, "The provider gave \"\(item.filename)\" as a link that is a folder, or leads to itself.")
            }
        }
        self.init(
            identifier: item.identifier.rawValue, parent: item.parent.rawValue, name: item.filename,
            contentType: (item.contentType ?? (item.symbolicLinkTarget == nil ? nil : .symbolicLink))?.identifier,
            size: item.size,
            modificationDate: item.modificationDate?.timeIntervalSince1970,
            creationDate: item.creationDate?.timeIntervalSince1970, isFolder: item.isFolder,
            version: item.version?.content, capabilities: item.capabilities?.names,
            isDownloaded: item.isDownloaded, isUploaded: item.isUploaded, thumbnail: item.thumbnail,
            symbolicLinkTarget: item.symbolicLinkTarget?.rawValue, ignoresCase: item.isFolder ? item.ignoresCase : nil)
    }

    /// An upper estimate of its size in a message, in bytes.
    var estimatedSize: Int {
        370 + 2
            * (identifier.utf8.count + parent.utf8.count + name.utf8.count + (contentType?.utf8.count ?? 0)
                + (thumbnail?.utf8.count ?? 0) + (symbolicLinkTarget?.utf8.count ?? 0))
    }
}

extension FileProviderDomain {
    init(_ domain: Wire.ProviderDomain) {
        self.init(
            identifier: domain.identifier, displayName: domain.displayName, folder: domain.folder,
            documentStorage: domain.storage, settings: domain.settings ?? [:])
    }
}
