import CLibSecret
import Glibc
import Synchronization

/// The bytes of a secret. They are in separate pages that are locked in memory and excluded from core dumps (both as
/// far as the system allows), and are wiped with the last reference. No description shows them. Immutable and
/// thread-safe.
package final class Secret: Sendable {
    /// The number of bytes.
    package let count: Int
    // Marked unsafe because of the pointer in it: only `init` writes the pages, and `deinit` frees them.
    private nonisolated(unsafe) let pages: SecretPages

    /// Copies bytes; the caller must wipe the original.
    package init(copying bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        pages = SecretPages(copying: bytes)
        Self.census.withLock { $0.change(by: 1) }
    }

    /// Copies bytes; the caller must wipe the original.
    package convenience init(_ bytes: some Sequence<UInt8>) {
        self.init(pages: SecretPages(copying: bytes))
    }

    /// Copies the UTF-8 bytes of a text; the text itself cannot be wiped.
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

    /// Calls `body` with the bytes, which must not be kept beyond the call.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(pages.bytes) }
    }

    /// A copy as text, which cannot be wiped: make it as late as possible. Nil when the bytes are not UTF-8.
    package var text: String? { withBytes { String(validating: $0, as: UTF8.self) } }

    // MARK: Census of the process

    /// The number of secrets in the process.
    package static var held: Int { census.withLock { $0.count } }

    /// Sets a function that is called with true when the first secret is created and with false when the last one is
    /// destroyed; it is called at once if there are any. It is called under a lock, on any thread, and must neither
    /// create nor destroy secrets.
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
    /// Compares in a time that depends only on the lengths.
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
    /// Hides the bytes from `dump`.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
