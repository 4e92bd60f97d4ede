import CLinux
import FileSystemMessages
import Glibc

/// The file system's end of a mount: /dev/fuse, as fusermount3 opened it. Thread-safe: several threads may read
/// requests at the same time.
package final class KernelChannel: Sendable {
    /// Closed with this object.
    package let descriptor: CInt

    package init(owning descriptor: CInt) { self.descriptor = descriptor }

    deinit { _ = clinux_close(descriptor) }

    /// Waits for a request and reads it. Blocks the calling thread.
    ///
    /// - Parameter buffer: at least ``Negotiation/bufferSize`` bytes.
    /// - Returns: the number of bytes that were read; nil when the file system is no longer mounted.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let start = buffer.baseAddress else { return nil }
        while true {
            let count = clinux_read(descriptor, start, buffer.count)
            // ENOENT: the request was given up before it was read.
            if count > 0 { return count }
            if count == -Int(ENOENT) || count == -Int(EINTR) || count == -Int(EAGAIN) { continue }
            return nil
        }
    }

    /// Sends a reply or a notification. One that the kernel does not want any more is ignored.
    ///
    /// - Returns: whether the kernel took it.
    @discardableResult
    package func send(_ message: [UInt8]) -> Bool {
        message.withUnsafeBytes { send($0) }
    }

    @discardableResult
    package func send(_ message: UnsafeRawBufferPointer) -> Bool {
        guard let start = message.baseAddress else { return false }
        return clinux_write(descriptor, start, message.count) == message.count
    }

    /// Answers a request with content of a file.
    ///
    /// - Parameters:
    ///   - file: open for reading.
    ///   - buffer: room for the message.
    package func send(
        to unique: UInt64, contentOf file: CInt, offset: UInt64, count: Int, buffer: UnsafeMutableRawBufferPointer
    ) {
        let start = KernelReply.headerSize
        guard let address = buffer.baseAddress, count >= 0, start + count <= buffer.count,
            let position = Int64(exactly: offset)
        else {
            send(KernelReply.error(EINVAL).message(to: unique))
            return
        }
        var filled = 0
        while filled < count {
            let read = clinux_pread(file, address + start + filled, count - filled, position + Int64(filled))
            if read == 0 { break }
            guard read > 0 else {
                send(KernelReply.error(CInt(-read)).message(to: unique))
                return
            }
            filled += read
        }
        let header = KernelReply.header(to: unique, count: filled)
        header.withUnsafeBytes {
            address.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(address), byteCount: $0.count)
        }
        send(UnsafeRawBufferPointer(start: address, count: start + filled))
    }
}
