import FoundationEssentials
import Glibc
import Synchronization

/// What the process of a case tells the process that started it, as one line of JSON each.
package enum CaseEvent: Sendable, Codable {
    /// It does this next.
    case step(String)
    /// It has found this, and goes on.
    case finding(Finding)
    /// The case is done.
    case result(CaseResult)

    /// The longest line in bytes; a process that writes a longer one has lost its mind.
    static let maximumLine = 2 << 20

    /// The line, with its end; empty if it cannot be written.
    var line: [UInt8] {
        guard let data = try? JSONEncoder().encode(self) else { return [] }
        return Array(data) + [UInt8(ascii: "\n")]
    }
}

/// The end of that in the process of a case. Thread-safe; writing blocks while the reader is busy.
package final class CaseReporter: Sendable {
    private let descriptor: CInt
    private let turn = Mutex(())

    /// - Parameter descriptor: open for writing, for as long as this object lives.
    package init(descriptor: CInt) { self.descriptor = descriptor }

    /// Tells an event.
    ///
    /// - Returns: whether there was somebody to take it.
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
