import Glibc
import Synchronization

/// Names of claims and purposes: every coordinated access needs two, so they cost no random bytes each.
enum ClaimName {
    private static let random = String(UInt64.random(in: .min ... .max), radix: 16)
    private static let last = Atomic<UInt64>(0)

    /// A name that nobody else has: 1 to 64 letters, digits and `-`. The process is part of it, for a fork has the same random part.
    static func make() -> String {
        "\(random)-\(getpid())-\(last.wrappingAdd(1, ordering: .relaxed).newValue)"
    }
}
