import CCrypto

/// AES-256-GCM by libcrypto: sealed text can be neither read nor changed without the key.
///
/// It works on the caller's memory, which the caller can protect from swapping and wipe. A sealed text consists of a
/// nonce, as many bytes as the plain text, and a tag, in this order. A nonce must never be used twice with the same
/// key.
package enum AuthenticatedCipher {
    /// The length of a key in bytes.
    package static let keyLength = 32
    /// The length of a nonce in bytes.
    package static let nonceLength = 12
    /// The length of a tag in bytes.
    package static let tagLength = 16
    /// The number of bytes by which a sealed text is longer than its plain text.
    package static let overhead = nonceLength + tagLength

    /// Seals a plain text.
    ///
    /// - Parameters:
    ///   - nonce: stored in the result as it is.
    ///   - associated: must be the same for opening; not part of the result.
    ///   - room: receives the sealed text, ``overhead`` bytes longer than the plain text.
    /// - Returns: false for an empty plain text, for lengths that do not match, or when libcrypto fails; `room` is then
    ///   undefined.
    package static func seal(
        _ plain: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, nonce: [UInt8],
        associated: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard key.count == keyLength, nonce.count == nonceLength, !plain.isEmpty,
            room.count == plain.count + overhead, let length = Int32(exactly: plain.count),
            let associatedLength = Int32(exactly: associated.count), let start = bytes(room)
        else { return false }
        room.copyBytes(from: nonce)
        return docent_aes_256_gcm_seal(
            bytes(key), start, bytes(associated), associatedLength, bytes(plain), length, start + nonceLength,
            start + nonceLength + plain.count) == 1
    }

    /// Opens a sealed text.
    ///
    /// - Parameter room: receives the plain text, ``overhead`` bytes shorter than the sealed text.
    /// - Returns: false when any part of the text, the key or the associated bytes differs; `room` is then undefined.
    package static func open(
        _ sealed: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, associated: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard key.count == keyLength, sealed.count > overhead, room.count == sealed.count - overhead,
            let length = Int32(exactly: room.count), let associatedLength = Int32(exactly: associated.count),
            let start = bytes(sealed)
        else { return false }
        return docent_aes_256_gcm_open(
            bytes(key), start, bytes(associated), associatedLength, start + nonceLength, length,
            start + nonceLength + room.count, bytes(room)) == 1
    }

    /// Random bytes from the kernel.
    package static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    private static func bytes(_ buffer: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
        buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    }

    private static func bytes(_ buffer: UnsafeMutableRawBufferPointer) -> UnsafeMutablePointer<UInt8>? {
        buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    }
}
