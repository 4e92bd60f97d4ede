import Records
import Rights

let provider = "org.docent.remote"

func remote(_ identifier: String) -> ItemKey {
    ItemKey(provider: provider, domain: "work", identifier: identifier)
}

func entry(
    _ identifier: String, parent: String = ".root", name: String? = nil, folder: Bool = false, version: String? = "1",
    size: Int64? = 1
) -> ItemDescription {
    ItemDescription(
        identifier: identifier, parent: parent, name: name ?? identifier, size: size, modificationDate: 0,
        isFolder: folder, version: version)
}
