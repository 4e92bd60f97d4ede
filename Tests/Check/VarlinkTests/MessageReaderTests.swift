import CVarlinkSocket
import Glibc
import Testing

@testable import Varlink

@Suite("Descriptors stay with their message")
struct MessageReaderTests {
    private struct Sent {
        let text: String
        let names: [String]
    }

    /// Receives all messages and claims the descriptors of each; their contents show whether they are its own.
    private func check(_ sent: [Sent], from peer: RawPeer, receiver: borrowing OwnedDescriptor) throws {
        var reader = MessageReader(limits: ServerLimits())
        for message in sent {
            var frame = try reader.nextFrame()
            while frame == nil {
                #expect(try reader.receive(from: receiver.raw, flags: 0) == .received)
                frame = try reader.nextFrame()
            }
            let found = try #require(frame)
            #expect(reader.withBytes(found) { String(decoding: $0, as: UTF8.self) } == message.text)
            let list = try reader.claim(message.names.count, for: found)
            for (index, name) in message.names.enumerated() {
                #expect(content(of: try list.take(index)) == name)
            }
        }
    }

    @Test("T1: joined and split messages keep their descriptors, in order", arguments: 0..<40)
    func gluedAndSplit(_ seed: Int) async throws {
        var pair = try UnixSocket.pair()
        let receiver = try pair.takeSecond()
        let peer = RawPeer(try pair.takeFirst())
        var generator = Lehmer(seed: UInt64(seed) * 7919 + 1)
        var sent: [Sent] = []
        var received = 0
        var reader = MessageReader(limits: ServerLimits())

        func receiveSome(all: Bool) throws {
            while received < sent.count {
                guard let frame = try reader.nextFrame() else {
                    if try reader.receive(from: receiver.raw, flags: CInt(CVARLINK_DONT_WAIT)) == .wouldBlock {
                        #expect(!all)
                        return
                    }
                    continue
                }
                let message = sent[received]
                received += 1
                #expect(reader.withBytes(frame) { String(decoding: $0, as: UTF8.self) } == message.text)
                let list = try reader.claim(message.names.count, for: frame)
                for (index, name) in message.names.enumerated() {
                    #expect(content(of: try list.take(index)) == name)
                }
            }
        }

        for number in 0..<60 {
            let length = [1, 20, 300, 20_000][Int.random(in: 0..<4, using: &generator)]
            let text = String(repeating: "m", count: length) + "\(number)"
            let names = (0..<[0, 0, 1, 2, 16][Int.random(in: 0..<5, using: &generator)]).map { "\(number).\($0)" }
            var bytes = Array(text.utf8) + [0]
            let files = DescriptorList()
            for name in names { files.append(try file(containing: name)) }
            sent.append(Sent(text: text, names: names))
            // Split at random places; the descriptors go with the first piece only.
            var isFirst = true
            while !bytes.isEmpty {
                let count =
                    Int.random(in: 1...3, using: &generator) == 1
                    ? Int.random(in: 1...bytes.count, using: &generator) : bytes.count
                let piece = Array(bytes.prefix(count))
                bytes.removeFirst(count)
                let result = files.withRaw { peer.send(piece, descriptors: isFirst ? $0 : []) }
                #expect(result == piece.count)
                isFirst = false
                if Int.random(in: 0..<3, using: &generator) == 0, bytes.isEmpty || names.isEmpty {
                    try receiveSome(all: bytes.isEmpty)
                }
            }
            if names.count == 16 { try receiveSome(all: true) }
        }
        try receiveSome(all: true)
        #expect(received == 60)
    }

    @Test("T1: several messages sent before the first read keep their descriptors")
    func pipelined() async throws {
        var pair = try UnixSocket.pair()
        let receiver = try pair.takeSecond()
        let peer = RawPeer(try pair.takeFirst())
        var sent: [Sent] = []
        for (number, count) in [0, 2, 0, 1, 3, 0, 0, 1].enumerated() {
            let message = Sent(text: "message \(number)", names: (0..<count).map { "\(number).\($0)" })
            let files = DescriptorList()
            for name in message.names { files.append(try file(containing: name)) }
            _ = files.withRaw { peer.send(message.text + "\0", descriptors: $0) }
            sent.append(message)
        }
        try check(sent, from: peer, receiver: receiver)
    }

    @Test(
        "T1: too few, too many and misplaced descriptors are refused, and closed",
        arguments: [
            // pieces with their number of descriptors, and what the first message's type declares
            ([("one\0", 0)], 1), ([("one\0", 1)], 0), ([("one\0", 2)], 1), ([("one\0", 1)], 2),
            ([("on", 0), ("e\0", 1)], 1), ([("on", 1), ("e\0", 1)], 2), ([("one\0", 0), ("two\0", 1)], 1),
        ] as [([(String, Int)], Int)])
    func mismatch(_ pieces: [(String, Int)], _ declared: Int) async throws {
        var pair = try UnixSocket.pair()
        let receiver = try pair.takeSecond()
        let peer = RawPeer(try pair.takeFirst())
        let witness = try Witness()
        do {
            var reader = MessageReader(limits: ServerLimits())
            var frame: MessageReader.Frame?
            for (text, count) in pieces {
                peer.send(text, descriptors: Array(repeating: witness.raw, count: count))
                if frame == nil {
                    #expect(try reader.receive(from: receiver.raw, flags: 0) == .received)
                    frame = try reader.nextFrame()
                }
            }
            let found = try #require(frame)
            #expect { try reader.claim(declared, for: found) } throws: {
                ($0 as? VarlinkError)?.code == .descriptorMismatch
            }
        }
        receiver.drain()
        #expect(await witness.isGone())
    }

    @Test(
        "T1: more than 16 in a message, more than 32 queued and truncation are refused", arguments: [17, 64, 65, 200])
    func tooManyAtOnce(_ count: Int) async throws {
        var pair = try UnixSocket.pair()
        let sender = try pair.takeFirst()
        let receiver = try pair.takeSecond()
        let witness = try Witness()
        do {
            var reader = MessageReader(limits: ServerLimits())
            sendRights(sender.raw, "x", Array(repeating: witness.raw, count: count))
            #expect { try reader.receive(from: receiver.raw, flags: 0) } throws: {
                ($0 as? VarlinkError)?.code == .descriptorMismatch
            }
        }
        #expect(await witness.isGone())
    }

    @Test("T1: more than 32 descriptors waiting for their messages are refused")
    func tooManyQueued() async throws {
        var pair = try UnixSocket.pair()
        let sender = try pair.takeFirst()
        let receiver = try pair.takeSecond()
        let witness = try Witness()
        do {
            var reader = MessageReader(limits: ServerLimits())
            for round in 0..<3 {
                sendRights(sender.raw, "x", Array(repeating: witness.raw, count: round == 2 ? 1 : 16))
                if round < 2 {
                    #expect(try reader.receive(from: receiver.raw, flags: 0) == .received)
                } else {
                    #expect { try reader.receive(from: receiver.raw, flags: 0) } throws: {
                        ($0 as? VarlinkError)?.code == .descriptorMismatch
                    }
                }
            }
        }
        #expect(await witness.isGone())
    }

    @Test("T1: received descriptors are close-on-exec")
    func closeOnExec() async throws {
        var pair = try UnixSocket.pair()
        let sender = try pair.takeFirst()
        let receiver = try pair.takeSecond()
        var reader = MessageReader(limits: ServerLimits())
        sendRights(sender.raw, "x\0", [0])
        #expect(try reader.receive(from: receiver.raw, flags: 0) == .received)
        let frame = try #require(try reader.nextFrame())
        let descriptor = try reader.claim(1, for: frame).take(0)
        #expect(fcntl(descriptor.raw, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("T4: a message of exactly the limit is read; one byte more is refused before the end of the message")
    func length() async throws {
        var limits = ServerLimits()
        limits.messageBytes = 50_000
        for length in [50_000, 50_001] {
            var pair = try UnixSocket.pair()
            let receiver = try pair.takeSecond()
            let peer = RawPeer(try pair.takeFirst())
            peer.send(Array(repeating: 65, count: length) + (length == 50_000 ? [0] : []))
            var reader = MessageReader(limits: limits)
            func readAll() throws -> Int? {
                while true {
                    if let frame = try reader.nextFrame() { return frame.bytes.count }
                    guard try reader.receive(from: receiver.raw, flags: CInt(CVARLINK_DONT_WAIT)) == .received
                    else { return nil }
                }
            }
            if length == 50_000 {
                #expect(try readAll() == length)
            } else {
                #expect { try readAll() } throws: { ($0 as? VarlinkError)?.code == .messageTooLarge }
            }
        }
    }
}

/// Sends any number of descriptors, even more than the module would.
private func sendRights(_ socket: CInt, _ text: String, _ descriptors: [CInt]) {
    let bytes = Array(text.utf8)
    let header = 16
    let length = header + descriptors.count * MemoryLayout<CInt>.size
    var control = [UInt8](repeating: 0, count: (length + 7) & ~7)
    control.withUnsafeMutableBytes { buffer in
        buffer.storeBytes(of: length, as: Int.self)
        buffer.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: CInt.self)
        buffer.storeBytes(of: 1, toByteOffset: 12, as: CInt.self)
        for (index, raw) in descriptors.enumerated() {
            buffer.storeBytes(of: raw, toByteOffset: header + index * MemoryLayout<CInt>.size, as: CInt.self)
        }
    }
    bytes.withUnsafeBytes { bytes in
        var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        control.withUnsafeMutableBytes { control in
            withUnsafeMutablePointer(to: &part) { part in
                var message = msghdr()
                message.msg_iov = part
                message.msg_iovlen = 1
                message.msg_control = control.baseAddress
                message.msg_controllen = length
                #expect(sendmsg(socket, &message, 0) == bytes.count)
            }
        }
    }
}

extension OwnedDescriptor {
    /// Discards what was not received, with its descriptors.
    fileprivate func drain() {
        var result = cvarlink_received()
        var buffer = [UInt8](repeating: 0, count: 4096)
        repeat {
            cvarlink_receive(raw, &buffer, buffer.count, CInt(CVARLINK_DONT_WAIT), &result)
            withUnsafeBytes(of: result.descriptors) { bytes in
                for raw in bytes.bindMemory(to: CInt.self).prefix(result.descriptor_count) { close(raw) }
            }
        } while result.bytes > 0
    }
}

/// A generator that can be repeated, so that a failing case can be run again.
private struct Lehmer: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 32) ^ (state << 17)
    }
}
