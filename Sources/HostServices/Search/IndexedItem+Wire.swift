import DocentInterfaces
import HostCore
import Records
import Rights

extension IndexedItem {
    /// The facts of an item as clients see it.
    init(_ item: Wire.Item) {
        let key = item.reference.key
        self.init(
            key: key,
            parent: item.parent ?? (key.identifier == ItemKey.rootIdentifier ? "" : ItemKey.rootIdentifier),
            name: item.name, contentType: item.contentType, size: item.size.map(Int64.init),
            modified: item.modificationDate, isFolder: item.isFolder, isDownloaded: item.isDownloaded,
            isPinned: item.isPinned == true, isUnsent: !item.isUploaded, isLink: item.contentType == "public.symlink")
    }

    /// The item as clients see it, as far as the index knows it: for an item that cannot be asked about.
    var remembered: Wire.Item {
        Wire.Item(
            reference: key.reference, parent: parent, name: name, contentType: contentType,
            size: size.map(Int.init(clamping:)), modificationDate: modified, isFolder: isFolder,
            isDownloaded: isDownloaded, isUploaded: !isUnsent, isPinned: isPinned ? true : nil)
    }
}

extension SearchAccount.Identity {
    init(_ domain: DomainKey) { self.init(provider: domain.provider, domain: domain.domain) }

    var domainKey: DomainKey { DomainKey(provider: provider, domain: domain) }
}
