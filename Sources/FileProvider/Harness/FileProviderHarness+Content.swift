import CLinux
import DocentInterfaces
import Varlink

extension FileProviderHarness {
    /// OpenInPlace and Fetch.
    func addContent(to table: inout MethodTable) {
        table.add(Interface.OpenInPlace.self) { [service] parameters, _ in
            let content = try await service.provider(parameters.domain)
                .openInPlace(ItemIdentifier(parameters.identifier))
            let item = try Wire.ProviderItem(content.item)
            return Reply(
                .init(item: item, file: 0), descriptors: DescriptorList(OwnedDescriptor(content.file.release())))
        }
        table.addStream(Interface.Fetch.self, requiresMore: false) { [service] parameters, call, sink in
            let file = try call.descriptor(parameters.destination)
            try Self.requireWritable(file)
            guard parameters.offset.map({ $0 >= 0 }) ?? true else {
                throw FileProviderError(.invalidArgument, "The content cannot begin before its start.")
            }
            let provider = try await service.provider(parameters.domain)
            let writer = ContentWriter(owning: file.release(), resumableBytes: parameters.offset ?? 0)
            let item = try await provider.fetchContents(
                of: ItemIdentifier(parameters.identifier),
                resumingAt: Self.resumePoint(parameters, type(of: provider).features), into: writer,
                progress: .sending(to: sink, call) {
                    .init(completedBytes: $0, totalBytes: $1, offset: writer.beginning)
                })
            try writer.finish(size: item.size)
            return Reply(
                .init(
                    item: try Wire.ProviderItem(item), completedBytes: writer.bytesWritten, totalBytes: item.size,
                    offset: writer.beginning))
        }
    }

    /// Refuses a destination to which nothing can be written.
    static func requireWritable(_ file: borrowing OwnedDescriptor) throws {
        let mode = clinux_get_status_flags(file.raw)
        guard mode >= 0, mode & CLINUX_O_PATH == 0, mode & CLINUX_O_ACCMODE != CLINUX_O_RDONLY else {
            throw FileProviderError(.invalidArgument, "The destination is not open for writing.")
        }
    }

    /// Where a download resumes: only with a version, and only if the provider can resume.
    private static func resumePoint(
        _ parameters: Interface.Fetch.Parameters, _ features: ProviderFeatures
    ) -> ResumePoint? {
        guard features.contains(.resume), let offset = parameters.offset, offset > 0, let version = parameters.version
        else { return nil }
        return ResumePoint(offset: offset, version: ItemVersion(content: version))
    }
}
