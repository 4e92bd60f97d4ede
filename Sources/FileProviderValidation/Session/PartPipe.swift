import CLinux
import Glibc
import Synchronization
package import Varlink

/// A pipe through which a provider sends a part of some content, and what has arrived. Thread-safe.
package final class PartPipe: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        /// Whether nothing more is expected.
        var isOver = false
        /// Whether one of the ends is closed.
        var isClosed = false
    }

    // How soon a waiting reader notices that nothing more is expected.
    private static let pause: CInt = 50

    private let reading: Mutex<OwnedDescriptor?>
    private let writing: Mutex<OwnedDescriptor?>
    private let limit: Int
    private let state = Mutex(State())

    /// Creates a pipe.
    ///
    /// - Parameter limit: how many bytes are read at most, and one more to show that there are more.
    /// - Throws: ``CallProblem`` of the validator itself.
    package init(limit: Int) throws {
        var ends: [CInt] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else {
            throw CallProblem(did: "Making a pipe", kind: .own("no descriptor is free"))
        }
        _ = clinux_set_status_flags(ends[0], CLINUX_O_NONBLOCK)
        reading = Mutex(OwnedDescriptor(ends[0]))
        writing = Mutex(OwnedDescriptor(ends[1]))
        self.limit = limit
    }

    /// What has been read so far.
    package var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// The writing end, for the provider. To be called once.
    package func takeWriting() throws -> OwnedDescriptor {
        guard let descriptor = writing.withLock({ $0.take() }) else {
            throw CallProblem(did: "Sending a pipe", kind: .own("it was sent already"))
        }
        return descriptor
    }

    /// Reads until the provider closes its end, the limit is exceeded, or nothing is left after ``end()``.
    ///
    /// - Parameter most: stops as soon as there are that many bytes.
    package func read(most: Int = .max) async {
        _ = try? await Blocking.run { [self] in
            while bytes.count < min(most, limit + 1) {
                let isOver = state.withLock { $0.isOver }
                let hasRead = readOnce(within: isOver ? 0 : Self.pause)
                if state.withLock({ $0.isClosed }) || (isOver && !hasRead) { return }
            }
        }
    }

    /// Says that the call has ended: nothing more is expected than what is in the pipe.
    package func end() { state.withLock { $0.isOver = true } }

    /// Closes the reading end: no more is wanted.
    package func close() {
        state.withLock { $0.isClosed = true }
        reading.withLock { $0 = nil }
    }

    /// Reads what is there.
    ///
    /// - Returns: whether something was.
    private func readOnce(within milliseconds: CInt) -> Bool {
        reading.withLock { reading in
            let descriptor = reading?.raw ?? -1
            guard descriptor >= 0 else { return false }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, milliseconds) > 0 else { return false }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = clinux_read(descriptor, &buffer, buffer.count)
            if count == -Int(EAGAIN) || count == -Int(EINTR) { return false }
            state.withLock { state in
                if count > 0 { state.bytes.append(contentsOf: buffer[..<count]) } else { state.isClosed = true }
            }
            return count > 0
        }
    }
}
