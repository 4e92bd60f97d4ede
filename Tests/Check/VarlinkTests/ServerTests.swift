import DocentTestSupport
import Glibc
import Synchronization
import Testing

@testable import Varlink

@Suite("A server answers calls", .mayBlock)
struct ServerTests {
    private static let uncallable: [(String, String, String)] = [
        (#""method":"org.docent.Test.Nothing""#, "MethodNotFound", "org.docent.Test.Nothing"),
        (#""method":"org.docent.Nothing.Echo""#, "InterfaceNotFound", "org.docent.Nothing"),
        (#""method":"Echo""#, "InvalidParameter", "method"),
        (
            #""method":"org.docent.Test.Echo","upgrade":true,"parameters":{"number":1}"#, "MethodNotImplemented",
            "org.docent.Test.Echo"
        ),
        (#""method":"org.docent.Test.Echo","parameters":{"number":"x"}"#, "InvalidParameter", "number"),
        (#""method":"org.docent.Test.Echo","parameters":{}"#, "InvalidParameter", "number"),
        (#""method":"org.docent.Test.Echo""#, "InvalidParameter", "number"),
        (#""method":"org.docent.Test.Echo","parameters":{"number":tru}"#, "InvalidParameter", ""),
        (
            #""method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}"#,
            "InterfaceNotFound", "a.b"
        ),
    ]

    @Test("T5: a call gets its reply, immediate, raw or from a task")
    func calls() async throws {
        let fixture = Fixture()
        let connection = try fixture.connect()
        let immediate: Reply<Number> = try connection.callBlocking("org.docent.Test.Echo", Number(number: 1))
        let raw: Reply<Number> = try connection.callBlocking("org.docent.Test.Raw", Number(number: 2))
        let later: Reply<Number> = try await connection.call("org.docent.Test.EchoLater", Number(number: 3))
        #expect(immediate.value == Number(number: 1))
        #expect(raw.value == Number(number: 2))
        #expect(later.value == Number(number: 3))
        #expect(fixture.server.connectionCount == 1)
    }

    @Test("T5: unknown fields are ignored and pipelined calls are answered in order")
    func pipelined() async throws {
        let peer = try Fixture().rawPeer()
        let methods = ["Echo", "EchoLater", "Raw"]
        let text = (0..<40).map { number in
            #"{"x":{},"parameters":{"number":\#(number),"new":[1]},"method":"org.docent.Test.\#(methods[number % 2])"}"#
        }
        peer.send(text.joined(separator: "\0") + "\0")
        for number in 0..<40 {
            #expect(try await peer.receive() == #"{"parameters":{"number":\#(number)}}"#)
        }
    }

    @Test(
        "T5: an invalid call is answered with the protocol's error",
        arguments: uncallable)
    func errors(_ call: String, _ error: String, _ value: String) async throws {
        let peer = try Fixture().rawPeer()
        peer.send("{\(call)}\0")
        let reply = try #require(try await peer.receive())
        #expect(reply.hasPrefix(#"{"error":"org.varlink.service.\#(error)""#))
        #expect(reply.hasSuffix(#":"\#(value)"}}"#))
        peer.send(#"{"method":"org.docent.Test.Echo","parameters":{"number":7}}"# + "\0")
        #expect(try await peer.receive() == #"{"parameters":{"number":7}}"#)
    }

    @Test("T5: the service describes itself")
    func introspection() async throws {
        struct Information: VarlinkMessage { var vendor, product, version, url: String; var interfaces: [String] }
        struct Query: VarlinkMessage { var interface: String }
        struct Description: VarlinkMessage { var description: String }
        let connection = try Fixture().connect()
        let information: Reply<Information> = try connection.callBlocking("org.varlink.service.GetInfo", NoParameters())
        #expect(information.value.product == "Test" && information.value.url == "https://example.org")
        #expect(information.value.interfaces == ["org.varlink.service", "org.docent.Test"])
        let description: Reply<Description> = try connection.callBlocking(
            "org.varlink.service.GetInterfaceDescription", Query(interface: "org.docent.Test"))
        #expect(description.value.description == "interface org.docent.Test\n")
    }

    @Test("Errors of handlers keep their name, others are mapped")
    func handlerErrors() async throws {
        let connection = try Fixture { table in
            table.immediate("Own", NoParameters.self) { _, _ -> Reply<Number> in
                throw VarlinkCallError(name: "org.docent.Test.Own", ["path": "a\"b/\u{1}"])
            }
            table.call("Other", NoParameters.self) { _, _ -> Reply<Number> in throw OtherError() }
        }.connect()
        for (method, name, key, value) in [
            ("Own", "Own", "path", "a\"b/\u{1}"), ("Other", "Mapped", "what", "OtherError"),
        ] {
            await #expect {
                let _: Reply<Number> = try await connection.call("org.docent.Test.\(method)", NoParameters())
            } throws: { error in
                let error = error as? VarlinkCallError
                return error?.name == "org.docent.Test.\(name)" && error?.decode([String: String].self) == [key: value]
            }
        }
        #expect(!connection.isClosed)
    }

    @Test("T1: descriptors are passed both ways with their call")
    func descriptors() async throws {
        let connection = try Fixture().connect()
        let list = DescriptorList()
        for name in ["x", "y"] { list.append(try file(containing: name)) }
        let names: Reply<Text> = try connection.callBlocking(
            "org.docent.Test.Names", Files(names: ["0", "1"]), descriptors: list)
        #expect(names.value.text == "x,y")
        let files: Reply<Files> = try connection.callBlocking("org.docent.Test.Open", Text(text: "a,b,c"))
        #expect(try (0..<3).map { content(of: try files.descriptors.take($0)) } == ["a", "b", "c"])
        let (raw, received) = try connection.callRawBlocking(
            Array(#"{"method":"org.docent.Test.Open","parameters":{"text":"q"}}"#.utf8))
        #expect(String(decoding: raw, as: UTF8.self) == #"{"parameters":{"names":["q"]}}"#)
        #expect(content(of: try received.take(0)) == "q")
    }

    @Test(
        "T1: a call with a wrong number of descriptors closes them and the connection",
        arguments: [(["a"], 0), (["a"], 2), ([], 1), (["a", "b"], 1)])
    func descriptorMismatch(_ names: [String], _ count: Int) async throws {
        let fixture = Fixture()
        let peer = try fixture.rawPeer()
        let witness = try Witness()
        let list = names.map { "\"\($0)\"" }.joined(separator: ",")
        peer.send(
            #"{"method":"org.docent.Test.Names","parameters":{"names":[\#(list)]}}"# + "\0",
            descriptors: Array(repeating: witness.raw, count: count))
        #expect(try await peer.receive() == nil)
        #expect(await witness.isGone())
        #expect(await eventually { fixture.recorder.failures == [.descriptorMismatch] })
    }

    @Test("T5: descriptors of an unreadable call are closed, and the call is answered")
    func descriptorsOfUnknown() async throws {
        let peer = try Fixture().rawPeer()
        let witness = try Witness()
        peer.send(#"{"method":"org.docent.Test.Future"}"# + "\0", descriptors: [witness.raw, witness.raw])
        #expect(try await peer.receive()?.contains("MethodNotFound") == true)
        #expect(await witness.isGone())
    }

    @Test("T3: a one-way call is not answered, and is refused where it would change state")
    func oneway() async throws {
        let done = Mutex<[String]>([])
        let fixture = Fixture { table in
            table.call("Note", Text.self) { value, _ in
                done.withLock { $0.append(value.text) }
                return Reply(value)
            }
            table.call("Change", changesState: true, Text.self) { value, _ in
                done.withLock { $0.append(value.text) }
                return Reply(value)
            }
        }
        let peer = try fixture.rawPeer()
        for (method, text) in [("Change", "change"), ("Note", "note"), ("Nothing", "nothing")] {
            peer.send(
                #"{"method":"org.docent.Test.\#(method)","parameters":{"text":"\#(text)"},"oneway":true}"# + "\0")
        }
        peer.send(#"{"method":"org.docent.Test.Echo","parameters":{"number":5}}"# + "\0")
        #expect(try await peer.receive()?.contains(#""number":5"#) == true)
        #expect(done.withLock { $0 } == ["note"])
        #expect(fixture.recorder.events.withLock { $0.refusedOneway } == ["org.docent.Test.Change"])
    }

    @Test("T3: the peer's hang-up cancels the running handler", arguments: [false, true])
    func hangUp(_ half: Bool) async throws {
        let begun = Mutex(false)
        let cancelled = Mutex(false)
        let fixture = Fixture { table in
            table.call("Wait", NoParameters.self) { _, _ -> Reply<Number> in
                begun.withLock { $0 = true }
                do {
                    try await Task.sleep(for: .seconds(600))
                } catch {
                    cancelled.withLock { $0 = true }
                }
                return Reply(Number(number: 0))
            }
        }
        let peer = try fixture.rawPeer()
        peer.send(#"{"method":"org.docent.Test.Wait"}"# + "\0")
        #expect(await eventually { begun.withLock { $0 } })
        #expect(!cancelled.withLock { $0 })
        if half { peer.halfClose() } else { peer.shutdown() }
        #expect(await eventually { cancelled.withLock { $0 } })
        #expect(
            await eventually { fixture.recorder.events.withLock { $0.opened == $0.closed && $0.opened.count == 1 } })
        #expect(await eventually { fixture.server.connectionCount == 0 })
    }

    @Test("Interrupting a connection cancels its handler and notifies the observer")
    func interrupt() async throws {
        let cancelled = Mutex(false)
        let identifier = Mutex<ConnectionIdentifier?>(nil)
        let fixture = Fixture { table in
            table.call("Wait", NoParameters.self) { _, call -> Reply<Number> in
                identifier.withLock { $0 = call.connection }
                try? await Task.sleep(for: .seconds(600))
                cancelled.withLock { $0 = Task.isCancelled }
                return Reply(Number(number: 0))
            }
        }
        let peer = try fixture.rawPeer()
        peer.send(#"{"oneway":true,"method":"org.docent.Test.Wait"}"# + "\0")
        #expect(await eventually { identifier.withLock { $0 != nil } })
        fixture.server.interrupt(connection: try #require(identifier.withLock { $0 }))
        #expect(try await peer.receive() == nil)
        #expect(await eventually { cancelled.withLock { $0 } })
    }

    @Test("I1: the first call of a refused connection is answered with the refusal; then the connection closes")
    func refusal() async throws {
        let fixture = Fixture(recorder: Recorder(refusal: VarlinkCallError(name: "org.docent.Test.Refused")))
        let peer = try fixture.rawPeer()
        peer.send(#"{"method":"org.docent.Test.Echo","parameters":{"number":7}}"# + "\0")
        #expect(try await peer.receive() == #"{"error":"org.docent.Test.Refused","parameters":{}}"#)
        #expect(try await peer.receive() == nil)
        #expect(fixture.recorder.events.withLock { $0.closed.isEmpty })
    }

    @Test("The peer's credentials are those of its process")
    func credentials() async throws {
        let seen = Mutex<PeerCredentials?>(nil)
        let connection = try Fixture { table in
            table.immediate("Who", NoParameters.self) { parameters, call in
                seen.withLock { $0 = call.peer }
                return Reply(parameters)
            }
        }.connect()
        let _: Reply<NoParameters> = try connection.callBlocking("org.docent.Test.Who", NoParameters())
        let peer = try #require(seen.withLock { $0 })
        #expect(
            peer.processIdentifier == getpid() && peer.userIdentifier == getuid() && peer.groupIdentifier == getgid())
    }

    @Test("D2: a listener that stops accepts pending connections, and none afterwards")
    func listening() async throws {
        let path = "/tmp/varlink-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
        defer { unlink(path) }
        let fixture = Fixture()
        try fixture.server.listen(on: UnixSocket.listen(path: path, mode: 0o600), label: "common")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let connections = try (0..<8).map { _ in try VarlinkConnection.connect(path: path) }
        fixture.server.stopListening(label: "common")
        for connection in connections {
            let reply: Reply<Number> = try connection.callBlocking("org.docent.Test.Echo", Number(number: 1))
            #expect(reply.value.number == 1)
        }
        #expect { try VarlinkConnection.connect(path: path) } throws: {
            ($0 as? VarlinkError)?.errno == ECONNREFUSED
        }
        fixture.server.shutdown()
        #expect(await eventually { fixture.server.connectionCount == 0 })
    }
}
