package import DocentInterfaces
import HostCore
package import Records
import Rights

extension ItemDescription {
    /// The longest version and thumbnail reference, in bytes, that the provider contract allows.
    private static let longestVersion = 128
    private static let longestThumbnail = 1024

    /// A provider's description of an item, as the index stores it. Impossible values (a negative size, an oversized
    /// thumbnail reference) are dropped.
    package init(_ item: Wire.ProviderItem) {
        self.init(
            identifier: item.identifier, parent: item.parent, name: item.name, contentType: item.contentType,
            size: item.isFolder ? nil : item.size.flatMap { $0 < 0 ? nil : Int64($0) },
            modificationDate: item.modificationDate, creationDate: item.creationDate, isFolder: item.isFolder,
            version: item.version, capabilities: item.capabilities,
            thumbnail: Self.thumbnail(of: item), symbolicLinkTarget: SymbolicLinks.target(item),
            ignoresCase: item.isFolder && item.ignoresCase == true)
    }

    /// The item's thumbnail reference; nil when it is longer than the contract allows.
    static func thumbnail(of item: Wire.ProviderItem) -> String? {
        item.thumbnail.flatMap { $0.utf8.count > longestThumbnail ? nil : $0 }
    }

    /// The description of a child that was listed in a folder. The folder overrides the parent that the item names.
    package init(_ item: Wire.ProviderItem, in folder: String) {
        self.init(item)
        parent = folder
    }

    /// Why an item cannot be stored in the index; nil when it can. Only the root may have any name.
    package static func problem(_ item: Wire.ProviderItem, isChild: Bool) -> String? {
        if item.identifier.isEmpty || item.identifier.utf8.count > 4096 { return "its identifier is empty or too long" }
        if item.identifier.utf8.contains(0) { return "its identifier contains a NUL character" }
        if item.identifier.begins(with: ".docent-") { return "its identifier is reserved for the host" }
        if let version = item.version, version.isEmpty || version.utf8.count > longestVersion {
            return "its version is empty or longer than \(longestVersion) bytes"
        }
        if LocalVersion(item.version) != nil { return "its version is reserved for the host" }
        guard isChild || item.identifier != ItemKey.rootIdentifier else { return nil }
        if item.identifier == ItemKey.rootIdentifier { return "it claims to be the root" }
        guard (try? ItemPath.name(item.name)) != nil else { return "its name is not valid" }
        return nil
    }
}
