import FileProvider
import Glibc

/// A provider of local files that coordinates, for tests: during the host's calls as described in ``ProbeCalls``, and
/// on its own account as described in ``ProbeCommands``. Events are lines of `callbacks.log` in its container.
final class CoordinatingProbe: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.inPlace, .write, .delete, .move] }

    private let folder: ProbeFolder
    private let calls: ProbeCalls

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        let log = ProbeLog(domain.documentStorage)
        folder = ProbeFolder(log)
        calls = ProbeCalls(host: host, log: log, folder: folder)
        ProbeCommands(host: host, log: log, folder: folder).follow()
    }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem { try folder.item(identifier) }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        try folder.children(of: parent)
    }

    func openInPlace(_ identifier: ItemIdentifier) async throws -> InPlaceContent {
        let path = try folder.path(identifier)
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileProviderError(.noSuchItem, "It is gone.") }
        return InPlaceContent(item: try folder.item(at: path), file: OpenFile(owning: file))
    }

    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        try await calls.run("Create", template.filename, template.parent, .forMoving) {
            try folder.create(template, contents)
        }
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        try await calls.run("Modify", folder.name(identifier), identifier) {
            ModifiedItem(item: try folder.modify(identifier, baseVersion, contents.readAll()))
        }
    }

    func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem {
        try await calls.run("Move", folder.name(identifier), identifier, .forMoving) {
            try folder.move(identifier, to: parent, named: name)
        }
    }

    func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        try await calls.run("Delete", folder.name(identifier), identifier, .forDeleting) {
            try folder.delete(identifier)
        }
    }
}
