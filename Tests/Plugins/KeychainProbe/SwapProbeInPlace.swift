import CLinux
import FileProvider
import Foundation
import Glibc

/// The attacker of ``SwapBehaviour`` with documents in place: files of its container, which it also swaps. It opens
/// whatever is in their places.
final class SwapProbeInPlace: SwapBehaviour {
    static var features: ProviderFeatures { [.inPlace, .write, .signIn] }

    let work: ProbeWork
    private let storage: String

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        storage = domain.documentStorage
        work = ProbeWork(keychain: host.keychain, host: host, storage: domain.documentStorage)
        for name in Self.documentNames { SwapWork.create("\(storage)/\(name)", "in place \(name.prefix(1))") }
        SwapWork.resume(storage: storage)
    }

    func document(_ name: String) throws -> FileProviderItem {
        guard Self.documentNames.contains(name) else {
            throw FileProviderError(.noSuchItem, "There is no such document.")
        }
        var item = FileProviderItem(identifier: ItemIdentifier(name), parent: .rootContainer, filename: name)
        var facts = stat()
        if stat("\(storage)/\(name)", &facts) == 0 {
            item.size = Int(facts.st_size)
            item.version = ItemVersion(
                content: "\(facts.st_ino)-\(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)-\(facts.st_size)")
        }
        return item
    }

    func openInPlace(_ identifier: ItemIdentifier) async throws -> InPlaceContent {
        let item = try document(identifier.rawValue)
        // A FIFO must not block it.
        let file = clinux_open("\(storage)/\(identifier.rawValue)", CLINUX_O_RDONLY | CLINUX_O_NONBLOCK, 0)
        guard file >= 0 else { throw FileProviderError(.failed, "The document cannot be opened: \(-file).") }
        clinux_set_status_flags(file, 0)
        return InPlaceContent(item: item, file: OpenFile(owning: file))
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        let name = identifier.rawValue
        _ = try document(name)
        // Replaced as a whole: the file in its place may be a hard link.
        let draft = "\(storage)/draft-\(UUID().uuidString)"
        try contents.readAll().write(to: URL(fileURLWithPath: draft))
        guard rename(draft, "\(storage)/\(name)") == 0 else {
            unlink(draft)
            throw FileProviderError(.failed, "The document cannot be replaced.")
        }
        return ModifiedItem(item: try document(name))
    }
}
