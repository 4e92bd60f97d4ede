import DocentInterfaces
import Varlink

/// Decodes the calls of `org.docent.FileProvider`, calls the author's provider, and encodes the answers.
struct FileProviderHarness: Sendable {
    typealias Interface = FileProviderInterface

    let service: FileProviderService
    let created = OperationMemory<Interface.Create.Reply>()
    let modified = OperationMemory<Interface.Modify.Reply>()
    let moved = OperationMemory<Interface.Move.Reply>()
    let trashed = OperationMemory<Interface.TrashItem.Reply>()
    let restored = OperationMemory<Interface.RestoreItem.Reply>()
    let reverted = OperationMemory<Interface.RestoreVersion.Reply>()
    let packages = PackageReplacements()

    /// The methods of the interface.
    func table(_ server: ExtensionServer) -> MethodTable {
        var table = MethodTable(interface: Interface.name, description: Interface.description)
        addLife(server, to: &table)
        addReading(to: &table)
        addUsage(to: &table)
        addActions(to: &table)
        addThumbnails(to: &table)
        addContent(to: &table)
        addRanges(to: &table)
        addChanges(to: &table)
        addTrash(to: &table)
        addVersions(to: &table)
        addPackages(to: &table)
        addAccounts(to: &table)
        addSignIn(to: &table)
        addClassic(to: &table)
        addClaims(to: &table)
        addKeychain(to: &table)
        addObservation(to: &table)
        return table
    }

    private func addLife(_ server: ExtensionServer, to table: inout MethodTable) {
        table.add(Interface.Initialize.self, changesState: true) { [service] parameters, _ in
            let features = try service.initialize(parameters)
            return Reply(.init(sdk: ExtensionServer.sdk, features: features.names))
        }
        table.add(Interface.Connect.self, changesState: true) { [weak server] parameters, call in
            try server?.connect(call.descriptor(parameters.socket))
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
                // A busy writer causes events without end: those close together are sent in one reply.
                try await Task.sleep(for: .milliseconds(20))
            }
            return Reply(.init(kind: "log", domain: "", identifiers: [], message: "Another listener took over."))
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

    private func addUsage(to table: inout MethodTable) {
        table.add(Interface.Usage.self) { [service] parameters, _ in
            let usage = try await service.provider(parameters.domain).usage().validated()
            return Reply(
                .init(
                    totalBytes: usage.totalBytes, usedBytes: usage.usedBytes, availableBytes: usage.availableBytes))
        }
    }

    private func addActions(to table: inout MethodTable) {
        table.add(Interface.Perform.self, changesState: true) { [service] parameters, _ in
            let rows = try await service.provider(parameters.domain)
                .perform(parameters.action, arguments: parameters.arguments)
            return Reply(.init(rows: rows.map(Wire.ActionRow.init(values:))))
        }
    }

    /// How many bytes of items go into one message.
    static let mostBytesOfPage = 900_000

    /// Refuses a token that is too long.
    static func check(token: String?) throws(FileProviderError) {
        guard let token, token.utf8.count > ItemPage.maximumTokenLength else { return }
        throw FileProviderError(
            .failed,
            "The provider gave a page token of \(token.utf8.count) bytes; "
                + "at most \(ItemPage.maximumTokenLength) are possible.")
    }

    /// As much of a page as fits into a message.
    static func fit(_ page: ItemPage, _ token: PageToken) throws -> FileProviderInterface.Children.Reply {
        try check(token: page.nextPage)
        var items: [Wire.ProviderItem] = []
        var size = 0
        var position = token.skipped
        while position < page.items.count {
            let item = try Wire.ProviderItem(page.items[position])
            size += item.estimatedSize
            if size > mostBytesOfPage, !items.isEmpty { break }
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
