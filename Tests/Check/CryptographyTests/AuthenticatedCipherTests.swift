import Cryptography
import Testing

/// AES-256-GCM.
@Suite struct AuthenticatedCipherTests {
    private static func seal(
        _ plain: [UInt8], key: [UInt8], nonce: [UInt8], associated: [UInt8] = [], room: Int? = nil
    ) -> [UInt8]? {
        var sealed = [UInt8](repeating: 0, count: room ?? plain.count + AuthenticatedCipher.overhead)
        let isDone = sealed.withUnsafeMutableBytes { room in
            plain.withUnsafeBytes { plain in
                key.withUnsafeBytes { key in
                    associated.withUnsafeBytes {
                        AuthenticatedCipher.seal(plain, key: key, nonce: nonce, associated: $0, into: room)
                    }
                }
            }
        }
        return isDone ? sealed : nil
    }

    private static func open(_ sealed: [UInt8], key: [UInt8], associated: [UInt8] = []) -> [UInt8]? {
        var plain = [UInt8](repeating: 0, count: max(0, sealed.count - AuthenticatedCipher.overhead))
        let isDone = plain.withUnsafeMutableBytes { room in
            sealed.withUnsafeBytes { sealed in
                key.withUnsafeBytes { key in
                    associated.withUnsafeBytes {
                        AuthenticatedCipher.open(sealed, key: key, associated: $0, into: room)
                    }
                }
            }
        }
        return isDone ? plain : nil
    }

    private static let zeros = [UInt8](repeating: 0, count: 32)

    @Test("a text is encrypted as in the specification's test case 14, and decrypted again")
    func vector() throws {
        let sealed = try #require(
            Self.seal([UInt8](repeating: 0, count: 16), key: Self.zeros, nonce: Array(Self.zeros.prefix(12))))
        let hex = sealed.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(
            hex == String(repeating: "0", count: 24) + "cea7403d4d606b6e074ec5d3baf39d18"
                + "d0d1c8a799996bf0265b98b5d48ab919")
        #expect(Self.open(sealed, key: Self.zeros) == [UInt8](repeating: 0, count: 16))
    }

    @Test("a text that was changed anywhere, or with another key or another purpose, does not decrypt")
    func tampered() throws {
        let key = AuthenticatedCipher.randomBytes(32)
        let plain = Array("a secret".utf8)
        let sealed = try #require(
            Self.seal(plain, key: key, nonce: AuthenticatedCipher.randomBytes(12), associated: [1, 2]))
        #expect(Self.open(sealed, key: key, associated: [1, 2]) == plain)
        #expect(Self.open(sealed, key: key, associated: [1, 3]) == nil)
        #expect(Self.open(sealed, key: AuthenticatedCipher.randomBytes(32), associated: [1, 2]) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(Self.open(changed, key: key, associated: [1, 2]) == nil)
            #expect(Self.open(Array(sealed.prefix(index)), key: key, associated: [1, 2]) == nil)
        }
    }

    @Test("invalid lengths are refused, and no byte is written beyond the buffer")
    func lengths() {
        let nonce = Array(Self.zeros.prefix(12))
        #expect(Self.seal([], key: Self.zeros, nonce: nonce) == nil)
        #expect(Self.seal([1], key: [1, 2, 3], nonce: nonce) == nil)
        #expect(Self.seal([1], key: Self.zeros, nonce: [1]) == nil)
        #expect(Self.seal([1, 2], key: Self.zeros, nonce: nonce, room: AuthenticatedCipher.overhead + 1) == nil)
        #expect(Self.open(Self.zeros, key: [1]) == nil)
        #expect(Self.open([], key: Self.zeros) == nil)
    }
}
