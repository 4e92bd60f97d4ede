import DocentInterfaces
import Varlink

extension FileProviderHarness {
    /// TrashItem, ListTrash, RestoreItem, DeleteTrashed.
    func addTrash(to table: inout MethodTable) {
        table.add(Interface.TrashItem.self, changesState: true) { [service, trashed] parameters, _ in
            guard parameters.identifier != ItemIdentifier.rootContainer.rawValue else {
                throw FileProviderError(.deletionRejected, "The top folder cannot be deleted.")
            }
            let provider = try await service.provider(parameters.domain)
            let operation = ChangeOperation(identifier: parameters.operation)
            return Reply(
                try await trashed.run(operation) { _ in
                    let name = try await provider.trashItem(
                        ItemIdentifier(parameters.identifier),
                        baseVersion: parameters.baseVersion.map(ItemVersion.init(content:)), operation: operation)
                    return .init(trashed: name)
                })
        }
        table.add(Interface.ListTrash.self) { [service] parameters, _ in
            let provider = try await service.provider(parameters.domain)
            let token = try PageToken(parameters.page)
            return Reply(try Self.fit(try await provider.trashedItems(page: token.page), token))
        }
        table.add(Interface.RestoreItem.self, changesState: true) { [service, restored] parameters, _ in
            if let name = parameters.name { try Self.check(name: name) }
            let provider = try await service.provider(parameters.domain)
            let operation = ChangeOperation(identifier: parameters.operation)
            return Reply(
                try await restored.run(operation) { _ in
                    let item = try await provider.restoreItem(
                        parameters.trashed, to: parameters.parent.map { ItemIdentifier($0) }, named: parameters.name,
                        operation: operation)
                    return .init(item: try Wire.ProviderItem(item))
                })
        }
        table.add(Interface.DeleteTrashed.self, changesState: true) { [service] parameters, _ in
            try await service.provider(parameters.domain).deleteTrashedItem(parameters.trashed)
            return Reply(.init())
        }
    }

    /// As much of a page of the trash as fits into a message.
    private static func fit(_ page: TrashPage, _ token: PageToken) throws -> Interface.ListTrash.Reply {
        try check(token: page.nextPage)
        var items: [Wire.TrashedItem] = []
        var size = 0
        var position = token.skipped
        while position < page.items.count {
            let item = try Wire.TrashedItem(page.items[position])
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
