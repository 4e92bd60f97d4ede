import CLibSecret
import Glibc
import Synchronization

/// The bytes of a secret: in pages of their own that are locked in memory and left out of core dumps (both best
/// effort), and wiped when the last owner lets go. They appear in no description. Immutable, for any thread (6,
/// hygiene).
package final class Secret: Sendable {
    /// How many bytes.
    package let count: Int
    // Unsafe for the compiler, which sees a pointer in it: written by `init` alone, read by many, freed by `deinit`.
    private nonisolated(unsafe) let pages: SecretPages

    /// Copies bytes; to wipe the original is for the caller.
    package init(copying bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        pages = SecretPages(copying: bytes)
        Self.census.withLock { $0.change(by: 1) }
    }

    /// Copies bytes; to wipe the original is for the caller.
    package convenience init(_ bytes: some Sequence<UInt8>) {
        self.init(pages: SecretPages(copying: bytes))
    }

    /// Copies the UTF-8 of a text; the text itself cannot be wiped.
    package convenience init(_ text: String) { self.init(text.utf8) }

    private init(pages: SecretPages) {
        count = pages.count
        self.pages = pages
        Self.census.withLock { $0.change(by: 1) }
    }

    deinit {
        pages.wipe()
        Self.census.withLock { $0.change(by: -1) }
    }

    /// Lends the bytes; they must not be kept beyond the call.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(pages.bytes) }
    }

    /// A copy as text, which cannot be wiped: take it as late as possible. Nil where the bytes are no UTF-8.
    package var text: String? { withBytes { String(validating: $0, as: UTF8.self) } }

    // MARK: All of the process

    /// How many secrets live in the process.
    package static var held: Int { census.withLock { $0.count } }

    /// Sets who is told when the first secret comes into being (true) and when the last has gone (false); at once if
    /// there are any. It is called under a lock, on any thread, and must make and release no secrets.
    package static func onFirstAndLast(_ change: @escaping @Sendable (Bool) -> Void) {
        census.withLock { census in
            census.told = change
            if census.count > 0 { change(true) }
        }
    }

    private struct Census {
        var count = 0
        var told: (@Sendable (Bool) -> Void)?

        mutating func change(by difference: Int) {
            count += difference
            if difference > 0, count == difference { told?(true) }
            if difference < 0, count == 0 { told?(false) }
        }
    }

    private static let census = Mutex(Census())
}

extension Secret: Equatable {
    /// Compares in a time that depends on the lengths alone.
    package static func == (first: Secret, second: Secret) -> Bool {
        first.withBytes { one in
            second.withBytes { two in
                guard one.count == two.count else { return false }
                var difference: UInt8 = 0
                for index in one.indices { difference |= one[index] ^ two[index] }
                return difference == 0
            }
        }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    /// Nothing for `dump` to look into.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
