import FoundationEssentials
import Glibc
import Synchronization

/// An event that the process of a case reports to its parent, as one line of JSON.
package enum CaseEvent: Sendable, Codable {
    /// The next step.
    case step(String)
    /// A finding; the case continues.
    case finding(Finding)
    /// The case is done.
    case result(CaseResult)

    /// The longest line in bytes; a process that writes a longer one is out of order.
    static let maximumLine = 2 << 20

    /// The line with its line feed; empty if it cannot be encoded.
    var line: [UInt8] {
        guard let data = try? JSONEncoder().encode(self) else { return [] }
        return Array(data) + [UInt8(ascii: "\n")]
    }
}

/// Writes events in the process of a case. Thread-safe; writing blocks while the reader is busy.
package final class CaseReporter: Sendable {
    private let descriptor: CInt
    private let turn = Mutex(())

    /// - Parameter descriptor: open for writing as long as this object lives.
    package init(descriptor: CInt) { self.descriptor = descriptor }

    /// Reports an event.
    ///
    /// - Returns: whether it could be written.
    @discardableResult
    package func tell(_ event: CaseEvent) -> Bool {
        let line = event.line
        return turn.withLock { _ in
            var written = 0
            while written < line.count {
                let count = line[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }
}
