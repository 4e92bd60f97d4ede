import FileProvider
import Foundation
import Synchronization

/// The attacker of ``SwapBehaviour`` with remote documents, which are in memory.
final class SwapProbe: SwapBehaviour {
    static var features: ProviderFeatures { [.write, .signIn] }

    let work: ProbeWork
    private let documents = Mutex(["a.txt": "remote a", "b.txt": "remote b"])

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        work = ProbeWork(keychain: host.keychain, host: host, storage: domain.documentStorage)
        SwapWork.resume(storage: domain.documentStorage)
    }

    func document(_ name: String) throws -> FileProviderItem { try described(name, content(name)) }

    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let content = try content(identifier.rawValue)
        try destination.write(content.utf8)
        return described(identifier.rawValue, content)
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        let name = identifier.rawValue
        _ = try content(name)
        let changed = String(decoding: try contents.readAll(), as: UTF8.self)
        documents.withLock { $0[name] = changed }
        return ModifiedItem(item: described(name, changed))
    }

    private func content(_ name: String) throws -> String {
        guard let content = documents.withLock({ $0[name] }) else {
            throw FileProviderError(.noSuchItem, "There is no such document.")
        }
        return content
    }

    // Contents are short, and are their own versions.
    private func described(_ name: String, _ content: String) -> FileProviderItem {
        FileProviderItem(
            identifier: ItemIdentifier(name), parent: .rootContainer, filename: name, size: content.utf8.count,
            version: ItemVersion(content: String(content.prefix(100))))
    }
}
