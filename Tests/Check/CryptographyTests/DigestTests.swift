import Cryptography
import Testing

/// Digests as the standards define them.
@Suite struct DigestTests {
    @Test(
        "W2: SHA-256 agrees with FIPS 180-4, in whatever pieces the bytes arrive",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func digest(_ text: String, _ expected: String) {
        let bytes = Array(text.utf8)
        #expect(SHA256.digest(of: bytes).description == expected)
        var pieces = SHA256()
        var rest = bytes[...]
        var size = 1
        while !rest.isEmpty {
            Array(rest.prefix(size)).withUnsafeBytes { pieces.update($0) }
            rest = rest.dropFirst(size)
            size = size % 200 + 1
        }
        #expect(pieces.finish().description == expected)
    }

    @Test("digests that servers state agree with RFC 1321 and FIPS 180-4, in pieces")
    func running() {
        let expected: [(RunningDigest.Algorithm, String)] = [
            (.md5, "900150983cd24fb0d6963f7d28e17f72"), (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ]
        for (algorithm, text) in expected {
            var digest = RunningDigest(algorithm)
            for byte in "abc".utf8 { withUnsafeBytes(of: byte) { digest.update($0) } }
            let hex = digest.finish().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(hex == text)
        }
    }
}
