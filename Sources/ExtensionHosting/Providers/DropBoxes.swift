package import DocentInterfaces
import Synchronization

/// Which providers are drop boxes: documents go in, and nobody sees them again (A5). Thread-safe; asked at every
/// access.
package final class DropBoxes: Sendable {
    private let identifiers = Mutex<Set<String>>([])

    package init() {}

    /// Notes what is installed.
    package func update(_ providers: some Sequence<(identifier: String, isDropBox: Bool)>) {
        let found = Set(providers.lazy.filter(\.isDropBox).map(\.identifier))
        identifiers.withLock { $0 = found }
    }

    /// Whether a provider is one, by its full identifier.
    package func contains(_ provider: String) -> Bool { identifiers.withLock { $0.contains(provider) } }

    /// The answer to everything but an export.
    package static func refusal(_ provider: String) -> Failure {
        Failure(
            .notPermitted, "\(provider) is a drop box: documents go in, and cannot be seen.",
            suggestion: "Export to it; ask its owner for what lies in it.", provider: provider)
    }
}

extension KnownProvider {
    /// What a client is told of an item that it has just exported here: of one in a drop box nothing but its name and
    /// size (A5).
    package func told(_ item: Wire.Item) -> Wire.Item {
        guard isDropBox else { return item }
        return Wire.Item(
            reference: .init(provider: identifier, domain: item.reference.domain, identifier: ""), name: item.name,
            contentType: item.contentType, size: item.size, isFolder: item.isFolder, isDownloaded: false,
            isUploaded: item.isUploaded)
    }
}
