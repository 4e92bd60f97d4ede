import CVarlinkSocket
import DocentTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Varlink

/// The bytes of messages with secrets do not stay in our buffers.
@Suite(.mayBlock) struct WipingTests {
    private struct Confidence: VarlinkMessage, Equatable {
        var secret: String
        static var hasSecrets: Bool { true }
    }

    private static let secret = "hush-wire0001"

    @Test("A message that was read is overwritten in the buffer, and the one behind it is not")
    func frames() throws {
        var pair = try UnixSocket.pair()
        let receiver = try pair.takeSecond()
        let peer = RawPeer(try pair.takeFirst())
        peer.send("\(Self.secret)\0second\0")
        var reader = MessageReader(limits: ServerLimits())
        #expect(try reader.receive(from: receiver.raw, flags: 0) == .received)
        let first = try #require(try reader.nextFrame())
        reader.wipe(first)
        #expect(reader.withBytes(first) { $0.allSatisfy { $0 == 0 } && $0.count == Self.secret.utf8.count })
        let second = try #require(try reader.nextFrame())
        #expect(reader.withBytes(second) { String(decoding: $0, as: UTF8.self) } == "second")
    }

    @Test("Bytes are overwritten for all who share them")
    func shared() {
        let bytes = Array(Self.secret.utf8)
        let copy = bytes
        Wiping.wipe(bytes)
        #expect(copy.allSatisfy { $0 == 0 })
        let data = Data(repeating: 7, count: 100)
        let other = data
        Wiping.wipe(data)
        #expect(other == Data(repeating: 0, count: 100))
        Wiping.wipe([])
        Wiping.wipe(Data())
    }

    @Test("A reply with a secret is overwritten once it is sent; another one is not")
    func replies() throws {
        var pair = try UnixSocket.pair()
        let ours = try pair.takeFirst()
        let theirs = try pair.takeSecond()
        var writer = ServerWriter(socket: ours.raw, limits: ServerLimits())
        let secret = try EncodedReply(Reply(Confidence(secret: Self.secret)))
        let open = try EncodedReply(Reply(Text(text: "open")))
        try writer.sendAll(secret)
        try writer.sendAll(open)
        #expect(secret.bytes.allSatisfy { $0 == 0 })
        #expect(String(decoding: open.bytes, as: UTF8.self).contains("open"))
        var reader = MessageReader(limits: ServerLimits())
        #expect(try reader.receive(from: theirs.raw, flags: 0) == .received)
        let frame = try #require(try reader.nextFrame())
        #expect(reader.withBytes(frame) { String(decoding: $0, as: UTF8.self) }.contains(Self.secret))
    }

    @Test(
        "Calls, replies and streams with secrets of any size arrive whole, and the parameters are wiped once read",
        arguments: [1, 100, 20_000, 200_000])
    func whole(_ count: Int) async throws {
        let left = Mutex<[Data]>([])
        let fixture = Fixture { table in
            table.call("Confide", Confidence.self) { value, call in
                left.withLock { $0.append(call.parameters) }
                return Reply(value)
            }
            // Answered without the threads on which tests run, so that a test may block.
            table.immediate("ConfideNow", Confidence.self) { value, call in
                left.withLock { $0.append(call.parameters) }
                return Reply(value)
            }
            table.stream("Tell", Confidence.self) { value, call, sink in
                left.withLock { $0.append(call.parameters) }
                for _ in 0..<3 { try await sink.send(Reply(value)) }
                return Reply(value)
            }
        }
        let secret = Confidence(secret: Self.secret + String(repeating: "x", count: count))
        let connection = try fixture.connect()
        for _ in 0..<3 {
            let reply: Reply<Confidence> = try await connection.call("org.docent.Test.Confide", secret)
            #expect(reply.value == secret)
            let blocking: Reply<Confidence> = try connection.callBlocking("org.docent.Test.ConfideNow", secret)
            #expect(blocking.value == secret)
            let plain: Reply<Number> = try await connection.call("org.docent.Test.Echo", Number(number: 4))
            #expect(plain.value == Number(number: 4))
        }
        var told = 0
        for try await reply in connection.stream("org.docent.Test.Tell", secret, Confidence.self) {
            #expect(reply.value == secret)
            told += 1
        }
        #expect(told == 4)
        let parameters = left.withLock { $0 }
        #expect(parameters.count == 7)
        #expect(parameters.allSatisfy { $0.allSatisfy { $0 == 0 } })
    }
}
