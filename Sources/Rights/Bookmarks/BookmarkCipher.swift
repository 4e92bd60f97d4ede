import Cryptography

/// How bookmarks are sealed: each with a fresh random nonce. Pure except for the nonce.
enum BookmarkCipher {
    static let keyLength = AuthenticatedCipher.keyLength
    static let nonceLength = AuthenticatedCipher.nonceLength
    static let tagLength = AuthenticatedCipher.tagLength

    /// Seals bytes.
    ///
    /// - Parameters:
    ///   - plain: at most ``BookmarkSeal/maximumLength`` bytes, never empty.
    ///   - associated: bytes that must be the same on opening; not part of the result.
    /// - Returns: nil when libcrypto fails.
    static func seal(_ plain: [UInt8], key: [UInt8], associated: [UInt8]) -> [UInt8]? {
        var sealed = [UInt8](repeating: 0, count: plain.count + AuthenticatedCipher.overhead)
        let isDone = sealed.withUnsafeMutableBytes { room in
            plain.withUnsafeBytes { plain in
                key.withUnsafeBytes { key in
                    associated.withUnsafeBytes { associated in
                        AuthenticatedCipher.seal(
                            plain, key: key, nonce: randomBytes(nonceLength), associated: associated, into: room)
                    }
                }
            }
        }
        return isDone ? sealed : nil
    }

    /// Opens a result of ``seal(_:key:associated:)``; nil when any part of it, the key or the associated bytes differ.
    static func open(_ box: [UInt8], key: [UInt8], associated: [UInt8]) -> [UInt8]? {
        guard box.count > AuthenticatedCipher.overhead else { return nil }
        var plain = [UInt8](repeating: 0, count: box.count - AuthenticatedCipher.overhead)
        let isDone = plain.withUnsafeMutableBytes { room in
            box.withUnsafeBytes { box in
                key.withUnsafeBytes { key in
                    associated.withUnsafeBytes { associated in
                        AuthenticatedCipher.open(box, key: key, associated: associated, into: room)
                    }
                }
            }
        }
        return isDone ? plain : nil
    }

    /// Random bytes from the kernel.
    static func randomBytes(_ count: Int) -> [UInt8] { AuthenticatedCipher.randomBytes(count) }

    /// SHA-256 of bytes.
    static func digest(_ bytes: [UInt8]) -> [UInt8] { SHA256.digest(of: bytes).bytes }
}
