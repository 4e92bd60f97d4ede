import Synchronization

/// Identifies a connection for the life of the process; numbers are never reused.
package struct ConnectionIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    package let rawValue: UInt64

    /// Creates an identifier with a given number.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    private static let last = Atomic<UInt64>(0)

    static func next() -> ConnectionIdentifier {
        ConnectionIdentifier(rawValue: last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// The number.
    package var description: String { "\(rawValue)" }
}
