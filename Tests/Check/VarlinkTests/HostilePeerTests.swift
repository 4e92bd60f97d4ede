import DocentTestSupport
import Glibc
import Synchronization
import Testing

@testable import Varlink

@Suite("Hostile peers", .mayBlock)
struct HostilePeerTests {
    private static let notMessages: [String] = [
        "garbage\0", "\0", "\0\0\0", "{}\0", "[1]\0", "null\0", #"{"method":null}"# + "\0",
        #"{"method":"org.docent.Test.Echo","parameters":[]}"# + "\0", "GET / HTTP/1.1\r\n\r\n\0",
        #"{"method":"org.docent.Test.Echo","parameters":{"number":1}}{}"# + "\0", "\u{FEFF}{}\0",
        #"{"method":"a.b","parameters":"# + String(repeating: "[", count: 100_000) + "\0",
        #"{"method":"a.b","parameters":{"x":"# + String(repeating: "{\"a\":", count: 40) + "\0",
    ]

    private static let hostileReplies: [(String, VarlinkError.Code)] = [
        ("garbage\0", .malformed), ("{}\0{}\0", .malformed), ("{", .closed), ("", .closed),
        (#"{"parameters":{"number":"x"}}"# + "\0", .malformed),
        (#"{"parameters":{"number":1},"continues":true}"# + "\0", .malformed),
        (#"{"parameters":{"number":1}}"# + "\0x", .malformed),
        (#"{"parameters":{"x":"# + String(repeating: "[", count: 99) + "\0", .tooDeep),
    ]

    @Test(
        "T4: an invalid message closes the connection, and other connections continue",
        arguments: notMessages)
    func closesOnly(_ text: String) async throws {
        let fixture = Fixture()
        let other = try fixture.connect()
        let peer = try fixture.rawPeer()
        peer.send(text)
        #expect(try await peer.receive() == nil)
        #expect(await eventually { fixture.recorder.failures.count == 1 })
        let echo: Reply<Number> = try other.callBlocking("org.docent.Test.Echo", Number(number: 5))
        #expect(echo.value.number == 5)
    }

    @Test("T4: an endless flood closes the connection at the limit")
    func flood() async throws {
        let fixture = Fixture()
        let peer = try fixture.rawPeer()
        let piece = Array(repeating: UInt8(ascii: "a"), count: 1 << 16)
        var sent = 0
        while sent < 64 << 20 {
            let result = peer.send(piece)
            if result < 0 { break }
            sent += result
        }
        #expect(sent < 4 << 20)
        #expect(await eventually { fixture.recorder.failures == [.messageTooLarge] })
    }

    @Test(
        "T4: a message that is never completed closes the connection after the time limit",
        arguments: ["{", "{\"method\""])
    func half(_ text: String) async throws {
        var limits = ServerLimits()
        limits.incompleteTimeout = .milliseconds(50)
        let fixture = Fixture(limits: limits)
        let peer = try fixture.rawPeer()
        peer.send(text)
        #expect(try await peer.receive() == nil)
        #expect(await eventually { fixture.recorder.failures == [.timedOut] })
    }

    @Test("T1: half a message with descriptors, followed by the end, closes the descriptors")
    func halfWithDescriptors() async throws {
        let peer = try Fixture().rawPeer()
        let witness = try Witness()
        peer.send(#"{"method":"org"#, descriptors: [witness.raw, witness.raw])
        peer.shutdown()
        #expect(await witness.isGone())
    }

    @Test("T1: descriptors on bytes that never become a message close the connection at 32")
    func descriptorFlood() async throws {
        let fixture = Fixture()
        let peer = try fixture.rawPeer()
        let witness = try Witness()
        for _ in 0..<40 where peer.send("x", descriptors: [witness.raw]) < 0 { break }
        #expect(await eventually { fixture.recorder.failures == [.descriptorMismatch] })
        #expect(await witness.isGone())
    }

    @Test("A call sent byte by byte is answered")
    func byteByByte() async throws {
        let peer = try Fixture().rawPeer()
        let witness = try Witness()
        let bytes = Array(#"{"method":"org.docent.Test.Names","parameters":{"names":["é"]}}"#.utf8) + [0]
        for (index, byte) in bytes.enumerated() {
            peer.send([byte], descriptors: index == 0 ? [witness.raw] : [])
        }
        witness.closeOwn()
        #expect(try await peer.receive() == #"{"parameters":{"text":""}}"#)
        #expect(await witness.isGone())
    }

    @Test("Unusual JSON is still understood")
    func unusual() async throws {
        let peer = try Fixture().rawPeer()
        peer.send(
            #" { "parameters" : { "text" : "\u00e9\n\u0000" } , "\u006dethod" : "org.docent.Test\u002eSay" } "# + "\0")
        #expect(try await peer.receive() == #"{"parameters":{"text":"é\n\u0000"}}"#)
    }

    @Test("T4: a reply above the limit becomes an error; the connection stays open")
    func largeReply() async throws {
        let fixture = Fixture { table in
            table.immediate("Grow", Number.self) { value, _ in
                Reply(Text(text: String(repeating: "g", count: value.number)))
            }
        }
        let connection = try fixture.connect()
        #expect {
            let _: Reply<Text> = try connection.callBlocking("org.docent.Test.Grow", Number(number: 1 << 20))
        } throws: { ($0 as? VarlinkCallError)?.decode([String: String].self) == ["what": "VarlinkError"] }
        let count = (1 << 20) - 100
        let large: Reply<Text> = try connection.callBlocking("org.docent.Test.Grow", Number(number: count))
        #expect(large.value.text.utf8.count == count)
        let back: Reply<Text> = try connection.callBlocking("org.docent.Test.Say", large.value)
        #expect(back.value == large.value)
    }

    @Test("T4: pipelining without reading blocks only that peer, which is disconnected after the time limit")
    func neverReads() async throws {
        var limits = ServerLimits()
        limits.unreadTimeout = .milliseconds(100)
        let fixture = Fixture(limits: limits)
        let peer = try fixture.rawPeer()
        let text =
            #"{"method":"org.docent.Test.Say","parameters":{"text":"\#(String(repeating: "n", count: 30_000))"}}"#
        while peer.send(text + "\0") > 0 {}
        #expect(await eventually { fixture.recorder.failures == [.timedOut] })
    }

    @Test(
        "A hostile service makes the client's call fail and closes the connection",
        arguments: hostileReplies)
    func hostileService(_ reply: String, _ code: VarlinkError.Code) async throws {
        var pair = try UnixSocket.pair()
        let connection = VarlinkConnection(descriptor: try pair.takeFirst())
        let service = RawPeer(try pair.takeSecond())
        service.send(reply)
        service.halfClose()
        #expect { let _: Reply<Number> = try connection.callBlocking("a.B", Number(number: 1)) } throws: {
            ($0 as? VarlinkError)?.code == code
        }
        #expect(connection.isClosed)
    }

    @Test("T1: undeclared descriptors of a reply are closed with the connection", arguments: [0, 2])
    func hostileDescriptors(_ count: Int) async throws {
        var pair = try UnixSocket.pair()
        let connection = VarlinkConnection(descriptor: try pair.takeFirst())
        let service = RawPeer(try pair.takeSecond())
        let witness = try Witness()
        service.send(
            #"{"parameters":{"names":["a"]}}"# + "\0", descriptors: Array(repeating: witness.raw, count: count))
        #expect { let _: Reply<Files> = try connection.callBlocking("a.B", NoParameters()) } throws: {
            ($0 as? VarlinkError)?.code == .descriptorMismatch
        }
        #expect(connection.isClosed)
        withExtendedLifetime(connection) { witness.closeOwn() }
    }
}
