import CCrypto

/// The SHA-256 digest of FIPS 180-4, fed in pieces. OpenSSL computes it with the processor's own instructions.
package struct SHA256: Sendable {
    /// A digest of 32 bytes.
    package struct Digest: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The 32 bytes.
        package let bytes: [UInt8]

        init(unchecked bytes: [UInt8]) { self.bytes = bytes }

        /// 64 lower-case hexadecimal digits.
        package var description: String {
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    private var state = SHA256_CTX()

    /// Starts an empty digest.
    package init() {
        SHA256_Init(&state)
    }

    /// The digest of bytes in memory.
    package static func digest(of bytes: [UInt8]) -> Digest {
        var digest = SHA256()
        bytes.withUnsafeBytes { digest.update($0) }
        return digest.finish()
    }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        SHA256_Update(&state, bytes.baseAddress, bytes.count)
    }

    /// Returns the digest.
    package consuming func finish() -> Digest {
        var bytes = [UInt8](repeating: 0, count: 32)
        SHA256_Final(&bytes, &state)
        return Digest(unchecked: bytes)
    }
}
