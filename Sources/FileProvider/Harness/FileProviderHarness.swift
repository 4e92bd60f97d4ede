import CLinux
import DocentInterfaces
import UniformTypes
import Varlink

/// Decodes the calls of `org.docent.FileProvider`, asks the author's provider, and encodes the answers.
struct FileProviderHarness: Sendable {
    private typealias Interface = FileProviderInterface

    private let service = FileProviderService()
    private let created = OperationMemory<Interface.Create.Reply>()
    private let modified = OperationMemory<Interface.Modify.Reply>()

    /// The methods of the interface.
    func table(_ server: ExtensionServer) -> MethodTable {
        var table = MethodTable(interface: Interface.name, description: Interface.description)
        addLife(server, to: &table)
        addReading(to: &table)
        addContent(to: &table)
        addChanges(to: &table)
        addClassic(to: &table)
        return table
    }

    private func addLife(_ server: ExtensionServer, to table: inout MethodTable) {
        table.add(Interface.Initialize.self, changesState: true) { [service] parameters, _ in
            let features = try service.initialize(parameters)
            return Reply(.init(sdk: ExtensionServer.sdk, features: features.names))
        }
        table.add(Interface.Connect.self, changesState: true) { [weak server] parameters, call in
            try server?.connect(call.descriptors.take(parameters.socket))
            return Reply(.init())
        }
        table.addStream(Interface.Events.self) { [service] _, _, sink in
            for await _ in service.events.listen() {
                for event in service.events.take() {
                    do {
                        try await sink.send(Reply(event))
                    } catch {
                        service.events.addResync(domain: event.domain)
                        throw error
                    }
                }
                // A busy writer makes news without end: what comes close together becomes one reply.
                try await Task.sleep(for: .milliseconds(20))
            }
            return Reply(.init(kind: "log", domain: "", identifiers: [], message: "Somebody else listens now."))
        }
    }

    private func addReading(to table: inout MethodTable) {
        table.add(Interface.Item.self) { [service] parameters, _ in
            let item = try await service.provider(parameters.domain).item(for: ItemIdentifier(parameters.identifier))
            return Reply(.init(item: try Wire.ProviderItem(item)))
        }
        table.add(Interface.Child.self) { [service] parameters, _ in
            let item = try await service.provider(parameters.domain)
                .child(named: parameters.name, in: ItemIdentifier(parameters.parent))
            return Reply(.init(item: try Wire.ProviderItem(item)))
        }
        table.add(Interface.Children.self) { [service] parameters, _ in
            let provider = try await service.provider(parameters.domain)
            let token = try PageToken(parameters.page)
            let page = try await provider.children(of: ItemIdentifier(parameters.parent), page: token.page)
            return Reply(try Self.fit(page, token))
        }
        table.add(Interface.Changes.self) { [service] parameters, _ in
            let changes = try await service.provider(parameters.domain).changes(since: parameters.anchor)
            return Reply(
                .init(
                    changed: try changes.changed.map(Wire.ProviderItem.init), deleted: changes.deleted.map(\.rawValue),
                    anchor: changes.anchor, more: changes.hasMore))
        }
    }

    private func addContent(to table: inout MethodTable) {
        table.add(Interface.OpenInPlace.self) { [service] parameters, _ in
            let content = try await service.provider(parameters.domain)
                .openInPlace(ItemIdentifier(parameters.identifier))
            let item = try Wire.ProviderItem(content.item)
            return Reply(
                .init(item: item, file: 0), descriptors: DescriptorList(OwnedDescriptor(content.file.release())))
        }
        table.addStream(Interface.Fetch.self, requiresMore: false) { [service] parameters, call, sink in
            let file = try call.descriptors.take(parameters.destination)
            let mode = clinux_get_status_flags(file.raw)
            guard mode >= 0, mode & CLINUX_O_PATH == 0, mode & CLINUX_O_ACCMODE != CLINUX_O_RDONLY else {
                throw FileProviderError(.invalidArgument, "The destination is not open for writing.")
            }
            let writer = ContentWriter(owning: file.release())
            let item = try await service.provider(parameters.domain).fetchContents(
                of: ItemIdentifier(parameters.identifier), into: writer,
                progress: call.wantsMore ? .sending(to: sink) : TransferProgress())
            return Reply(
                .init(item: try Wire.ProviderItem(item), completedBytes: writer.bytesWritten, totalBytes: item.size))
        }
    }

    private func addChanges(to table: inout MethodTable) {
        table.add(Interface.Create.self, changesState: true) { [service, created] parameters, call in
            let provider = try await service.provider(parameters.domain)
            let contents = try parameters.content.map {
                try ContentReader(owning: call.descriptors.take($0).release(), size: parameters.size)
            }
            guard parameters.isFolder == (contents == nil) else {
                throw FileProviderError(.invalidArgument, "A document has content, a folder has none.")
            }
            let template = ItemTemplate(
                parent: ItemIdentifier(parameters.parent), filename: parameters.name, isFolder: parameters.isFolder,
                contentType: parameters.contentType.flatMap { UniformType($0) })
            let operation = ChangeOperation(identifier: parameters.operation, digest: parameters.digest)
            return Reply(
                try await created.run(operation) {
                    let item = try await provider.createItem(
                        basedOn: template, contents: contents, operation: operation)
                    return .init(item: try Wire.ProviderItem(item))
                })
        }
        table.add(Interface.Modify.self, changesState: true) { [service, modified] parameters, call in
            let provider = try await service.provider(parameters.domain)
            let contents = try ContentReader(
                owning: call.descriptors.take(parameters.content).release(), size: parameters.size)
            let operation = ChangeOperation(identifier: parameters.operation, digest: parameters.digest)
            return Reply(
                try await modified.run(operation) {
                    let result = try await provider.modifyItem(
                        ItemIdentifier(parameters.identifier),
                        baseVersion: parameters.baseVersion.map(ItemVersion.init(content:)), contents: contents,
                        operation: operation)
                    return .init(item: try Wire.ProviderItem(result.item), conflict: result.conflict?.rawValue)
                })
        }
        table.add(Interface.Delete.self, changesState: true) { [service] parameters, _ in
            guard parameters.identifier != ItemIdentifier.rootContainer.rawValue else {
                throw FileProviderError(.deletionRejected, "The top folder cannot be deleted.")
            }
            try await service.provider(parameters.domain).deleteItem(
                ItemIdentifier(parameters.identifier),
                baseVersion: parameters.baseVersion.map(ItemVersion.init(content:)), recursive: parameters.recursive)
            return Reply(.init())
        }
    }

    private func addClassic(to table: inout MethodTable) {
        table.add(Interface.PersistentIdentifier.self) { [service] parameters, _ in
            let provider = try await Self.classic(service, parameters.domain)
            return Reply(.init(identifier: try await provider.persistentIdentifier(url: parameters.url)))
        }
        table.add(Interface.URLForItem.self) { [service] parameters, _ in
            let provider = try await Self.classic(service, parameters.domain)
            return Reply(.init(url: try await provider.url(identifier: parameters.identifier)))
        }
        table.add(Interface.StopProviding.self, changesState: true) { [service] parameters, _ in
            await (try service.provider(parameters.domain)).stopProviding(ItemIdentifier(parameters.identifier))
            return Reply(.init())
        }
    }

    private static func classic(_ service: FileProviderService, _ domain: String) async throws -> ClassicFileProvider {
        guard let provider = try await service.provider(domain) as? ClassicFileProvider else {
            throw FileProviderError(.notSupported, "This provider has identifiers and no URLs.")
        }
        return provider
    }

    /// As much of a page as fits into a message (T4).
    static func fit(_ page: ItemPage, _ token: PageToken) throws -> FileProviderInterface.Children.Reply {
        if let next = page.nextPage, next.utf8.count > ItemPage.maximumTokenLength {
            throw FileProviderError(
                .failed,
                "The provider gave a page token of \(next.utf8.count) bytes; "
                    + "at most \(ItemPage.maximumTokenLength) are possible.")
        }
        var items: [Wire.ProviderItem] = []
        var size = 0
        var position = token.skipped
        while position < page.items.count {
            let item = try Wire.ProviderItem(page.items[position])
            size += item.estimatedSize
            if size > 900_000, !items.isEmpty { break }
            items.append(item)
            position += 1
        }
        let next: PageToken? =
            if position < page.items.count { PageToken(page: token.page, skipped: position) } else {
                page.nextPage.map { PageToken(page: $0) }
            }
        return .init(items: items, nextPage: next?.text)
    }
}
