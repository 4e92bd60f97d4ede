import FoundationEssentials
import HTTPTransport

/// A digest of a document's whole content, which a server states in the head of a reply.
///
/// Supports `Repr-Digest` (RFC 9530), `Digest` (RFC 3230), `OC-Checksum` (ownCloud, Nextcloud) and `Content-MD5` (RFC
/// 2616: Apache with `ContentDigest On`). The strongest one is used.
struct StatedDigest: Sendable, Equatable {
    /// The algorithm, weakest first.
    enum Algorithm: Int, Sendable, CaseIterable {
        case md5
        case sha1
        case sha256

        /// The number of bytes in a digest.
        var size: Int {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            }
        }

        init?(name: some StringProtocol) {
            switch name.lowercased() {
            case "md5": self = .md5
            case "sha", "sha1", "sha-1": self = .sha1
            case "sha256", "sha-256": self = .sha256
            default: return nil
            }
        }
    }

    let algorithm: Algorithm
    /// The digest itself, ``Algorithm/size`` bytes.
    let bytes: [UInt8]

    /// Makes a digest; nil if the number of bytes is wrong.
    init?(_ algorithm: Algorithm, _ bytes: [UInt8]) {
        guard bytes.count == algorithm.size else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// The digest of the whole content in a reply; nil if there is none that is supported.
    static func stated(by reply: HTTPReply) -> StatedDigest? {
        var found: [StatedDigest] = []
        // algorithm=value, algorithm=:value:
        for field in ["repr-digest", "digest"] {
            for part in (reply[field] ?? "").split(separator: ",") {
                let pair = part.trimmed.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, let algorithm = Algorithm(name: pair[0].trimmed) else { continue }
                let text = pair[1].trimmed.prefix { $0 != ";" }.filter { $0 != ":" }
                found += [base64(text).flatMap { StatedDigest(algorithm, $0) }].compactMap { $0 }
            }
        }
        for part in (reply["oc-checksum"] ?? "").split(whereSeparator: { $0 == " " || $0 == "," }) {
            let pair = part.split(separator: ":", maxSplits: 1)
            guard pair.count == 2, let algorithm = Algorithm(name: pair[0]) else { continue }
            found += [hexadecimal(pair[1]).flatMap { StatedDigest(algorithm, $0) }].compactMap { $0 }
        }
        // The digest of the sent body, which is the whole content only in a reply with status 200.
        if reply.status == 200, let text = reply["content-md5"] {
            found += [base64(text).flatMap { StatedDigest(.md5, $0) }].compactMap { $0 }
        }
        return found.max { $0.algorithm.rawValue < $1.algorithm.rawValue }
    }

    private static func base64(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map(Array.init) }

    private static func hexadecimal(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
