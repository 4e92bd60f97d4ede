import CLinux
import DocentInterfaces
import Varlink

extension FileProviderHarness {
    // The largest number that every implementation of JSON has exactly.
    private static let mostBytes = 1 << 53

    /// FetchRange.
    func addRanges(to table: inout MethodTable) {
        table.addStream(Interface.FetchRange.self, requiresMore: false) { [service] parameters, call, sink in
            let file = try call.descriptor(parameters.destination)
            try Self.requireWritable(file)
            let provider = try await service.provider(parameters.domain)
            guard type(of: provider).features.contains(.ranges) else {
                throw FileProviderError(.notSupported, "This provider does not fetch content in parts.")
            }
            let range = try Self.range(parameters)
            let writer = PartialContentWriter(owning: file.release(), range: range)
            return Reply(
                try await withTaskCancellationHandler {
                    try await Self.fetch(
                        parameters, from: provider, writer,
                        RangeReports(writer, to: sink, isWanted: call.wantsMore))
                } onCancel: {
                    writer.stop()
                })
        }
    }

    private static func fetch(
        _ parameters: Interface.FetchRange.Parameters, from provider: any ReplicatedFileProvider,
        _ writer: PartialContentWriter, _ reports: RangeReports
    ) async throws -> Interface.FetchRange.Reply {
        let version = ItemVersion(content: parameters.version)
        let part: PartialContent
        do {
            part = try await reports.during {
                try await provider.fetchPartialContents(
                    of: ItemIdentifier(parameters.identifier), version: version, range: writer.range, into: writer,
                    progress: reports.progress)
            }
        } catch {
            guard writer.isUnwanted else { throw error }
            // The host has what it needs. The provider did not confirm the version in the end.
            return .init(version: nil, completedBytes: writer.bytesWritten, totalBytes: reports.total)
        }
        guard part.version == version else {
            throw FileProviderError(
                .versionOutOfDate, "The item has another version than the one of which a part was asked for.")
        }
        let end = writer.range.lowerBound + writer.bytesWritten
        if let total = part.totalBytes, writer.bytesLeft > 0, !writer.isUnwanted, end < total {
            throw FileProviderError(
                .failed,
                "The provider wrote \(writer.bytesWritten) of \(writer.range.count) bytes, though the content goes on.")
        }
        return .init(version: part.version.content, completedBytes: writer.bytesWritten, totalBytes: part.totalBytes)
    }

    private static func range(_ parameters: Interface.FetchRange.Parameters) throws -> Range<Int> {
        guard (0...mostBytes).contains(parameters.offset), (1...mostBytes).contains(parameters.length) else {
            throw FileProviderError(
                .invalidArgument, "A part has at least one byte and does not begin before the content.")
        }
        guard (1...ItemVersion.maximumLength).contains(parameters.version.utf8.count) else {
            throw FileProviderError(.invalidArgument, "A part can only be fetched of a certain version.")
        }
        return parameters.offset..<parameters.offset + parameters.length
    }
}
