import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The servers and the proxy of other tests behave as those tests expect.
@Suite(.needs(.server)) struct TestServersTests {
    @Test(
        "A server keeps its documents and its address over kill -9",
        arguments: Sample.shared.of(WebDAVServer.Kind.allCases))
    func restart(kind: WebDAVServer.Kind) async throws {
        try await WebDAVServer.with(kind) { server in
            try await server.makeFolder("a folder")
            try await server.put("one", "a folder/ü #1.txt")
            #expect(try await server.list() == ["a folder"])
            #expect(try await server.list("a folder") == ["ü #1.txt"])
            try await server.kill()
            await #expect(throws: Problem.self) { try await server.get("a folder/ü #1.txt") }
            try await server.restart()
            #expect(try await server.text("a folder/ü #1.txt") == "one")
            try await server.move("a folder/ü #1.txt", to: "two")
            try await server.delete("a folder")
            #expect(try await server.list() == ["two"])
            #expect(try await server.get("none") == nil)
        }
    }

    @Test("A server asks for credentials, with TLS", arguments: ["basic", "digest"])
    func account(authentication: String) async throws {
        var options = WebDAVServer.Options(username: "ada", authentication: authentication)
        options.usesTLS = true
        try await WebDAVServer.with(.apache, options: options) { server in
            let authority = try #require(server.certificateAuthority)
            let stranger = try await TestServers.curl(["--cacert", authority], server.address("x"))
            #expect(stranger.status == 401)
            #expect(stranger.headers["www-authenticate"]?.lowercased().hasPrefix(authentication) == true)
            try await server.put("one", "x")
            #expect(try await server.text("x") == "one")
        }
    }

    @Test("The proxy applies rules, records requests, holds, refuses and recovers")
    func proxy() async throws {
        try await WebDAVServer.with(.apache) { server in
            try await server.put(String(repeating: "a", count: 100_000), "a")
            try await server.put("b", "b")
            try await FaultProxy.with(server.url) { proxy in
                func get(_ path: String = "a") async throws -> WebDAVServer.Reply {
                    try await TestServers.curl([], proxy.url + path)
                }
                #expect(try await get().body.count == 100_000)

                try await proxy.add(.status(503, retryAfter: "2").on("GET").times(2))
                #expect(try await get().headers["retry-after"] == "2")
                #expect(try await get().status == 503)
                #expect(try await get().status == 200)

                try await proxy.add(.cutResponse(after: 50_000).on("GET", "/a"), .status(404).on(nil, "/b"))
                await #expect(throws: Problem.self) { try await get() }
                #expect(try await get("b").status == 404)

                try await proxy.add(.swap(with: "/b", keepsETag: true).named("lie"))
                #expect(try await get().text == "b")
                #expect(try await proxy.request("of the lie") { $0.rules == ["lie"] && $0.complete }.responseBytes == 1)

                try await proxy.add(.dropReply.on("PUT"))
                let sent = Data("new".utf8)
                await #expect(throws: Problem.self) { try await TestServers.curl([], proxy.url + "c", body: sent) }
                #expect(try await server.text("c") == "new")

                try await proxy.add(.hold(.responseBody, after: 1000))
                async let held = get()
                _ = try await proxy.request("that is held") { !$0.finished && $0.responseBytes == 1000 }
                try await proxy.release()
                #expect(try await held.body.count == 100_000)

                try await proxy.refuse()
                await #expect(throws: Problem.self) { try await get() }
                try await proxy.accept()
                #expect(try await get().status == 200)

                try await proxy.reset()
                #expect(try await proxy.requests().isEmpty)
            }
        }
    }

    @Test("A started program is waited for, distinguished from a killed one, and gets no descriptors")
    func child() async throws {
        let quick = try ChildProcess("/bin/sh", ["-c", "exit 7"], environment: [:])
        quick.waitUntilExit()
        #expect(quick.terminationReason == .exit && quick.terminationStatus == 7)
        let slow = try ChildProcess("/bin/sleep", ["600"], environment: [:])
        #expect(slow.isRunning)
        // At its start its loader has a library open for a moment; an inherited descriptor stays open for ten minutes.
        let deadline = ContinuousClock.now + .seconds(60)
        var descriptors: [String] = []
        repeat {
            try await Task.sleep(for: .milliseconds(20))
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(slow.processIdentifier)/fd")
        } while descriptors.sorted() != ["0", "1", "2"] && .now < deadline
        #expect(descriptors.sorted() == ["0", "1", "2"])
        slow.send(SIGKILL)
        slow.waitUntilExit()
        #expect(slow.terminationReason == .uncaughtSignal && slow.terminationStatus == SIGKILL)
        #expect(throws: Problem.self) { try ChildProcess("/nonexistent", environment: [:]) }
    }
}
