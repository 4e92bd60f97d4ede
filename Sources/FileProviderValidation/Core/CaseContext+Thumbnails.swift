package import DocentInterfaces
import Varlink

/// Pictures of items.
extension CaseContext {
    /// What a provider answered to `Thumbnail`: its reply, and what it wrote.
    package struct Picture: Sendable {
        /// The reply.
        package let reply: FileProviderInterface.Thumbnail.Reply
        /// The content of the destination afterwards, at most one byte more than a picture may have.
        package let bytes: [UInt8]
    }

    /// The most bytes of a picture.
    package static let mostOfPicture = 4 << 20

    /// `Thumbnail` into an unnamed file.
    package func thumbnail(_ identifier: String, version: String?, size: Int) async throws -> Picture {
        let did = "Thumbnail of \(PlainText.quoted(identifier)), \(size) pixels"
        step(did)
        let file = try ContentFile()
        let reply = try await session.call(
            FileProviderInterface.Thumbnail.self,
            .init(domain: domain, identifier: real(identifier), version: version, size: size, destination: 0),
            descriptors: DescriptorList(try file.share()), did: did
        ).value
        return Picture(reply: reply, bytes: file.contents(limit: Self.mostOfPicture + 1))
    }
}
