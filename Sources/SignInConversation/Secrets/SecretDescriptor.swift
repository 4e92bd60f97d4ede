package import Documents
import Glibc

/// A descriptor that a secret is read from.
package enum SecretDescriptor {
    private static let longest = 64 << 10

    /// Keeps the descriptor from programs that this one starts, above all the daemon. Call it before starting any.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` if the descriptor is not open.
    package static func keepApart(_ descriptor: CInt?) throws(DocumentsError) {
        guard let descriptor, descriptor != STDIN_FILENO else { return }
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw DocumentsError(
                .invalidArgument, "Descriptor \(descriptor) is not open.",
                suggestion: "Open it for this command, as in --secret-fd \(descriptor) \(descriptor)<FILE.")
        }
    }

    /// Reads the whole content.
    ///
    /// - Parameters:
    ///   - deadline: how long reading to the end may take.
    ///   - what: the name of the content in messages.
    /// - Throws: ``DocumentsError``: `invalidArgument`, `cancelled`, `deadlineExceeded`.
    package static func read(
        _ descriptor: CInt, within deadline: Duration = .seconds(600), what: String = "The secret"
    ) throws -> String {
        let end = ContinuousClock.now + deadline
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        defer { buffer.withUnsafeMutableBytes { wipe($0) } }
        while true {
            try wait(for: descriptor, until: end)
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else {
                throw DocumentsError(
                    .invalidArgument,
                    "Descriptor \(descriptor) cannot be read: \(String(cString: strerror(errno))).")
            }
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= longest else {
                throw DocumentsError(.invalidArgument, "\(what) is longer than 64 KiB.")
            }
        }
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DocumentsError(.invalidArgument, "\(what) is not UTF-8.")
        }
        return text
    }

    /// Waits for data or the end of input.
    ///
    /// - Throws: ``DocumentsError``: `cancelled`, `deadlineExceeded`.
    package static func wait(for descriptor: CInt, until end: ContinuousClock.Instant) throws {
        while true {
            if Task.isCancelled { throw DocumentsError(.cancelled, "Interrupted.") }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let result = poll(&entry, 1, 100)
            if result > 0 { return }
            guard ContinuousClock.now < end else {
                throw DocumentsError(.deadlineExceeded, "The secret did not arrive in time.")
            }
        }
    }

    private static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        for index in bytes.indices { bytes[index] = 0 }
    }
}
