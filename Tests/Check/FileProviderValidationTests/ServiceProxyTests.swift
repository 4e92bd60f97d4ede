import DocentTestSupport
import FileProviderValidation
import Glibc
import Testing

/// The proxy between a provider and its service, with real sockets.
@Suite(.mayBlock) struct ServiceProxyTests {
    private static func proxy(_ server: LoopbackServer, latency: Duration = .zero) throws -> ServiceProxy {
        try ServiceProxy(to: ServiceAddress(host: "127.0.0.1", port: server.port), latency: latency)
    }

    /// Waits for an effect of another thread.
    private static func eventually(_ isSo: () -> Bool) -> Bool {
        for _ in 0..<3_000 {
            if isSo() { return true }
            usleep(10_000)
        }
        return false
    }

    @Test("bytes pass both ways, and are counted")
    func passes() throws {
        let server = try LoopbackServer()
        let proxy = try Self.proxy(server)
        let text = String(repeating: "abc", count: 200_000)
        for _ in 0..<3 {
            let (peer, error) = LoopbackServer.connect(proxy.port)
            defer { close(peer) }
            #expect(error == 0)
            #expect(LoopbackServer.ask(peer, text).answer == text.uppercased())
        }
        #expect(proxy.carried.up == 1_800_000 && proxy.carried.down == 1_800_000)
        #expect(server.connections == 3)
    }

    @Test("everything is delayed by the latency, each way")
    func latency() throws {
        let server = try LoopbackServer()
        let proxy = try Self.proxy(server, latency: .milliseconds(150))
        let (peer, _) = LoopbackServer.connect(proxy.port)
        defer { close(peer) }
        let begin = ContinuousClock.now
        #expect(LoopbackServer.ask(peer, "late").answer == "LATE")
        #expect(ContinuousClock.now - begin >= .milliseconds(300))
    }

    @Test("during a pause connections are refused and old ones reset; afterwards the same port answers")
    func pauses() throws {
        let server = try LoopbackServer()
        let proxy = try Self.proxy(server)
        for _ in 0..<5 {
            let (peer, _) = LoopbackServer.connect(proxy.port)
            defer { close(peer) }
            #expect(LoopbackServer.ask(peer, "one").answer == "ONE")
            proxy.pause()
            let (other, error) = LoopbackServer.connect(proxy.port)
            close(other)
            #expect(error == ECONNREFUSED)
            #expect(LoopbackServer.ask(peer, "two").answer == "")
            try proxy.resume()
            let (again, _) = LoopbackServer.connect(proxy.port)
            defer { close(again) }
            #expect(LoopbackServer.ask(again, "three").answer == "THREE")
        }
    }

    @Test("a cut is an error at both ends, not an end of file; the next connection passes")
    func cuts() throws {
        let server = try LoopbackServer()
        let proxy = try Self.proxy(server)
        let (peer, _) = LoopbackServer.connect(proxy.port)
        defer { close(peer) }
        #expect(LoopbackServer.ask(peer, "one").answer == "ONE")
        proxy.cut()
        var byte: UInt8 = 0
        let count = recv(peer, &byte, 1, 0)
        let code = errno
        #expect(count < 0 && code == ECONNRESET)
        #expect(Self.eventually { server.resets == 1 })
        let (again, _) = LoopbackServer.connect(proxy.port)
        defer { close(again) }
        #expect(LoopbackServer.ask(again, "two").answer == "TWO")
    }

    @Test("it pauses at a byte of either direction, and not one more arrives", arguments: [0, 1, 70_000, 199_999])
    func limits(_ count: Int) throws {
        let text = String(repeating: "x", count: 200_000)
        for direction in [ServiceProxy.Direction.up, .down] {
            let server = try LoopbackServer()
            let proxy = try Self.proxy(server)
            let (peer, _) = LoopbackServer.connect(proxy.port)
            defer { close(peer) }
            proxy.pause(after: count, direction)
            #expect(LoopbackServer.ask(peer, text).answer.utf8.count <= count)
            #expect(Self.eventually { proxy.hasStruck })
            switch direction {
            case .up: #expect(proxy.carried.up == count && server.received <= count)
            case .down: #expect(proxy.carried.down == count)
            }
            let (other, error) = LoopbackServer.connect(proxy.port)
            close(other)
            #expect(error == ECONNREFUSED)
            try proxy.resume()
            #expect(!proxy.hasStruck)
            let (again, _) = LoopbackServer.connect(proxy.port)
            defer { close(again) }
            #expect(LoopbackServer.ask(again, text).answer == text.uppercased())
        }
    }

    @Test("a missing service resets the connection, and a client that floods is cut")
    func trouble() throws {
        let gone = try LoopbackServer().port
        let proxy = try ServiceProxy(to: ServiceAddress(host: "127.0.0.1", port: gone))
        let (peer, _) = LoopbackServer.connect(proxy.port)
        defer { close(peer) }
        #expect(LoopbackServer.ask(peer, "hello").answer == "")
        let server = try LoopbackServer()
        let busy = try Self.proxy(server)
        let many = (0..<100).map { _ in LoopbackServer.connect(busy.port).socket }
        defer { for one in many { close(one) } }
        #expect(LoopbackServer.ask(many[0], "first").answer == "FIRST")
        #expect(Self.eventually { server.connections >= 64 })
        #expect(server.connections <= 64)
    }

    @Test("a released proxy accepts no connection and leaves no thread")
    func ends() throws {
        let server = try LoopbackServer()
        var port: UInt16 = 0
        var peer: CInt = -1
        do {
            let proxy = try Self.proxy(server)
            port = proxy.port
            peer = LoopbackServer.connect(port).socket
            #expect(LoopbackServer.ask(peer, "one").answer == "ONE")
        }
        defer { close(peer) }
        // A thread that is just done with the first answer may be the last that refers to the proxy.
        #expect(
            Self.eventually {
                let (other, error) = LoopbackServer.connect(port)
                close(other)
                return error == ECONNREFUSED
            })
        #expect(LoopbackServer.ask(peer, "two").answer == "")
    }
}
