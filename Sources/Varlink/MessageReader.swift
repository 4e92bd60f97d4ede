import CVarlinkSocket
import Glibc

/// Splits a stream into messages, and keeps the descriptors that came with it in one queue.
///
/// A message's descriptors are attached to its first byte. A received descriptor therefore carries the range of stream
/// positions that its `recvmsg` returned, and belongs to a message that begins in that range. A message may take only
/// such descriptors; one whose range ends before the message does cannot belong to any other. Used by one thread at a
/// time.
struct MessageReader: ~Copyable {
    /// A complete message: the range of its bytes in the buffer, valid until the next `receive`, and its position in
    /// the stream.
    struct Frame {
        let bytes: Range<Int>
        let begin: UInt64
        let end: UInt64
    }

    /// The result of one `recvmsg`.
    enum Progress {
        case received
        case endOfStream
        case wouldBlock
    }

    private struct Arrival {
        let raw: CInt
        let begin: UInt64
        let end: UInt64
    }

    private static let smallBuffer = 16 << 10
    // The largest buffer that a connection keeps when it is empty.
    private static let keptBuffer = 4 * Self.smallBuffer

    private let messageBytes: Int
    private let descriptorsPerMessage: Int
    private let queuedDescriptors: Int
    private var buffer = [UInt8](repeating: 0, count: Self.smallBuffer)
    private var start = 0
    private var searched = 0
    private var end = 0
    private var position: UInt64 = 0
    private var arrivals: [Arrival] = []

    init(limits: ServerLimits) {
        messageBytes = limits.messageBytes
        descriptorsPerMessage = min(limits.descriptorsPerMessage, Int(CVARLINK_RECEIVE_DESCRIPTORS))
        queuedDescriptors = limits.queuedDescriptors
    }

    deinit {
        for arrival in arrivals {
            close(arrival.raw)
        }
        Wiping.wipe(buffer)
    }

    /// Whether there are bytes that were not taken, such as an incomplete message.
    var hasBytes: Bool { end > start }

    /// The number of received descriptors that no complete message has taken.
    var queuedCount: Int { arrivals.count }

    /// The size of the buffer that the next `receive` will use; 0 if it is no larger than the one that every connection
    /// may keep.
    var largeBufferBytes: Int {
        let isSmall = start == end && buffer.count > Self.keptBuffer
        let count = isSmall ? Self.smallBuffer : needsGrowth ? grownCount : buffer.count
        return count > Self.keptBuffer ? count : 0
    }

    private var needsGrowth: Bool { buffer.count - (end - start) < Self.smallBuffer / 4 }

    // No larger than the longest message needs.
    private var grownCount: Int {
        min(2 * buffer.count, max(messageBytes, buffer.count) + Self.smallBuffer)
    }

    /// Takes the next complete message from the buffer. Throws `messageTooLarge` as soon as the limit is exceeded.
    mutating func nextFrame() throws(VarlinkError) -> Frame? {
        let length = buffer.withUnsafeBytes { bytes -> Int? in
            guard searched < end, let base = bytes.baseAddress,
                let found = memchr(base + searched, 0, end - searched)
            else { return nil }
            return base.distance(to: UnsafeRawPointer(found)) - start
        }
        guard length ?? (end - start) <= messageBytes else {
            throw VarlinkError(.messageTooLarge, "The peer sent a message of more than \(messageBytes) bytes.")
        }
        guard let length else {
            searched = end
            return nil
        }
        let frame = Frame(
            bytes: start..<start + length, begin: position, end: position + UInt64(length) + 1)
        start += length + 1
        searched = start
        position = frame.end
        return frame
    }

    /// The bytes of a message, without the closing NUL.
    func withBytes<Result, Failure: Error>(
        _ frame: Frame, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withUnsafeBufferPointer { bytes throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: bytes[frame.bytes]))
        }
    }

    /// Overwrites the bytes of a message that was read, because they may contain secrets.
    mutating func wipe(_ frame: Frame) {
        buffer.withUnsafeMutableBytes { bytes in
            let part = UnsafeRawBufferPointer(rebasing: bytes[frame.bytes])
            cvarlink_wipe(part.baseAddress, part.count)
        }
    }

    /// Takes the descriptors of a message; `count` is the number that its type declares. Throws `descriptorMismatch` if
    /// there are fewer or more.
    mutating func claim(_ count: Int, for frame: Frame) throws(VarlinkError) -> DescriptorList {
        if count == 0, arrivals.isEmpty { return DescriptorList() }
        let fits =
            (0...descriptorsPerMessage).contains(count) && count <= arrivals.count
            && arrivals.prefix(count).allSatisfy { $0.begin <= frame.begin && frame.begin < $0.end }
            && !arrivals.dropFirst(count).contains { $0.end <= frame.end }
        guard fits else {
            throw VarlinkError(
                .descriptorMismatch, "A message came with a different number of descriptors than it should have.")
        }
        let list = DescriptorList(owning: arrivals.prefix(count).map(\.raw))
        arrivals.removeFirst(count)
        return list
    }

    /// Closes the descriptors of a message that will not be decoded.
    mutating func discard(for frame: Frame) {
        while let arrival = arrivals.first, arrival.end <= frame.end {
            close(arrival.raw)
            arrivals.removeFirst()
        }
    }

    /// The number of descriptors of a message that must be the last one received.
    func count(for frame: Frame) -> Int {
        arrivals.count { $0.begin <= frame.begin }
    }

    /// Receives once. Frames taken before become invalid.
    mutating func receive(from socket: CInt, flags: CInt) throws(VarlinkError) -> Progress {
        makeRoom()
        var result = cvarlink_received()
        let from = end
        buffer.withUnsafeMutableBytes { bytes in
            cvarlink_receive(socket, bytes.baseAddress.map { $0 + from }, bytes.count - from, flags, &result)
        }
        guard result.bytes >= 0 else {
            if result.error == EAGAIN || result.error == EWOULDBLOCK { return .wouldBlock }
            throw VarlinkError(systemCall: "receive", errno: result.error)
        }
        let begin = position + UInt64(end - start)
        end += result.bytes
        try accept(&result, begin: begin)
        return result.bytes == 0 ? .endOfStream : .received
    }

    private mutating func accept(_ result: inout cvarlink_received, begin: UInt64) throws(VarlinkError) {
        guard result.descriptor_count > 0 || result.truncated else { return }
        let end = begin + UInt64(result.bytes)
        let count = result.descriptor_count
        withUnsafeBytes(of: &result.descriptors) { bytes in
            for raw in bytes.bindMemory(to: CInt.self).prefix(count) {
                arrivals.append(Arrival(raw: raw, begin: begin, end: end))
            }
        }
        // Descriptors beyond the limit are closed with the reader when the connection ends.
        guard !result.truncated, count <= descriptorsPerMessage, arrivals.count <= queuedDescriptors else {
            throw VarlinkError(.descriptorMismatch, "The peer sent too many descriptors.")
        }
    }

    private mutating func makeRoom() {
        if start == end {
            start = 0
            searched = 0
            end = 0
            if buffer.count > Self.keptBuffer {
                buffer = [UInt8](repeating: 0, count: Self.smallBuffer)
            }
        }
        guard buffer.count - end < Self.smallBuffer / 4 else { return }
        if start > 0 {
            buffer.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                memmove(base, base + start, end - start)
                cvarlink_wipe(base + (end - start), start)
            }
            end -= start
            searched -= start
            start = 0
        }
        if needsGrowth {
            var larger = [UInt8](repeating: 0, count: grownCount)
            larger.withUnsafeMutableBytes { $0.copyBytes(from: buffer) }
            Wiping.wipe(buffer)
            buffer = larger
        }
    }
}
