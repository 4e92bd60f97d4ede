import FileProvider
import Foundation

/// A picker that chooses the document with the name at the end of the path, and puts exported documents into the store
/// of its provider. Some names make it behave otherwise.
final class TestPicker: DocumentPickerExtension {
    /// The user cancels.
    static let cancelled = "cancelled"
    /// It chooses a document of another provider.
    static let foreign = "foreign"
    /// It ends without a choice.
    static let silent = "silent"

    override func userDidChoose(_ path: String, name: String?) async throws {
        let chosen = path.split(separator: "/").last.map(String.init) ?? ""
        switch chosen {
        case Self.cancelled: return dismissGrantingAccess(to: nil)
        case Self.foreign: return dismissGrantingAccess(to: URL(string: "docent://org.docent.test.Other/item-1"))
        case Self.silent: return
        default: break
        }
        let provider = providerIdentifier ?? ""
        guard let store = TestStores.store(at: documentStorageURL?.path ?? "", provider: provider) else {
            throw FileProviderError(.failed, "No test has documents of \(provider).")
        }
        let root = ItemIdentifier.rootContainer
        let item: FileProviderItem
        if let originalFile {
            let content = Array(try originalFile.readAll())
            item = try await store.serve(.create, name ?? "") {
                try store.create(
                    ItemTemplate(parent: root, filename: name ?? ""), content,
                    ChangeOperation(identifier: UUID().uuidString))
            }
        } else {
            guard let found = try store.children(of: root).first(where: { $0.filename == chosen }) else {
                throw FileProviderError(.noSuchItem, "There is no \"\(chosen)\".")
            }
            item = found
        }
        if documentPickerMode == .export {
            // It proves that it has a copy; no client gets access to that.
            return dismissGrantingAccess(to: URL(filePath: store.path(item.identifier.rawValue)))
        }
        dismissGrantingAccess(to: URL(string: "docent://\(provider)/\(item.identifier.rawValue)"))
    }
}
