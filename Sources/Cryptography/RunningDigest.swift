import CCrypto

/// A digest of content that is fed in pieces, for comparison with a digest stated by others.
package struct RunningDigest: Sendable {
    /// The algorithm. MD5 and SHA-1 detect accidents, not attacks.
    package enum Algorithm: Sendable {
        case md5
        case sha1
        case sha256
    }

    private enum State: Sendable {
        case md5(MD5_CTX)
        case sha1(SHA_CTX)
        case sha256(SHA256)
    }

    private var state: State

    /// Starts an empty digest.
    package init(_ algorithm: Algorithm) {
        switch algorithm {
        case .md5:
            var context = MD5_CTX()
            MD5_Init(&context)
            state = .md5(context)
        case .sha1:
            var context = SHA_CTX()
            SHA1_Init(&context)
            state = .sha1(context)
        case .sha256: state = .sha256(SHA256())
        }
    }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        switch state {
        case .md5(var context):
            MD5_Update(&context, bytes.baseAddress, bytes.count)
            state = .md5(context)
        case .sha1(var context):
            SHA1_Update(&context, bytes.baseAddress, bytes.count)
            state = .sha1(context)
        case .sha256(var digest):
            digest.update(bytes)
            state = .sha256(digest)
        }
    }

    /// The digest of all bytes added: 16, 20 or 32 bytes.
    package consuming func finish() -> [UInt8] {
        switch state {
        case .md5(var context):
            var bytes = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
            MD5_Final(&bytes, &context)
            return bytes
        case .sha1(var context):
            var bytes = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
            SHA1_Final(&bytes, &context)
            return bytes
        case .sha256(let digest): return digest.finish().bytes
        }
    }
}
