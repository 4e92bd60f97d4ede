import DocentInterfaces
import HostCore
import HostServices
import Rights
import Varlink

/// `org.docent.Documents.Thumbnail` on the wire.
enum ThumbnailHarness {
    static func add(to table: inout MethodTable, sessions: SessionRegistry, thumbnails: ThumbnailService) {
        table.call(DocumentsInterface.Thumbnail.self) { parameters, call in
            let session = try sessions.session(call.connection)
            let picture = try await thumbnails.thumbnail(session, parameters.reference, size: parameters.size)
            return Reply(
                .init(
                    file: 0, width: picture.width, height: picture.height, source: picture.source.rawValue,
                    version: picture.version, path: session.principal.isConfined ? nil : picture.path),
                descriptors: try DescriptorList(picture.file))
        }
    }
}
