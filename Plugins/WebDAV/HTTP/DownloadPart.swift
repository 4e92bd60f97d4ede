import FileProvider
import HTTPTransport

/// The request for the rest of an interrupted download, and the check of its reply.
struct DownloadPart: Sendable {
    /// The number of bytes that are present.
    let offset: Int
    /// How many of these bytes are requested again and compared. Needed when only date and size identify the content.
    let overlap: Int
    /// The header fields `Range` and `If-Range`.
    let headers: [(name: String, value: String)]
    private let version: ItemVersion
    private let size: Int?
    private let modified: Double?

    private static let mostOverlap = 64 << 10

    /// - Parameters:
    ///   - start: How far the download came, and the version of its content.
    ///   - entry: The document on the server now, which has that version.
    /// - Returns: nil if nothing proves that the parts belong together.
    init?(_ start: ResumePoint, of entry: RemoteEntry) {
        let tag = EntityTag(start.version)
        let isStrong = tag != nil && EntityTag(entry.entityTag)?.isWeak == false
        let condition: String
        if let tag, isStrong {
            condition = tag.quoted
        } else {
            // If-Range does not accept a weak tag. The only alternative is the date.
            guard let date = entry.modified, entry.size != nil else { return nil }
            condition = HTTPDate.text(date)
        }
        offset = start.offset
        overlap = isStrong ? 0 : min(start.offset, Self.mostOverlap)
        headers = [("Range", "bytes=\(offset - overlap)-"), ("If-Range", condition)]
        version = start.version
        size = entry.size
        modified = entry.modified
    }

    /// Whether a reply contains the requested part of the same content.
    func isAnswered(by reply: HTTPReply) -> Bool {
        guard let range = reply.contentRange, range.first == offset - overlap else { return false }
        if EntityTag(version) != nil { return EntityTag(reply["etag"])?.version == version }
        guard let size, range.total == size else { return false }
        return reply["last-modified"].flatMap(HTTPDate.seconds).map { $0 == modified } ?? true
    }
}
