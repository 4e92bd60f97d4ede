import CLinux
import DocentInterfaces
import Varlink

/// A picture of a document.
public struct DocumentThumbnail: Sendable, Hashable {
    /// Where a picture is from.
    public enum Source: String, Sendable {
        /// An earlier picture of the same version.
        case cache
        /// The document's provider.
        case provider
        /// Drawn on this machine, from content that is here.
        case local
    }

    /// A PNG.
    public let data: [UInt8]
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// Where it is from.
    public let source: Source
    /// The version of the document that it shows; nil if its provider has no versions.
    public let version: String?
    /// The path of the file that keeps it, for a program that is not confined; nil if it is not kept.
    public let path: String?
}

/// The answer for one document of many.
public struct DocumentThumbnailResult: Sendable {
    /// The document.
    public let reference: DocumentReference
    /// Its picture, or why there is none.
    public let result: Result<DocumentThumbnail, DocumentsError>
}

extension DocumentsClient {
    // The daemon sends at most 4 MiB, and its texts in them.
    private static let mostBytes = 5 << 20

    /// A picture of a document, whose content is not downloaded for it: one that was had before of the same version,
    /// else one of its provider, else one that is drawn here if the content is on this machine. An unconfined program
    /// needs no right to the document.
    ///
    /// At most eight calls of a client run side by side; the others wait for their turn. Cancelling the task ends its
    /// call or its wait, for a picture that was scrolled away.
    ///
    /// - Parameters:
    ///   - reference: the document.
    ///   - size: how many pixels the longer side is to have, 1 to 1024. The picture may be smaller, and larger where
    ///     only a larger one is known: scale it.
    /// - Throws: ``DocumentsError``: `notSupported` if there is no picture of it; `notPermitted`, `unavailable` as any
    ///   call; `cancelled`.
    public func thumbnail(
        of reference: DocumentReference, size: Int = 256
    ) async throws(DocumentsError) -> DocumentThumbnail {
        guard await thumbnailGate.enter() else { throw DocumentsError(.cancelled, "The call was cancelled.") }
        defer { thumbnailGate.leave() }
        let reply = try await call(
            DocumentsInterface.Thumbnail.self, .init(reference: reference.wire, size: size))
        let value = reply.value
        do {
            let file = try reply.descriptors.take(value.file)
            return DocumentThumbnail(
                data: try Self.bytes(of: file.raw), width: value.width, height: value.height,
                source: DocumentThumbnail.Source(rawValue: value.source) ?? .cache, version: value.version,
                path: value.path)
        } catch { throw (error as? DocumentsError) ?? DocumentsError(Failure.from(error)) }
    }

    /// Pictures of many documents, each as soon as it is there, in any order. Ending the loop, or cancelling its task,
    /// cancels those that are still to come.
    ///
    /// - Parameters:
    ///   - references: the documents, the most urgent first.
    ///   - size: as for ``thumbnail(of:size:)``.
    public func thumbnails(
        of references: [DocumentReference], size: Int = 256
    ) -> AsyncStream<DocumentThumbnailResult> {
        let (stream, continuation) = AsyncStream.makeStream(of: DocumentThumbnailResult.self)
        let work = Task {
            await withTaskGroup(of: Void.self) { group in
                var next = references.makeIterator()
                func add() {
                    guard !Task.isCancelled, let reference = next.next() else { return }
                    group.addTask { [self] in
                        do throws(DocumentsError) {
                            let picture = try await thumbnail(of: reference, size: size)
                            continuation.yield(.init(reference: reference, result: .success(picture)))
                        } catch {
                            continuation.yield(.init(reference: reference, result: .failure(error)))
                        }
                    }
                }
                for _ in 0..<Self.mostThumbnails { add() }
                while await group.next() != nil { add() }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }

    // The descriptor is of a file in memory: reading it does not block.
    private static func bytes(of descriptor: CInt) throws(DocumentsError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= mostBytes {
            let count = clinux_pread(descriptor, &buffer, buffer.count, Int64(bytes.count))
            guard count >= 0 else { throw DocumentsError(.failed, "The picture cannot be read (\(-count)).") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        throw DocumentsError(.failed, "The daemon's picture is too large.")
    }
}
