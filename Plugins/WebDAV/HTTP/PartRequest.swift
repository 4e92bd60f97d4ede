import FileProvider
import FoundationEssentials
import HTTPTransport

/// The request for a part of a document of one version, and the check of its reply. Pure.
struct PartRequest: Sendable {
    /// Why nothing of a reply is used.
    enum Refusal: Error, Hashable {
        /// The server sends the whole document instead of the part.
        case whole
        /// The server sends another part than the requested one.
        case wrongPart
        /// The server sends the content encoded, which was not requested.
        case encoded
        /// The reply is of another version.
        case otherVersion
        /// The reply has nothing that shows its version.
        case unproven
        /// The version is so young that it may stand for two contents.
        case young
    }

    /// What a reply contains.
    struct Part: Hashable {
        /// How many bytes of the document follow.
        var count: Int
        /// The size of the whole document, if the server says it.
        var total: Int?
    }

    /// The requested bytes, at least one.
    let range: Range<Int>
    let version: ItemVersion
    /// The header fields `Range` and, if the version can be a condition, `If-Match`.
    let headers: [(name: String, value: String)]
    private let entry: RemoteEntry?

    /// - Parameters:
    ///   - entry: The document as the server described it a moment ago, with that version; nil if it was not asked.
    ///   - isConditional: Whether the server is asked to refuse another version. The reply is checked in any case.
    init(_ range: Range<Int>, of version: ItemVersion, at entry: RemoteEntry? = nil, isConditional: Bool) {
        self.range = range
        self.version = version
        self.entry = entry
        var headers = [(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
        // If-Match never matches a weak tag. If-Range would make the server send the whole document instead.
        if isConditional, let tag = EntityTag(version), EntityTag(entry?.entityTag)?.isWeak != true {
            headers.append(("If-Match", tag.quoted))
        }
        self.headers = headers
    }

    /// Whether a version has one of the forms that ``RemoteEntry/version`` makes, so that a reply can show it.
    static func isShowable(_ version: ItemVersion) -> Bool {
        EntityTag(version) != nil || version.content.hasPrefix("h:") || dateAndSize(version) != nil
    }

    /// What a reply with the status 200 or 206 contains.
    ///
    /// - Parameter now: Our time in seconds since 1970, for a server that does not say its own.
    /// - Throws: Why it is refused.
    func part(in reply: HTTPReply, now: Double = Date.now.timeIntervalSince1970) throws(Refusal) -> Part {
        if let encoding = reply["content-encoding"], encoding.lowercased() != "identity" { throw .encoded }
        let part = reply.status == 206 ? try partial(reply) : try whole(reply)
        try prove(reply, part.total)
        guard entry == nil else { return part }
        // As for a whole download: date and tag in whole seconds are only trusted after some time.
        var described = RemoteEntry(path: .root)
        described.size = part.total
        described.modified = reply["last-modified"].flatMap(HTTPDate.seconds)
        described.entityTag = reply["etag"]
        described.observed = reply["date"].flatMap(HTTPDate.seconds) ?? now
        guard described.settling(Settling.ageToRead) == 0 else { throw .young }
        return part
    }

    private func partial(_ reply: HTTPReply) throws(Refusal) -> Part {
        guard let found = reply.contentRange, let last = found.last, found.first == range.lowerBound,
            last >= found.first
        else { throw .wrongPart }
        if let total = found.total, let size = entry?.size, total != size { throw .otherVersion }
        let total = found.total ?? entry?.size
        let end = total.map { min($0, range.upperBound) } ?? range.upperBound
        guard last == end - 1, reply.contentLength.map({ $0 == end - range.lowerBound }) ?? true else {
            throw .wrongPart
        }
        return Part(count: end - range.lowerBound, total: total)
    }

    // A server that sends whole documents is no hindrance if the whole was wanted.
    private func whole(_ reply: HTTPReply) throws(Refusal) -> Part {
        guard reply.status == 200, range.lowerBound == 0, let size = reply.contentLength, size <= range.count else {
            throw .whole
        }
        if let known = entry?.size, known != size { throw .otherVersion }
        return Part(count: size, total: size)
    }

    private func prove(_ reply: HTTPReply, _ total: Int?) throws(Refusal) {
        let modified = reply["last-modified"].flatMap(HTTPDate.seconds)
        if let parts = Self.dateAndSize(version) {
            if let modified, let total {
                guard Int64(modified) == parts.date, parts.size.map({ $0 == total }) ?? true else {
                    throw .otherVersion
                }
                return
            }
        } else if let tag = EntityTag(reply["etag"]) {
            guard tag.version == version else { throw .otherVersion }
            return
        }
        // The description is of the requested version, so the reply has to agree with it.
        guard let entry else { throw .unproven }
        guard entry.size == nil || entry.size == total, modified == nil || modified == entry.modified else {
            throw .otherVersion
        }
    }

    /// The parts of a version that was made of date and size; nil for another one.
    private static func dateAndSize(_ version: ItemVersion) -> (date: Int64, size: Int?)? {
        let parts = version.content.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "m", let date = Int64(parts[1]) else { return nil }
        return (date, Int(parts[2]))
    }
}
