import Documents
import Glibc

/// Copies content between open files, from their current positions to the end of the source. A cancelled task ends it.
package enum ContentPump {
    private static let step = 1 << 20

    /// Copies everything. Blocks, but if the task is cancelled while the source waits, returns soon.
    ///
    /// - Throws: ``DocumentsError`` `cancelled`, `noSpace` or `failed`; ``SilentExit`` if the target's reader has gone.
    package static func copy(from source: CInt, to target: CInt, activity: Activity? = nil) throws {
        while true {
            try checkCancellation()
            // Some file systems return 0 for files that they generate on reading, so 0 is not taken for the end.
            guard let count = DescriptorCopy.step(from: source, to: target, count: step * 8), count > 0 else { break }
            activity?.add(count)
        }
        try copyByReading(from: source, to: target, activity: activity)
    }

    private static func copyByReading(from source: CInt, to target: CInt, activity: Activity?) throws {
        var buffer = [UInt8](repeating: 0, count: step)
        while true {
            try waitUntilReadable(source)
            let count = read(source, &buffer, buffer.count)
            if count == 0 { return }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw failure("Reading failed", errno)
            }
            try write(buffer[..<count], to: target)
            activity?.add(count)
        }
    }

    /// Waits for data or the end of a source, until the task is cancelled.
    ///
    /// - Throws: ``DocumentsError`` `cancelled` or `failed`.
    package static func waitUntilReadable(_ source: CInt) throws {
        while true {
            try checkCancellation()
            var entry = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
            let result = poll(&entry, 1, 100)
            if result > 0 { return }
            if result < 0, errno != EINTR { throw failure("Waiting for data failed", errno) }
        }
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``DocumentsError`` `noSpace` or `failed`; ``SilentExit`` if the target's reader has gone.
    package static func write(_ bytes: some RandomAccessCollection<UInt8>, to target: CInt) throws {
        let result =
            bytes.withContiguousStorageIfAvailable { writeAll($0, to: target) }
            ?? Array(bytes).withUnsafeBufferPointer { writeAll($0, to: target) }
        switch result {
        case 0: return
        case EPIPE: throw SilentExit(status: .failed)
        default: throw failure("Writing failed", result)
        }
    }

    private static func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to target: CInt) -> CInt {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeBufferPointer(rebasing: rest)
            let count = Glibc.write(target, part.baseAddress, part.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var entry = pollfd(fd: target, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, 100)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    private static func checkCancellation() throws {
        if Task.isCancelled { throw DocumentsError(.cancelled, "Interrupted.") }
    }

    private static func failure(_ what: String, _ code: CInt) -> DocumentsError {
        DocumentsError(
            code == ENOSPC || code == EDQUOT ? .noSpace : .failed, "\(what): \(String(cString: strerror(code))).")
    }
}
