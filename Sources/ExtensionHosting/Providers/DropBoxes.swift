package import DocentInterfaces
import Synchronization

/// The providers that are drop boxes: documents go in, and clients do not see them again (A5). Thread-safe; asked at
/// every access.
package final class DropBoxes: Sendable {
    private let identifiers = Mutex<Set<String>>([])

    package init() {}

    /// Records which installed providers are drop boxes.
    package func update(_ providers: some Sequence<(identifier: String, isDropBox: Bool)>) {
        let found = Set(providers.lazy.filter(\.isDropBox).map(\.identifier))
        identifiers.withLock { $0 = found }
    }

    /// Whether a provider is a drop box, by its full identifier.
    package func contains(_ provider: String) -> Bool { identifiers.withLock { $0.contains(provider) } }

    /// The answer to everything except an export.
    package static func refusal(_ provider: String) -> Failure {
        Failure(
            .notPermitted, "\(provider) is a drop box: you can put documents in, but not see them.",
            suggestion: "Export to it, or ask its owner for its contents.", provider: provider)
    }
}

extension KnownProvider {
    /// The part of an item that the client sees that has just exported it here: for a drop box only its name and size.
    package func told(_ item: Wire.Item) -> Wire.Item {
        guard isDropBox else { return item }
        return Wire.Item(
            reference: .init(provider: identifier, domain: item.reference.domain, identifier: ""), name: item.name,
            contentType: item.contentType, size: item.size, isFolder: item.isFolder, isDownloaded: false,
            isUploaded: item.isUploaded)
    }
}
