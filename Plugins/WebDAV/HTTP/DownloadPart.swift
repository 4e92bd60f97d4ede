import FileProvider
import HTTPTransport

/// The rest of a download that was cut, as it is asked for and recognised.
struct DownloadPart: Sendable {
    /// How many bytes are here.
    let offset: Int
    /// How many of these are asked for once more and compared, where only date and size tell one content from another.
    let overlap: Int
    /// `Range` and `If-Range`.
    let headers: [(name: String, value: String)]
    private let version: ItemVersion
    private let size: Int?
    private let modified: Double?

    private static let mostOverlap = 64 << 10

    /// - Parameters:
    ///   - start: How far it came, and of which version.
    ///   - entry: What is there now; of that version.
    /// - Returns: nil where nothing holds the parts together.
    init?(_ start: ResumePoint, of entry: RemoteEntry) {
        let tag = EntityTag(start.version)
        let isStrong = tag != nil && EntityTag(entry.entityTag)?.isWeak == false
        let condition: String
        if let tag, isStrong {
            condition = tag.quoted
        } else {
            // A weak tag is no condition of a part; without one the date is all there is.
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

    /// Whether a reply with a part is that part, of that content.
    func isAnswered(by reply: HTTPReply) -> Bool {
        guard let range = reply.contentRange, range.first == offset - overlap else { return false }
        if EntityTag(version) != nil { return EntityTag(reply["etag"])?.version == version }
        guard let size, range.total == size else { return false }
        return reply["last-modified"].flatMap(HTTPDate.seconds).map { $0 == modified } ?? true
    }
}
