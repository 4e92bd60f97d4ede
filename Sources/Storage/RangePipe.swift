import CLinux
import Glibc
import Synchronization

/// The pipe through which a provider sends a part of a content. The provider never gets the file: what readers have
/// does not change under them, and more than was asked for goes nowhere.
package final class RangePipe: Sendable {
    /// What came through a pipe.
    package enum Outcome: Hashable, Sendable {
        /// So many bytes, and the sender said or showed that it is done.
        case received(Int64)
        /// The sender sent more than was asked for.
        case tooMuch
    }

    private let reading: OpenDescriptor
    private let writing: OpenDescriptor
    private let answered = Atomic<Bool>(false)
    private let hasReceived = Atomic<Bool>(false)
    private static let room: Int32 = 1 << 20

    /// Creates a pipe.
    package init() throws {
        var ends: [Int32] = [-1, -1]
        try checked(clinux_pipe(&ends), "create a pipe")
        reading = OpenDescriptor(owning: ends[0])
        writing = OpenDescriptor(owning: ends[1])
        // With less room it is only slower.
        _ = clinux_pipe_room(ends[0], Self.room)
    }

    /// A copy of the end that a provider writes to; nil once something came: another attempt would mix with it.
    package func makeWriter() throws -> OpenDescriptor? {
        guard !hasReceived.load(ordering: .acquiring) else { return nil }
        return OpenDescriptor(owning: try checked(clinux_dup(writing.number), "duplicate a pipe"))
    }

    /// The sender has answered: what it has written is in the pipe, and nothing more is waited for, even if some
    /// process keeps the pipe open.
    package func senderAnswered() {
        answered.store(true, ordering: .releasing)
        if let number = writing.take() { clinux_close(number) }
    }

    /// Moves what the sender writes into a file, until it is done. Blocking; call it on a `BlockingWorker`.
    ///
    /// - Parameters:
    ///   - range: where the bytes belong.
    ///   - arrived: called with the position up to which the bytes are in the file.
    /// - Throws: `.cancelled`, `.noSpace`, or another failure of writing.
    package func receive(
        into file: PartialFile, _ range: Range<Int64>, cancellation: Cancellation, arrived: (Int64) -> Void
    ) throws -> Outcome {
        defer { if let number = reading.take() { clinux_close(number) } }
        var position = range.lowerBound
        while position < range.upperBound {
            try cancellation.check()
            // Read before the pipe is looked at: what was written before the answer is then found.
            let isAnswered = answered.load(ordering: .acquiring)
            guard let moved = try file.move(from: reading.number, to: position, atMost: range.upperBound - position)
            else {
                if isAnswered { return .received(position - range.lowerBound) }
                wait()
                continue
            }
            hasReceived.store(true, ordering: .releasing)
            if moved == 0 { return .received(position - range.lowerBound) }
            position += moved
            arrived(position)
        }
        while true {
            try cancellation.check()
            let isAnswered = answered.load(ordering: .acquiring)
            var byte: UInt8 = 0
            guard isReadable(0) else {
                if isAnswered { break }
                wait()
                continue
            }
            guard read(reading.number, &byte, 1) == 0 else { return .tooMuch }
            break
        }
        return .received(position - range.lowerBound)
    }

    // Short enough to notice a cancellation and an answer.
    private func wait() { _ = isReadable(20) }

    private func isReadable(_ milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
