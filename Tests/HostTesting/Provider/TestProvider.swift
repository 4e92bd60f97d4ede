import FileProvider
import Glibc

/// Common to all test providers: the store records each call, then answers it.
protocol TestProvider: ReplicatedFileProvider {
    var store: TestStore { get }
}

extension TestProvider {
    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        try await store.serve(.item, identifier.rawValue) { try store.item(identifier) }
    }

    func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem {
        try await store.serve(.child, name) {
            guard let found = try store.children(of: parent).first(where: { $0.filename == name }) else {
                throw FileProviderError(.noSuchItem, "There is no \"\(name)\" in the folder.")
            }
            return found
        }
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        try await store.serve(.children, parent.rawValue) { try store.page(of: parent, page) }
    }

    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        try await store.serve(.fetch, identifier.rawValue) {
            // Both at once: another machine may change the document.
            let (content, item) = try store.fetched(identifier)
            try destination.write(content)
            return item
        }
    }

    func openInPlace(_ identifier: ItemIdentifier) async throws -> InPlaceContent {
        let (item, descriptor) = try await store.serve(.open, identifier.rawValue) {
            (try store.item(identifier), open(store.path(identifier.rawValue), O_RDONLY | O_CLOEXEC))
        }
        guard descriptor >= 0 else { throw FileProviderError(.noSuchItem, "The file is not there.") }
        return InPlaceContent(item: item, file: OpenFile(owning: descriptor))
    }

    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        try await store.serve(.create, template.filename, operation: operation.identifier) {
            try store.create(template, contents.map { Array(try $0.readAll()) } ?? [], operation)
        }
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        try await store.serve(.modify, identifier.rawValue, operation: operation.identifier) {
            try store.modify(identifier, baseVersion, Array(try contents.readAll()), operation)
        }
    }

    func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem {
        try await store.serve(.move, identifier.rawValue, operation: operation.identifier) {
            try store.move(identifier, to: parent, named: name)
        }
    }

    func deleteItem(_ identifier: ItemIdentifier, baseVersion: ItemVersion?, recursive: Bool) async throws {
        try await store.serve(.delete, identifier.rawValue) { try store.delete(identifier) }
    }

    private func requireTrash() throws {
        guard store.hasTrash else { throw FileProviderError(.notSupported, "This domain has no trash.") }
    }

    func trashItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> String? {
        try requireTrash()
        return try await store.serve(.trash, identifier.rawValue, operation: operation.identifier) {
            try store.trash(identifier, baseVersion)
            return identifier.rawValue
        }
    }

    func trashedItems(page: String?) async throws -> TrashPage {
        try requireTrash()
        return store.trashedItems()
    }

    func restoreItem(
        _ trashed: String, to parent: ItemIdentifier?, named name: String?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        try requireTrash()
        return try await store.serve(.restore, trashed, operation: operation.identifier) {
            try store.restore(trashed, to: parent, named: name)
        }
    }

    func deleteTrashedItem(_ trashed: String) async throws {
        try requireTrash()
        try store.deleteTrashed(trashed)
    }

    func versions(of identifier: ItemIdentifier, page: String?) async throws -> EarlierVersionPage {
        try await store.serve(.versions, identifier.rawValue) { try store.versions(of: identifier, page: page) }
    }

    func fetchVersion(
        _ version: String, of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws {
        let content = try await store.serve(.fetchVersion, version) {
            try store.content(of: version, of: identifier)
        }
        try await progress.report(completed: 0, total: content.count)
        try destination.write(content)
    }

    func restoreVersion(
        _ version: String, of identifier: ItemIdentifier, baseVersion: ItemVersion?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        try await store.serve(.revert, version, operation: operation.identifier) {
            let content = try store.content(of: version, of: identifier, isRestored: true)
            return try store.modify(identifier, baseVersion, content, operation).item
        }
    }

    func usage() async throws -> StorageUsage { try await store.serve(.usage, "") { store.usage } }

    func perform(_ action: String, arguments: [String: String]) async throws -> [[String: String]] {
        guard action == "echo" else { throw FileProviderError(.notSupported, "There is no action \(action).") }
        return try await store.serve(.perform, action) { [arguments, ["action": action]] }
    }

    func thumbnail(of identifier: ItemIdentifier, version: ItemVersion?, size: Int) async throws -> ItemThumbnail {
        try await store.serve(.thumbnail, identifier.rawValue) {
            guard let picture = store.thumbnail(identifier.rawValue) else {
                throw FileProviderError(.notSupported, "There is no picture of it.")
            }
            return picture
        }
    }

    func signIn(_ credential: Credential) async throws -> String? {
        try await store.serve(.signIn, credential.username ?? "") { try store.requireAccount(credential) }
    }

    func signOut() async { try? await store.serve(.signOut, "") {} }
}

/// A provider whose documents are local files.
final class InPlaceTestProvider: TestProvider {
    static var features: ProviderFeatures { [.inPlace, .write, .delete, .move, .usage, .trash, .versions, .actions] }
    let store: TestStore

    init(domain: FileProviderDomain, host: FileProviderHost) throws { store = try TestStores.store(of: domain, host) }

    func startObserving(_ identifier: ItemIdentifier) async throws {
        try await store.serve(.observe, identifier.rawValue) {}
    }
}

/// A provider whose documents are read-only local files.
final class ReadOnlyTestProvider: TestProvider {
    static var features: ProviderFeatures { [.inPlace] }
    let store: TestStore

    init(domain: FileProviderDomain, host: FileProviderHost) throws { store = try TestStores.store(of: domain, host) }

    func startObserving(_ identifier: ItemIdentifier) async throws {
        try await store.serve(.observe, identifier.rawValue) {}
    }
}

/// A provider whose documents are remote.
final class RemoteTestProvider: TestProvider {
    static var features: ProviderFeatures {
        [.write, .delete, .move, .signIn, .usage, .trash, .versions, .actions, .thumbnails]
    }
    let store: TestStore

    init(domain: FileProviderDomain, host: FileProviderHost) throws { store = try TestStores.store(of: domain, host) }
}
