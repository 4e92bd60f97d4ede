import DocentInterfaces
import HostCore
import Rights

/// Remote items as they are known here. Their providers are not asked, so nothing here waits for the network.
struct RememberedItems: ItemSource {
    private let catalog: RemoteCatalog
    private let describer: RemoteDescriber

    init(catalog: RemoteCatalog, describer: RemoteDescriber) {
        self.catalog = catalog
        self.describer = describer
    }

    func bare(_ key: ItemKey) async throws -> Wire.Item {
        guard let item = try await catalog.known(key) else {
            throw Failure(.notFound, "Nothing is known here about the document.", provider: key.provider)
        }
        return try await describer.item(item, path: nil)
    }

    func children(of folder: ItemKey, page: String?) async throws -> (items: [Wire.Item], nextPage: String?) {
        let known = try await catalog.knownChildren(of: folder, page: page)
        return (try await describer.items(known.items, folderPath: nil), known.nextPage)
    }
}
