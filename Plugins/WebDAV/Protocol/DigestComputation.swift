import Cryptography
import FileProvider
import Glibc
import HTTPTransport

/// Computes a digest of content, piece by piece.
struct DigestComputation: Sendable {
    private let algorithm: StatedDigest.Algorithm
    private var digest: RunningDigest

    /// Begins without content.
    init(_ algorithm: StatedDigest.Algorithm) {
        self.algorithm = algorithm
        digest =
            switch algorithm {
            case .md5: RunningDigest(.md5)
            case .sha1: RunningDigest(.sha1)
            case .sha256: RunningDigest(.sha256)
            }
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    consuming func finish() -> StatedDigest? { StatedDigest(algorithm, digest.finish()) }

    /// The digest of the first bytes of a local file. Reads pieces of 1 MiB on a separate thread, because large content
    /// takes a while.
    ///
    /// - Parameter owner: Keeps the descriptor open.
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
                throw FileProviderError(.failed, "The content is shorter than announced, or cannot be read.")
            }
            piece.withUnsafeBytes { computation.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            position += count
        }
        return computation.finish()
    }
}
