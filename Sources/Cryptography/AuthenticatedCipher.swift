import CCrypto

/// AES-256-GCM by libcrypto: what is sealed can be neither read nor changed without the key.
///
/// It works on memory of the caller's, which can be kept from being swapped and is wiped by who knows what lies in it. A sealed
/// text is a nonce, as many bytes as the plain text, and a tag, one after the other. A nonce must never be used twice with a key.
package enum AuthenticatedCipher {
    /// Bytes of a key.
    package static let keyLength = 32
    /// Bytes of a nonce.
    package static let nonceLength = 12
    /// Bytes of a tag.
    package static let tagLength = 16
    /// Bytes by which a sealed text is longer than the plain one.
    package static let overhead = nonceLength + tagLength

    /// Seals a plain text.
    ///
    /// - Parameters:
    ///   - nonce: goes into the result as it is.
    ///   - associated: must be the same when it is opened; not part of the result.
    ///   - room: for the whole sealed text, ``overhead`` bytes longer than the plain one.
    /// - Returns: false, and nothing of use in `room`, for an empty plain text, lengths that do not fit, or when libcrypto fails.
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
    /// - Parameter room: for the plain text, ``overhead`` bytes shorter than the sealed one.
    /// - Returns: false, and nothing of use in `room`, when anything of the text, the key or the associated bytes differs.
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

    /// Bytes from the kernel's random numbers.
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
