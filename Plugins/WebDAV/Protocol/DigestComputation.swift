import CCrypto
import FileProvider
import Glibc

/// Computes a digest of content, piece by piece, with OpenSSL.
struct DigestComputation: Sendable {
    private enum State: Sendable {
        case md5(MD5_CTX)
        case sha1(SHA_CTX)
        case sha256(SHA256_CTX)
    }

    private let algorithm: StatedDigest.Algorithm
    private var state: State

    /// Of nothing yet.
    init(_ algorithm: StatedDigest.Algorithm) {
        self.algorithm = algorithm
        switch algorithm {
        case .md5:
            var context = MD5_CTX()
            MD5_Init(&context)
            state = .md5(context)
        case .sha1:
            var context = SHA_CTX()
            SHA1_Init(&context)
            state = .sha1(context)
        case .sha256:
            var context = SHA256_CTX()
            SHA256_Init(&context)
            state = .sha256(context)
        }
    }

    /// Adds bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        switch state {
        case .md5(var context):
            MD5_Update(&context, bytes.baseAddress, bytes.count)
            state = .md5(context)
        case .sha1(var context):
            SHA1_Update(&context, bytes.baseAddress, bytes.count)
            state = .sha1(context)
        case .sha256(var context):
            SHA256_Update(&context, bytes.baseAddress, bytes.count)
            state = .sha256(context)
        }
    }

    /// The digest of all that was added.
    consuming func finish() -> StatedDigest? {
        var bytes = [UInt8](repeating: 0, count: algorithm.size)
        switch state {
        case .md5(var context): MD5_Final(&bytes, &context)
        case .sha1(var context): SHA1_Final(&bytes, &context)
        case .sha256(var context): SHA256_Final(&bytes, &context)
        }
        return StatedDigest(algorithm, bytes)
    }

    /// The digest of the first bytes of a file that is here, read in pieces of 1 MiB on a thread of its own: large content
    /// takes a while.
    ///
    /// - Parameter owner: keeps the descriptor open.
    static func digest(
        of descriptor: CInt, size: Int, _ algorithm: StatedDigest.Algorithm, owner: any Sendable
    ) async throws -> StatedDigest? {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try OwnThread.run {
                    let result = Result { try read(descriptor, size, algorithm) }
                    withExtendedLifetime(owner) { continuation.resume(with: result) }
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private static func read(
        _ descriptor: CInt, _ size: Int, _ algorithm: StatedDigest.Algorithm
    ) throws -> StatedDigest? {
        var computation = DigestComputation(algorithm)
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        var position = 0
        while position < size {
            let count = piece.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, min($0.count, size - position), off_t(position))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw FileProviderError(.failed, "The content is shorter than it was said to be, or cannot be read.")
            }
            piece.withUnsafeBytes { computation.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            position += count
        }
        return computation.finish()
    }
}
