import DriveStore
import Glibc

/// Signature version 4 of S3. libcurl's own fails for many names (TRIED, second slice).
package struct S3Signature: Sendable {
    private let location: S3Location
    private let credential: S3Credential

    package init(_ location: S3Location, _ credential: S3Credential) {
        self.location = location
        self.credential = credential
    }

    /// The header fields that sign a request.
    ///
    /// - Parameters:
    ///   - path: The encoded path.
    ///   - query: The parameters by name, not encoded.
    ///   - body: The content.
    ///   - time: The time in seconds since 1970.
    package func headers(
        _ method: String, path: String, query: [(name: String, value: String)], body: [UInt8], time: Int
    ) -> [(name: String, value: String)] {
        let stamp = Self.stamp(time)
        let day = String(stamp.prefix(8))
        let digest = Hexadecimal.text(Sodium.sha256(body))
        let names = "host;x-amz-content-sha256;x-amz-date"
        let canonical = [
            method, path, Self.canonical(query), "host:\(location.host)", "x-amz-content-sha256:\(digest)",
            "x-amz-date:\(stamp)", "", names, digest,
        ].joined(separator: "\n")
        let scope = "\(day)/\(location.region)/s3/aws4_request"
        let text = "AWS4-HMAC-SHA256\n\(stamp)\n\(scope)\n\(Hexadecimal.text(Sodium.sha256(Array(canonical.utf8))))"
        var key = Array("AWS4\(credential.secretKey)".utf8)
        for part in [day, location.region, "s3", "aws4_request", text] {
            key = Sodium.authenticate(Array(part.utf8), key: key)
        }
        return [
            ("Host", location.host), ("x-amz-content-sha256", digest), ("x-amz-date", stamp),
            (
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=\(credential.accessKey)/\(scope), SignedHeaders=\(names), "
                    + "Signature=\(Hexadecimal.text(key))"
            ),
        ]
    }

    /// The parameters in the order and form that are signed and sent.
    static func canonical(_ query: [(name: String, value: String)]) -> String {
        query.map { (S3Encoding.encode($0.name), S3Encoding.encode($0.value)) }.sorted { $0 < $1 }
            .map { "\($0)=\($1)" }.joined(separator: "&")
    }

    private static func stamp(_ time: Int) -> String {
        var seconds = time_t(time)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ value: CInt) -> String { value < 10 ? "0\(value)" : String(value) }
        return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))T"
            + "\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
    }
}
