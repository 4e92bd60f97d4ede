import DocentInterfaces
import Foundation
import Records
import Rights

/// Items for the tests of remote documents.
enum RemoteSample {
    static func key(_ identifier: String) -> ItemKey {
        ItemKey(provider: "org.example.Remote", domain: "work", identifier: identifier)
    }

    static func description(
        _ identifier: String, name: String? = nil, size: Int64? = 10, version: String? = "1", isFolder: Bool = false
    ) -> ItemDescription {
        ItemDescription(
            identifier: identifier, parent: ".root", name: name ?? identifier, size: size, isFolder: isFolder,
            version: version)
    }

    static func item(
        _ identifier: String, name: String? = nil, size: Int64? = 10, version: String? = "1", local: LocalCopy? = nil,
        isPinned: Bool = false
    ) -> RemoteItem {
        RemoteItem(
            key: key(identifier), description: description(identifier, name: name, size: size, version: version),
            local: local, isPinned: isPinned)
    }

    static func copy(_ version: String?, size: Int64 = 10) -> LocalCopy {
        LocalCopy(name: "copy", version: version, size: size)
    }
}
