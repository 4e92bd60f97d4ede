package import DocentInterfaces
import HostCore
import Records
package import UniformTypes

/// Translates a provider's item into a client's item. Pure.
package enum ItemTranslation {
    /// The item as clients see it.
    ///
    /// - Parameters:
    ///   - path: the path that led to it, if known.
    ///   - inPlace: whether its content is a local file of the provider.
    ///   - materialised: whether the host has its content.
    ///   - pending: whether one of its changes waits to be uploaded.
    package static func item(
        _ item: Wire.ProviderItem, provider: String, domain: String, path: String?, inPlace: Bool,
        materialised: Bool, pending: Bool, types: UniformTypeRegistry
    ) -> Wire.Item {
        var types = FileTypes(types)
        return self.item(
            item, provider: provider, domain: domain, path: path, inPlace: inPlace, materialised: materialised,
            pending: pending, types: &types)
    }

    /// The same for one of many items; `types` remembers what their extensions mean.
    package static func item(
        _ item: Wire.ProviderItem, provider: String, domain: String, path: String?, inPlace: Bool,
        materialised: Bool, pending: Bool, types: inout FileTypes
    ) -> Wire.Item {
        let target = SymbolicLinks.target(item)
        let type =
            item.contentType.flatMap(UniformType.init)?.identifier
            ?? (target == nil ? nil : UniformType.symbolicLink.identifier)
            ?? types.type(fileName: item.name, isDirectory: item.isFolder).identifier
        return Wire.Item(
            reference: Wire.ItemReference(provider: provider, domain: domain, identifier: item.identifier),
            parent: item.parent, name: item.name, path: path, contentType: type,
            size: item.isFolder ? nil : item.size, modificationDate: item.modificationDate,
            creationDate: item.creationDate, isFolder: item.isFolder,
            isDownloaded: item.isFolder || materialised || (item.isDownloaded ?? inPlace),
            isUploaded: !pending && (inPlace || item.isUploaded != false),
            // A package's version combines the versions of all its elements.
            version: item.isFolder && PackageElements.isPackage(type: type, types.registry) ? nil : item.version,
            thumbnail: ItemDescription.thumbnail(of: item), symbolicLinkTarget: target,
            ignoresCase: item.isFolder ? item.ignoresCase : nil)
    }
}
