import DocentInterfaces
import UniformTypes
import Varlink

extension FileProviderHarness {
    /// Create, Modify, Move, Delete.
    func addChanges(to table: inout MethodTable) {
        addCreate(to: &table)
        addModify(to: &table)
        table.add(Interface.Move.self, changesState: true) { [service, moved] parameters, _ in
            guard parameters.identifier != ItemIdentifier.rootContainer.rawValue else {
                throw FileProviderError(.invalidArgument, "The top folder cannot be moved.")
            }
            try Self.check(name: parameters.name)
            let provider = try await service.provider(parameters.domain)
            let operation = ChangeOperation(identifier: parameters.operation)
            return Reply(
                try await moved.run(operation) { _ in
                    let item = try await provider.moveItem(
                        ItemIdentifier(parameters.identifier),
                        baseVersion: parameters.baseVersion.map(ItemVersion.init(content:)),
                        to: ItemIdentifier(parameters.parent), named: parameters.name, operation: operation)
                    return .init(item: try Wire.ProviderItem(item))
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

    /// Refuses names that no file can have, for every provider: every item that is shown must be able to exist in a
    /// folder.
    ///
    /// - Throws: ``FileProviderError`` with `invalidArgument`.
    static func check(name: String) throws(FileProviderError) {
        guard LocalName(name) == nil else { return }
        throw FileProviderError(
            .invalidArgument,
            "\"\(name.prefix(80))\" cannot be the name of an item: a name has 1 to \(LocalName.maximumLength) bytes, "
                + "neither a slash nor a NUL, and is neither \".\" nor \"..\".")
    }

    private func addCreate(to table: inout MethodTable) {
        table.addStream(Interface.Create.self, requiresMore: false) { [service, created] parameters, call, sink in
            let provider = try await service.provider(parameters.domain)
            let contents = try parameters.content.map {
                try ContentReader(
                    owning: call.descriptor($0).release(), size: parameters.size,
                    metadata: ItemMetadata(
                        parameters.metadata, thumbnail: parameters.thumbnail, call.descriptors))
            }
            try Self.check(name: parameters.name)
            guard parameters.isFolder == (contents == nil) else {
                throw FileProviderError(.invalidArgument, "A document has content, a folder has none.")
            }
            let template = ItemTemplate(
                parent: ItemIdentifier(parameters.parent), filename: parameters.name, isFolder: parameters.isFolder,
                contentType: parameters.contentType.flatMap { UniformType($0) })
            let operation = ChangeOperation(identifier: parameters.operation, digest: parameters.digest)
            let progress = TransferProgress.sending(to: sink, call) { .init(completedBytes: $0, totalBytes: $1) }
            return Reply(
                try await created.run(operation, progress: progress) { progress in
                    let item = try await provider.createItem(
                        basedOn: template, contents: contents, operation: operation, progress: progress)
                    return .init(item: try Wire.ProviderItem(item))
                })
        }
    }

    private func addModify(to table: inout MethodTable) {
        table.addStream(Interface.Modify.self, requiresMore: false) { [service, modified] parameters, call, sink in
            let provider = try await service.provider(parameters.domain)
            let contents = try ContentReader(
                owning: call.descriptor(parameters.content).release(), size: parameters.size,
                metadata: ItemMetadata(parameters.metadata, thumbnail: parameters.thumbnail, call.descriptors))
            let operation = ChangeOperation(identifier: parameters.operation, digest: parameters.digest)
            let progress = TransferProgress.sending(to: sink, call) { .init(completedBytes: $0, totalBytes: $1) }
            return Reply(
                try await modified.run(operation, progress: progress) { progress in
                    let result = try await provider.modifyItem(
                        ItemIdentifier(parameters.identifier),
                        baseVersion: parameters.baseVersion.map(ItemVersion.init(content:)), contents: contents,
                        operation: operation, progress: progress)
                    return .init(item: try Wire.ProviderItem(result.item), conflict: result.conflict?.rawValue)
                })
        }
    }
}
