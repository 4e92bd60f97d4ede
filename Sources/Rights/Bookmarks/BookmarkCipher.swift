import CCrypto

/// AES-256-GCM by libcrypto: what is sealed can be neither read nor changed without the key. Pure but for the nonce.
enum BookmarkCipher {
    static let keyLength = 32
    static let nonceLength = 12
    static let tagLength = 16

    /// Seals bytes under a fresh random nonce.
    ///
    /// - Parameters:
    ///   - plain: at most ``BookmarkSeal/maximumLength`` bytes, never empty.
    ///   - associated: what must be the same when it is opened; not part of the result.
    /// - Returns: nonce, sealed bytes and tag, one after the other; nil when libcrypto fails.
    static func seal(_ plain: [UInt8], key: [UInt8], associated: [UInt8]) -> [UInt8]? {
        let nonce = randomBytes(nonceLength)
        var sealed = [UInt8](repeating: 0, count: plain.count)
        var tag = [UInt8](repeating: 0, count: tagLength)
        guard key.count == keyLength, !plain.isEmpty,
            docent_aes_256_gcm_seal(
                key, nonce, associated, Int32(associated.count), plain, Int32(plain.count), &sealed, &tag) == 1
        else { return nil }
        return nonce + sealed + tag
    }

    /// Opens what ``seal(_:key:associated:)`` gave; nil when anything of it, the key or the associated bytes differ.
    static func open(_ box: [UInt8], key: [UInt8], associated: [UInt8]) -> [UInt8]? {
        guard key.count == keyLength, box.count > nonceLength + tagLength else { return nil }
        let nonce = [UInt8](box.prefix(nonceLength))
        let sealed = [UInt8](box.dropFirst(nonceLength).dropLast(tagLength))
        let tag = [UInt8](box.suffix(tagLength))
        var plain = [UInt8](repeating: 0, count: sealed.count)
        guard
            docent_aes_256_gcm_open(
                key, nonce, associated, Int32(associated.count), sealed, Int32(sealed.count), tag, &plain) == 1
        else { return nil }
        return plain
    }

    /// Bytes from the kernel's random numbers.
    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// SHA-256 of bytes.
    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = SHA256(bytes, bytes.count, &digest)
        return digest
    }
}
