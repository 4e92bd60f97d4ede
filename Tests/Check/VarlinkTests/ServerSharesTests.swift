import DocentTestSupport
import Glibc
import Synchronization
import Testing

@testable import Varlink

/// T4: connections and half messages count for each principal; a refused one gets the reason.
@Suite(.mayBlock) struct ServerSharesTests {
    private static let hostile = ShareHolder(.confined, "run:org.example.hostile")
    private static let honest = ShareHolder(.confined, "run:org.example.honest")

    private static func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
        var limits = ServerLimits()
        change(&limits)
        return limits
    }

    @Test("T4: a principal's connections are limited across its processes; others are accepted, and closing makes room")
    func connections() async throws {
        let limits = Self.limits {
            $0.connections = ShareLimits(
                total: 8, unconfined: .init(each: 4, together: 4), confined: .init(each: 2, together: 6))
        }
        let fixture = Fixture(limits: limits)
        fixture.recorder.holders.withLock { $0.first = Self.hostile }
        var peers = [try fixture.rawPeer(), try fixture.rawPeer()]
        #expect(throws: VarlinkError.self) { try fixture.rawPeer() }
        fixture.recorder.holders.withLock { $0.first = Self.honest }
        peers.append(try fixture.rawPeer())
        #expect(fixture.server.amount(of: .connections, Self.hostile) == 2)
        peers.removeFirst()
        #expect(await eventually { fixture.server.amount(of: .connections, Self.hostile) == 1 })
        fixture.recorder.holders.withLock { $0.first = Self.hostile }
        peers.append(try fixture.rawPeer())
        #expect(throws: VarlinkError.self) { try fixture.rawPeer() }
    }

    @Test("T4: a peer that is refused at the socket gets the reason at once and takes no place; others are served")
    func refusedWithReason() async throws {
        let limits = Self.limits {
            $0.connections = ShareLimits(
                total: 8, unconfined: .init(each: 4, together: 4), confined: .init(each: 1, together: 4))
            // A slow machine may take long before it asks.
            $0.refusalTimeout = .seconds(60)
        }
        let fixture = Fixture(limits: limits)
        let path = "/tmp/docent-shares-\(getpid()).sock"
        unlink(path)
        defer { unlink(path) }
        try fixture.server.listen(on: UnixSocket.listen(path: path, mode: 0o600), label: "common")
        fixture.recorder.holders.withLock { $0.first = Self.hostile }
        let first = try VarlinkConnection.connect(path: path)
        #expect(try Self.echo(first) == 7)
        // Many more than are kept open to get the reason.
        let refused = try (0..<40).map { _ in try VarlinkConnection.connect(path: path) }
        #expect(await eventually { fixture.server.connectionCount == 1 })
        #expect { try Self.echo(refused[39]) } throws: {
            ($0 as? VarlinkCallError)?.name == "org.docent.Test.Crowded"
        }
        fixture.recorder.holders.withLock { $0.first = Self.honest }
        #expect(try Self.echo(VarlinkConnection.connect(path: path)) == 7)
        #expect(try Self.echo(first) == 7)
        fixture.server.shutdown()
    }

    @Test("T4: a peer that is recognised counts for its principal, and is refused if that is at its limit")
    func recognised() async throws {
        let limits = Self.limits {
            $0.connections = ShareLimits(
                total: 8, unconfined: .init(each: 4, together: 4), confined: .init(each: 1, together: 4),
                unrecognised: .init(each: 2, together: 2))
        }
        let fixture = Fixture(limits: limits)
        let process = ShareHolder(.unrecognised, "process 1")
        fixture.recorder.holders.withLock { $0 = (process, Self.honest) }
        let first = try fixture.connect()
        #expect(try Self.echo(first) == 7)
        #expect(fixture.server.amount(of: .connections, process) == 0)
        #expect(fixture.server.amount(of: .connections, Self.honest) == 1)
        let second = try fixture.connect()
        #expect { try Self.echo(second) } throws: { ($0 as? VarlinkCallError)?.name == "org.docent.Test.Crowded" }
        #expect(await eventually { fixture.server.connectionCount == 1 })
        #expect(fixture.server.amount(of: .connections, process) == 0)
    }

    @Test("T4: a principal's half messages are limited, and do not affect another principal's")
    func halfMessages() async throws {
        let limits = Self.limits {
            $0.unfinishedMessages = ShareLimits(
                total: 8, unconfined: .init(each: 4, together: 4), confined: .init(each: 2, together: 6))
        }
        let fixture = Fixture(limits: limits)
        fixture.recorder.holders.withLock { $0.first = Self.hostile }
        let halves = try (0..<2).map { _ in try fixture.rawPeer() }
        for peer in halves { peer.send(#"{"method":"org.docent.Test.Echo","#) }
        #expect(await eventually { fixture.server.amount(of: .connections, Self.hostile) == 2 })
        // It counts once the half message has been read.
        #expect(await eventually { fixture.server.unfinishedMessages(of: Self.hostile) == 2 })
        let third = try fixture.rawPeer()
        third.send(#"{"method":"#)
        #expect(try await third.receive()?.contains("Crowded") == true)
        #expect(try await third.receive() == nil)
        fixture.recorder.holders.withLock { $0.first = Self.honest }
        let honest = try fixture.connect()
        #expect(try Self.echo(honest) == 7)
        // Once complete, it no longer counts.
        halves[0].send("\"parameters\":{\"number\":3}}\0")
        #expect(try await halves[0].receive()?.contains("3") == true)
        #expect(await eventually { fixture.server.unfinishedMessages(of: Self.hostile) == 1 })
    }

    @Test("T4: the buffers of a principal's long messages have a common limit, and are returned")
    func messageBytes() async throws {
        let limits = Self.limits {
            $0.messageBufferBytes = ShareLimits(
                total: 8 << 20, unconfined: .init(each: 4 << 20, together: 4 << 20),
                confined: .init(each: 1 << 20, together: 4 << 20))
        }
        let fixture = Fixture(limits: limits)
        fixture.recorder.holders.withLock { $0.first = Self.hostile }
        let peers = try (0..<8).map { _ in try fixture.rawPeer() }
        let long = #"{"method":"org.docent.Test.Echo","parameters":{"x":""# + String(repeating: "a", count: 150_000)
        for peer in peers { peer.send(long) }
        #expect(await eventually { fixture.server.connectionCount < 8 })
        #expect(fixture.server.amount(of: .messageBytes, Self.hostile) <= 1 << 20)
        fixture.recorder.holders.withLock { $0.first = Self.honest }
        let honest = try fixture.connect()
        let text = String(repeating: "b", count: 400_000)
        let reply: Reply<Text> = try honest.callBlocking("org.docent.Test.Say", Text(text: text))
        #expect(reply.value.text == text)
        #expect(try Self.echo(honest) == 7)
        #expect(await eventually { fixture.server.amount(of: .messageBytes, Self.honest) == 0 })
        fixture.server.shutdown()
        #expect(await eventually { fixture.server.amount(of: .messageBytes, Self.hostile) == 0 })
    }

    private static func echo(_ connection: VarlinkConnection) throws -> Int {
        let reply: Reply<Number> = try connection.callBlocking("org.docent.Test.Echo", Number(number: 7))
        return reply.value.number
    }
}

extension VarlinkServer {
    fileprivate func unfinishedMessages(of holder: ShareHolder) -> Int { amount(of: .unfinishedMessages, holder) }
}
