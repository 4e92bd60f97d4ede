package import DocentInterfaces
import HostCore
package import Records
package import UniformTypes

/// Translates an index item into a client's item. Pure.
package enum RemoteTranslation {
    /// The item as clients see it.
    ///
    /// - Parameters:
    ///   - path: the path that led to it, if known.
    ///   - upload: the state of its unsent changes; nil when its provider has everything.
    ///   - conflicts: how many versions are kept beside the current one.
    ///   - former: the shown version's name before its upload was confirmed.
    package static func item(
        _ item: RemoteItem, path: String?, upload: UploadStates.State?, conflicts: Int,
        former: String? = nil, types: UniformTypeRegistry
    ) -> Wire.Item {
        let description = item.description
        let isFolder = description.isFolder
        let type =
            description.contentType.flatMap(UniformType.init)?.identifier
            ?? (description.symbolicLinkTarget == nil ? nil : UniformType.symbolicLink.identifier)
            ?? types.type(fileName: description.name, isDirectory: isFolder).identifier
        // Readers get what was saved here until the provider has it.
        let unsent = isUnsent(item, upload) ? item.local : nil
        return Wire.Item(
            reference: item.key.reference, parent: description.parent, name: description.name, path: path,
            contentType: type, size: isFolder ? nil : (unsent?.size ?? description.size).map(Int.init(clamping:)),
            modificationDate: description.modificationDate, creationDate: description.creationDate, isFolder: isFolder,
            isDownloaded: isFolder || item.local != nil, isUploaded: !isUnsent(item, upload),
            // A package's version combines the versions of all its elements.
            version: isFolder && PackageElements.isPackage(type: type, types)
                ? nil : version(item, upload: upload), uploadState: isFolder ? nil : name(upload),
            uploadError: reason(upload), isPinned: item.isPinned ? true : nil,
            isStale: item.local != nil && unsent == nil && !item.isCurrent ? true : nil,
            conflicts: conflicts > 0 ? conflicts : nil, thumbnail: description.thumbnail,
            formerVersion: isFolder ? nil : former, symbolicLinkTarget: description.symbolicLinkTarget,
            ignoresCase: isFolder && description.ignoresCase ? true : nil)
    }

    /// The version that clients see of a single item.
    static func version(_ item: RemoteItem, upload: UploadStates.State?) -> String? {
        (isUnsent(item, upload) ? item.local?.version : nil) ?? item.description.version
    }

    // A save that has just been published counts already: readers get its content.
    private static func isUnsent(_ item: RemoteItem, _ upload: UploadStates.State?) -> Bool {
        upload != nil || LocalVersion(item.local?.version) != nil
    }

    private static func name(_ upload: UploadStates.State?) -> String {
        switch upload {
        case nil: "uploaded"
        case .queued: "queued"
        case .uploading: "uploading"
        case .failed: "failed"
        }
    }

    private static func reason(_ upload: UploadStates.State?) -> String? {
        if case .failed(let reason) = upload { reason } else { nil }
    }
}
