import DocentInterfaces
import Varlink

extension FileProviderHarness {
    /// ListVersions, FetchVersion, RestoreVersion.
    func addVersions(to table: inout MethodTable) {
        table.add(Interface.ListVersions.self) { [service] parameters, _ in
            let provider = try await service.provider(parameters.domain)
            let token = try PageToken(parameters.page)
            let page = try await provider.versions(of: ItemIdentifier(parameters.identifier), page: token.page)
            return Reply(try Self.fit(page, token))
        }
        table.addStream(Interface.FetchVersion.self, requiresMore: false) { [service] parameters, call, sink in
            let file = try call.descriptor(parameters.destination)
            try Self.requireWritable(file)
            let provider = try await service.provider(parameters.domain)
            let writer = ContentWriter(owning: file.release())
            try await provider.fetchVersion(
                parameters.version, of: ItemIdentifier(parameters.identifier), into: writer,
                progress: .sending(to: sink, call) { .init(completedBytes: $0, totalBytes: $1) })
            return Reply(.init(completedBytes: writer.bytesWritten, totalBytes: writer.bytesWritten))
        }
        table.add(Interface.RestoreVersion.self, changesState: true) { [service, reverted] parameters, _ in
            let provider = try await service.provider(parameters.domain)
            let operation = ChangeOperation(identifier: parameters.operation)
            return Reply(
                try await reverted.run(operation) { _ in
                    let item = try await provider.restoreVersion(
                        parameters.version, of: ItemIdentifier(parameters.identifier),
                        baseVersion: parameters.baseVersion.map(ItemVersion.init(content:)), operation: operation)
                    return .init(item: try Wire.ProviderItem(item))
                })
        }
    }

    /// As much of a page of versions as fits into a message.
    private static func fit(
        _ page: EarlierVersionPage, _ token: PageToken
    ) throws -> Interface.ListVersions.Reply {
        try check(token: page.nextPage)
        var versions: [Wire.EarlierVersion] = []
        var size = 0
        var position = token.skipped
        while position < page.versions.count {
            let version = try Wire.EarlierVersion(page.versions[position])
            size += version.estimatedSize
            if size > mostBytesOfPage, !versions.isEmpty { break }
            versions.append(version)
            position += 1
        }
        let next: PageToken? =
            if position < page.versions.count { PageToken(page: token.page, skipped: position) } else {
                page.nextPage.map { PageToken(page: $0) }
            }
        return .init(versions: versions, nextPage: next?.text)
    }
}
