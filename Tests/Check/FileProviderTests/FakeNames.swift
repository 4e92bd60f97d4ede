import FileProvider

/// A provider that accepts every name, and has two documents whose names differ only in their bytes.
struct FakeNames: ReplicatedFileProvider, PackageFileProvider {
    static var features: ProviderFeatures { [.write, .move, .packages] }

    static let composed = "caf\u{E9}.txt"
    static let decomposed = "cafe\u{301}.txt"

    let host: FileProviderHost

    init(domain: FileProviderDomain, host: FileProviderHost) { self.host = host }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        switch identifier.rawValue {
        case "signal":
            host.signalChanged([ItemIdentifier(Self.composed), ItemIdentifier(Self.decomposed)])
            host.signalDeleted([ItemIdentifier(Self.decomposed)])
        default: break
        }
        return document(identifier.rawValue)
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        ItemPage(items: [document(Self.composed), document(Self.decomposed)])
    }

    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        template.isFolder
            ? FileProviderItem(folder: ItemIdentifier("new"), parent: template.parent, filename: template.filename)
            : document(template.filename)
    }

    func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem { document(name) }

    func beginPackage(
        _ target: PackageTarget, elements: [PackageElement], operation: ChangeOperation
    ) async throws -> any PackageReplacement { Staged(needed: elements.map(\.path)) }

    private func document(_ name: String) -> FileProviderItem {
        FileProviderItem(
            identifier: ItemIdentifier(name.isEmpty ? "none" : name), parent: .rootContainer, filename: name, size: 0)
    }

    private struct Staged: PackageReplacement {
        let needed: [String]
        var neededPaths: [String] { needed }
        func stage(_ path: String, contents: ContentReader) async throws {}
        func commit() async throws -> ModifiedItem {
            ModifiedItem(item: FileProviderItem(folder: ItemIdentifier("p"), parent: .rootContainer, filename: "p"))
        }
    }
}
