import CLinux
import DocentInterfaces
import Varlink

extension FileProviderHarness {
    // The host asks for none that is larger.
    private static let sizes = 1...4_096

    /// Thumbnail.
    func addThumbnails(to table: inout MethodTable) {
        table.add(Interface.Thumbnail.self) { [service] parameters, call in
            let file = try call.descriptor(parameters.destination)
            try Self.requireWritable(file)
            guard Self.sizes.contains(parameters.size) else {
                throw FileProviderError(.invalidArgument, "A picture has between 1 and 4096 pixels a side.")
            }
            let provider = try await service.provider(parameters.domain)
            guard type(of: provider).features.contains(.thumbnails) else {
                throw FileProviderError(.notSupported, "This provider has no pictures of its items.")
            }
            let picture = try await provider.thumbnail(
                of: ItemIdentifier(parameters.identifier), version: parameters.version.map(ItemVersion.init(content:)),
                size: parameters.size)
            guard (1...ItemThumbnail.maximumLength).contains(picture.data.count) else {
                throw FileProviderError(
                    .failed,
                    "The provider gave a picture of \(picture.data.count) bytes; "
                        + "between 1 and \(ItemThumbnail.maximumLength) are possible.")
            }
            let writer = ContentWriter(owning: file.release())
            try writer.write(picture.data)
            return Reply(
                .init(
                    completedBytes: picture.data.count, contentType: picture.contentType,
                    version: picture.version?.content))
        }
    }
}
