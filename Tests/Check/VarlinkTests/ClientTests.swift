import DocentTestSupport
import Glibc
import Synchronization
import Testing

@testable import Varlink

@Suite("A client's connection", .mayBlock)
struct ClientTests {
    /// A service that never answers.
    private func silent() throws -> (VarlinkConnection, RawPeer) {
        var pair = try UnixSocket.pair()
        return (VarlinkConnection(descriptor: try pair.takeFirst()), RawPeer(try pair.takeSecond()))
    }

    @Test("A deadline ends a blocking call and the connection")
    func deadline() async throws {
        let (connection, peer) = try silent()
        #expect {
            let _: Reply<Number> = try connection.callBlocking(
                "a.B", Number(number: 1), deadline: .milliseconds(30))
        } throws: { ($0 as? VarlinkError)?.code == .timedOut }
        #expect(connection.isClosed)
        #expect(try await peer.receive() == #"{"method":"a.B","parameters":{"number":1}}"#)
        #expect(try await peer.receive() == nil)
    }

    @Test("A deadline also ends sending to a service that does not read")
    func sendDeadline() async throws {
        let (connection, peer) = try silent()
        let text = Text(text: String(repeating: "t", count: 900_000))
        #expect {
            let _: Reply<Number> = try connection.callBlocking("a.B", text, deadline: .milliseconds(30))
        } throws: { ($0 as? VarlinkError)?.code == .timedOut }
        withExtendedLifetime(peer) {}
    }

    @Test("T3: cancelling a call closes the connection and throws cancelled")
    func cancel() async throws {
        let (connection, peer) = try silent()
        let task = Task { () -> Reply<Number> in try await connection.call("a.B", Number(number: 1)) }
        #expect(try await peer.receive() != nil)
        task.cancel()
        let result = await task.result
        #expect { try result.get() } throws: { ($0 as? VarlinkError)?.code == .cancelled }
        #expect(connection.isClosed)
        #expect(try await peer.receive() == nil)
    }

    @Test("T3: cancelling a call that has not begun does not disturb the running one")
    func cancelWaiting() async throws {
        let (connection, peer) = try silent()
        let first = Task { () -> Reply<Number> in try await connection.call("a.First", Number(number: 1)) }
        #expect(try await peer.receive()?.contains("First") == true)
        let second = Task { () -> Reply<Number> in try await connection.call("a.Second", Number(number: 2)) }
        try await Task.sleep(for: .milliseconds(20))
        second.cancel()
        peer.send(#"{"parameters":{"number":3}}"# + "\0")
        #expect(try await first.value.value.number == 3)
        let result = await second.result
        #expect { try result.get() } throws: { ($0 as? VarlinkError)?.code == .cancelled }
        let third = Task { () -> Reply<Number> in try await connection.call("a.Third", Number(number: 3)) }
        #expect(try await peer.receive()?.contains("Third") == true)
        peer.send(#"{"parameters":{"number":4}}"# + "\0")
        #expect(try await third.value.value.number == 4)
    }

    @Test("Closing from another thread ends a waiting call")
    func close() async throws {
        let (connection, peer) = try silent()
        let task = Task { () -> Reply<Number> in try await connection.call("a.B", Number(number: 1)) }
        #expect(try await peer.receive() != nil)
        connection.close()
        let result = await task.result
        #expect { try result.get() } throws: { ($0 as? VarlinkError)?.code == .closed }
        let next = await Task { () -> Reply<Number> in try await connection.call("a.B", Number(number: 1)) }.result
        #expect { try next.get() } throws: { ($0 as? VarlinkError)?.code == .closed }
    }

    @Test("Calls of many threads take turns, and each gets its own reply")
    func manyCallers() async throws {
        let connection = try Fixture().connect()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for caller in 0..<8 {
                group.addTask {
                    for round in 0..<200 {
                        let number = Number(number: caller * 1000 + round)
                        let method = round % 3 == 0 ? "EchoLater" : "Echo"
                        let reply: Reply<Number> = try await connection.call("org.docent.Test.\(method)", number)
                        if reply.value != number { return false }
                    }
                    return true
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test("T4: a message that the service would refuse is not sent")
    func refusesToSend() async throws {
        let connection = try Fixture().connect()
        for (code, call) in [
            (
                VarlinkError.Code.messageTooLarge,
                {
                    _ =
                        try connection.callBlocking("a.B", Text(text: String(repeating: "x", count: 1 << 20)))
                        as Reply<Text>
                }
            ),
            (.descriptorMismatch, { _ = try connection.callBlocking("a.B", Files(names: ["a"])) as Reply<Text> }),
            (.malformed, { _ = try connection.callRawBlocking([0x7B, 0, 0x7D]) }),
        ] as [(VarlinkError.Code, () throws -> Void)] {
            #expect { try call() } throws: { ($0 as? VarlinkError)?.code == code }
        }
        #expect(!connection.isClosed)
    }

    @Test("D2: descriptors of a call that could not be sent stay with the caller")
    func keepsUnsent() async throws {
        let (connection, _) = try silent()
        connection.close()
        let list = DescriptorList(try file(containing: "kept"))
        #expect(throws: VarlinkError.self) {
            let _: Reply<Text> = try connection.callBlocking("a.B", Files(names: ["a"]), descriptors: list)
        }
        #expect(content(of: try list.take(0)) == "kept")
    }

    @Test(
        "A missing socket is an error with the system's number",
        arguments: [("/nonexistent/socket", ENOENT), ("", ENAMETOOLONG)])
    func missing(_ path: String, _ number: CInt) {
        #expect { try VarlinkConnection.connect(path: path) } throws: { ($0 as? VarlinkError)?.errno == number }
    }
}
