import FileProvider
import Foundation
import HTTPTransport
import Testing

@testable import WebDAV

@Suite struct StatedDigestTests {
    private static let sha256 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    private static let md5 = "kAFQmDzST7DWlj99KOF/cg=="

    @Test(
        "HAZARDS 21: a stated digest is read from any of its fields",
        arguments: [
            (200, ["content-md5": md5], StatedDigest.Algorithm.md5),
            (200, ["digest": "MD5=\(md5)"], .md5),
            (206, ["digest": "md5=\(md5), SHA-256=\(sha256)"], .sha256),
            (206, ["repr-digest": "sha-256=:\(sha256):, unixsum=:AAA=:"], .sha256),
            (
                200,
                [
                    "oc-checksum":
                        "MD5:900150983cd24fb0d6963f7d28e17f72 SHA256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
                ],
                .sha256
            ),
        ])
    func stated(status: Int, headers: [String: String], algorithm: StatedDigest.Algorithm) throws {
        var reply = HTTPReply(status: status)
        reply.headers = headers
        let stated = try #require(StatedDigest.stated(by: reply))
        #expect(stated.algorithm == algorithm)
        var computation = DigestComputation(algorithm)
        Array("abc".utf8).withUnsafeBytes { computation.add($0) }
        #expect(computation.finish() == stated)
    }

    @Test(
        "HAZARDS 21: a text that is no digest of the whole content is ignored",
        arguments: [
            (206, ["content-md5": md5]), (200, ["content-md5": "not base64"]), (200, ["content-md5": "AAAA"]),
            (200, ["digest": "crc32=AAAA"]), (200, ["oc-checksum": "SHA256:xyz"]), (200, ["oc-checksum": "SHA256:abc"]),
            (200, [:]),
        ])
    func unstated(status: Int, headers: [String: String]) {
        var reply = HTTPReply(status: status)
        reply.headers = headers
        #expect(StatedDigest.stated(by: reply) == nil)
    }
}
