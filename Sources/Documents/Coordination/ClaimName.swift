import Glibc
import Synchronization

/// Makes names of claims and purposes. Every coordinated access needs two, so they do not each use random bytes.
enum ClaimName {
    private static let random = String(UInt64.random(in: .min ... .max), radix: 16)
    private static let last = Atomic<UInt64>(0)

    /// A unique name of 1 to 64 letters, digits and "-". The process number is part of it because a forked process has
    /// the same random part.
    static func make() -> String {
        "\(random)-\(getpid())-\(last.wrappingAdd(1, ordering: .relaxed).newValue)"
    }
}
