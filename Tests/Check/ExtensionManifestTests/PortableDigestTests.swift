import Testing

@testable import ExtensionManifest

@Suite struct PortableDigestTests {
    @Test(
        "S3: the digest agrees with FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                    + "mnopqrstnopqrstu", "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ])
    func vectors(text: String, digest: String) {
        #expect(PortableDigest.hexDigest(of: text.utf8) == digest)
    }

    @Test("S3: a million letters give the digest of the standard")
    func million() {
        let digest = PortableDigest.hexDigest(of: repeatElement(UInt8(ascii: "a"), count: 1_000_000))
        #expect(digest == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("S3: content added in pieces gives the same digest", arguments: [1, 55, 56, 63, 64, 65, 128])
    func pieces(size: Int) {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        var hash = PortableDigest()
        for start in stride(from: 0, to: bytes.count, by: size) {
            hash.update(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(hash.hexDigest() == PortableDigest.hexDigest(of: bytes))
    }
}
