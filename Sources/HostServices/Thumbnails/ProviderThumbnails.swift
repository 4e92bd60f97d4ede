import DocentInterfaces
import ExtensionHosting
import HostCore
import RemoteDocuments
import Rights
import Storage
import Varlink

/// Asks providers for pictures of their documents. What they answer is checked like anything from outside.
struct ProviderThumbnails: Sendable {
    /// A picture as its provider sent it.
    enum Received: Sendable {
        /// A PNG of at most the largest size.
        case picture(PNGPicture)
        /// A JPEG, or a PNG that is too large: to be drawn again.
        case raw([UInt8], type: String)
    }

    // A provider that has not answered by then does not have it at hand.
    private static let patience = Duration.seconds(20)
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]

    private let access: ProviderAccess
    // A provider has other things to do: documents that a person waits for.
    private let gate = RangeGate(limit: 4)
    private let clock: any HostClock

    init(access: ProviderAccess, clock: any HostClock) { (self.access, self.clock) = (access, clock) }

    /// The picture of a document in this version.
    ///
    /// - Returns: nil if the provider has no pictures at all.
    /// - Throws: ``Failure``: `NotSupported` if it has none of this document; `ProviderFailed` for what is no picture;
    ///   `Conflict` if it is of another version.
    func picture(of key: ItemKey, version: String?, size: ThumbnailSize) async throws -> Received? {
        guard try await access.features(key.provider).contains("thumbnails") else { return nil }
        return try await gate.pass(key.provider) {
            let file = try BoundedMemoryFile(size: PNGPicture.mostBytes)
            let reply = try await inTime(key.provider) {
                try await access.call(
                    FileProviderInterface.Thumbnail.self,
                    .init(
                        domain: key.domain, identifier: key.identifier, version: version, size: size.pixels,
                        destination: 0),
                    provider: key.provider, domain: key.domain,
                    descriptors: { DescriptorList(try OwnedDescriptor(duplicating: file.descriptor)) })
            }
            if let version, let shown = reply.version, !shown.utf8.elementsEqual(version.utf8) {
                throw Failure(
                    .conflict, "The provider has a picture of another version.", suggestion: "Try again.",
                    provider: key.provider)
            }
            return try Self.received(reply, file, key.provider)
        }
    }

    private static func received(
        _ reply: FileProviderInterface.Thumbnail.Reply, _ file: BoundedMemoryFile, _ provider: String
    ) throws -> Received {
        guard (1...PNGPicture.mostBytes).contains(reply.completedBytes) else {
            throw refusal("\(reply.completedBytes) bytes", provider)
        }
        let bytes = Array(try file.bytes().prefix(reply.completedBytes))
        if let picture = PNGPicture(bytes, most: ThumbnailSize.doubleExtraLarge.pixels) { return .picture(picture) }
        if bytes.starts(with: PNGPicture.signature) { return .raw(bytes, type: "image/png") }
        if bytes.starts(with: jpeg) { return .raw(bytes, type: "image/jpeg") }
        throw refusal("something that is no PNG and no JPEG", provider)
    }

    private static func refusal(_ what: String, _ provider: String) -> Failure {
        Failure(
            .providerFailed, "The picture was refused: the provider delivered \(what).",
            suggestion: "Report this to the authors of \(provider).", provider: provider)
    }

    // Cancelling the call ends it at the provider too.
    private func inTime<Value: Sendable>(
        _ provider: String, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask { [clock] in
                try await clock.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let value = first else {
                throw Failure(
                    .deadlineExceeded, "The provider has not sent a picture in time.", suggestion: "Try again later.",
                    provider: provider)
            }
            return value
        }
    }
}
