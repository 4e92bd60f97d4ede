package import DriveStore

/// A place in an object store that speaks S3: `s3://BUCKET/PREFIX` at an endpoint.
package struct S3Location: Hashable, Sendable {
    /// Where the requests go, such as `https://s3.eu-central-1.amazonaws.com`; without a slash at its end.
    package let endpoint: String
    package let bucket: String
    /// What all names begin with; empty, or with a slash at its end.
    package let prefix: String
    package let region: String

    /// Reads an address.
    ///
    /// - Parameters:
    ///   - endpoint: The server; Amazon's of the region if it is nil.
    ///   - region: The region that is signed for; many servers accept any.
    /// - Throws: ``DriveError/invalid(_:)``.
    package init(_ address: String, endpoint: String?, region: String = "us-east-1") throws(DriveError) {
        guard address.hasPrefix("s3://") else { throw .invalid("The address does not begin with s3://.") }
        let parts = address.dropFirst(5).split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard let bucket = parts.first, (3...63).contains(bucket.utf8.count), bucket.utf8.allSatisfy(Self.isPlain)
        else {
            throw .invalid("The address names no bucket.")
        }
        guard !parts.contains(where: { $0 == "." || $0 == ".." }) else {
            throw .invalid("A part of the address is . or .., which some servers refuse.")
        }
        guard !region.isEmpty, region.utf8.allSatisfy(Self.isPlain) else { throw .invalid("The region is not one.") }
        var server = endpoint ?? "https://s3.\(region).amazonaws.com"
        while server.hasSuffix("/") { server.removeLast() }
        guard server.hasPrefix("https://") || server.hasPrefix("http://"),
            let host = server.split(separator: "/").dropFirst().first, server.split(separator: "/").count == 2,
            host.utf8.allSatisfy({ Self.isPlain($0) || $0 == 58 || $0 == 91 || $0 == 93 })
        else { throw .invalid("The endpoint is not of the form https://HOST or https://HOST:PORT.") }
        self.endpoint = server
        self.bucket = bucket
        prefix = parts.dropFirst().map { $0 + "/" }.joined()
        self.region = region
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 46
            || byte == 95
    }

    /// The host and port as the header `Host` has them.
    var host: String {
        let host = String(endpoint.split(separator: "/").dropFirst().first ?? "")
        let usual = endpoint.hasPrefix("https://") ? ":443" : ":80"
        return host.hasSuffix(usual) ? String(host.dropLast(usual.count)) : host
    }

    /// The path of an object, encoded as S3 signs it.
    func path(_ name: String) -> String { "/" + S3Encoding.encode(bucket + "/" + prefix + name, keepsSlash: true) }
}
