import Dispatch
import DocentTestSupport
import Glibc
import Synchronization
import Testing

@testable import Varlink

/// Calls that hold what they were granted until the caller releases it (T3).
@Suite("Held calls", .mayBlock)
struct HeldCallTests {
    /// A lock with one place, and a record of its use.
    private final class Ledger: Sendable {
        let notes = Mutex<[String]>([])
        let waits = Mutex(0)
        let mayBeGranted = Mutex(false)

        func note(_ text: String) { notes.withLock { $0.append(text) } }
        var log: [String] { notes.withLock { $0 } }
    }

    /// Counts the waiting calls.
    private final class WaitCounter: ConnectionObserver {
        let ledger: Ledger

        init(_ ledger: Ledger) { self.ledger = ledger }
        func connectionOpened(_ id: ConnectionIdentifier, peer: PeerCredentials, listener: String) throws {}
        func connectionClosed(_ id: ConnectionIdentifier) {}
        func callWaits(_ id: ConnectionIdentifier, method: String) throws -> @Sendable () -> Void {
            ledger.waits.withLock { $0 += 1 }
            return { [ledger] in ledger.waits.withLock { $0 -= 1 } }
        }
    }

    private struct Place {
        let ledger = Ledger()
        let server: VarlinkServer

        init(limits: ServerLimits = ServerLimits()) {
            let ledger = ledger
            var table = MethodTable(interface: "org.docent.Test", description: "interface org.docent.Test\n")
            table.immediate("Echo", Number.self) { value, _ in
                ledger.note("echo \(value.number)")
                return Reply(value)
            }
            table.call("EchoLater", Number.self) { value, _ in Reply(value) }
            table.held("Hold") { call in
                guard !String(decoding: call.parameters, as: UTF8.self).contains("later") else { return nil }
                return try Self.granted(ledger)
            } otherwise: { call, sink in
                do {
                    // Fails as well if the caller has gone before the call began.
                    let waiting = Array(#"{"names":[],"state":"waiting"}"#.utf8)
                    guard sink.trySend(waiting) else { throw CancellationError() }
                    while !ledger.mayBeGranted.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(2)) }
                } catch {
                    ledger.note("cancelled")
                    // As a call that was granted just when its caller disconnected.
                    if !String(decoding: call.parameters, as: UTF8.self).contains("stubborn") { throw error }
                }
                return try Self.granted(ledger)
            }
            table.held("Refuse") { _ in
                throw OtherError()
            } otherwise: { _, _ in
                throw OtherError()
            }
            server = VarlinkServer(
                information: ServiceInformation(vendor: "", product: "", version: "", url: ""), interfaces: [table],
                observer: WaitCounter(ledger), limits: limits
            ) { _ in VarlinkCallError(name: "org.docent.Test.Mapped") }
        }

        private static func granted(_ ledger: Ledger) throws -> HeldCall {
            ledger.note("granted")
            return HeldCall(
                first: (
                    Array(#"{"names":["a"],"state":"granted"}"#.utf8), DescriptorList(try file(containing: "held"))
                ),
                last: Array(#"{"names":[],"state":"released"}"#.utf8)
            ) { ledger.note("released") }
        }

        func socket() throws -> OwnedDescriptor {
            var pair = try UnixSocket.pair()
            let ours = try pair.takeFirst()
            try server.serve(pair.takeSecond(), label: "test")
            return ours
        }

        func connect() throws -> VarlinkConnection { VarlinkConnection(descriptor: try socket()) }
        func rawPeer() throws -> RawPeer { RawPeer(try socket()) }
    }

    private static let granted = #"{"parameters":{"names":["a"],"state":"granted"},"continues":true}"#
    private static let released = #"{"parameters":{"names":[],"state":"released"}}"#

    private static func call(_ method: String, _ parameters: String = "{}") -> String {
        #"{"method":"org.docent.Test.\#(method)","more":true,"parameters":\#(parameters)}"# + "\0"
    }

    /// A client that holds the lock; blocks.
    private func hold(
        _ connection: VarlinkConnection, _ method: String = "Hold", _ parameters: String = "{}"
    ) throws -> String {
        let message = Array(Self.call(method, parameters).utf8.dropLast())
        let (_, descriptors) = try connection.holdBlocking(message) { bytes -> HoldStep<Bool> in
            switch try ClientMessage.answer(Files.self, bytes) {
            case .error(let error): throw error
            case .value(let value, _): value.names.isEmpty ? .waits : .holds(true, descriptorCount: value.names.count)
            }
        }
        return content(of: try descriptors.take(0))
    }

    @Test("T3: a call is held until the next one, answered after the last reply; the first reply has the descriptors")
    func nextCall() throws {
        let place = Place()
        let connection = try place.connect()
        #expect(try hold(connection) == "held")
        #expect(place.ledger.log == ["granted"])
        let echo: Reply<Number> = try connection.callBlocking("org.docent.Test.Echo", Number(number: 7))
        #expect(echo.value.number == 7)
        #expect(place.ledger.log == ["granted", "released", "echo 7"])
    }

    @Test("T3: releasing waits for no reply, and the outstanding reply does not disturb the next calls")
    func letGo() async throws {
        let place = Place()
        let connection = try place.connect()
        for number in 0..<50 {
            #expect(try hold(connection) == "held")
            try connection.letGo(sending: Array(#"{"method":"org.docent.Test.Echo","parameters":{"number":1}}"#.utf8))
            if number % 3 == 0 {
                // Its handler needs a thread of the pool on which this test runs.
                let echo: Reply<Number> = try await connection.call("org.docent.Test.EchoLater", Number(number: number))
                #expect(echo.value.number == number)
            }
        }
        let echo: Reply<Number> = try await connection.call("org.docent.Test.Echo", Number(number: 99))
        #expect(echo.value.number == 99)
        #expect(place.ledger.log.count { $0 == "released" } == 50)
        #expect(place.ledger.log.prefix(4) == ["granted", "released", "echo 1", "granted"])
    }

    @Test("T3: an outstanding reply is read before a call whose whole reply is taken with its descriptors")
    func owedBeforeRaw() throws {
        let place = Place()
        let connection = try place.connect()
        for _ in 0..<20 {
            _ = try hold(connection)
            try connection.letGo(sending: Array(#"{"method":"org.docent.Test.Echo","parameters":{"number":1}}"#.utf8))
            let (reply, descriptors) = try connection.callRawBlocking(
                Array(#"{"method":"org.docent.Test.Echo","parameters":{"number":2}}"#.utf8))
            #expect(String(decoding: reply, as: UTF8.self) == #"{"parameters":{"number":2}}"#)
            #expect(descriptors.count == 0)
        }
    }

    @Test("T3: a held call is released once, by a hang-up, by the server's interrupt, or by garbage", arguments: 0..<5)
    func ends(_ way: Int) async throws {
        let place = Place()
        let peer = try place.rawPeer()
        peer.send(Self.call("Hold"))
        #expect(try await peer.receive() == Self.granted)
        switch way {
        case 0: peer.shutdown()
        case 1: peer.halfClose()
        case 2: place.server.shutdown()
        case 3: peer.send("this is no message\0")
        default: peer.send([UInt8](repeating: UInt8(ascii: "x"), count: 100), flags: 0); peer.shutdown()
        }
        #expect(await eventually { place.server.connectionCount == 0 })
        #expect(place.ledger.log == ["granted", "released"])
        if way == 3 { #expect(try await peer.receive() == Self.released) }
    }

    @Test("T4: an endless message does not hold for ever")
    func incomplete() async throws {
        var limits = ServerLimits()
        limits.incompleteTimeout = .milliseconds(50)
        let place = Place(limits: limits)
        let peer = try place.rawPeer()
        peer.send(Self.call("Hold"))
        #expect(try await peer.receive() == Self.granted)
        peer.send("{")
        #expect(await eventually { place.ledger.log == ["granted", "released"] })
    }

    @Test("T3: a waiting call says so, is then granted, and counts as waiting until then")
    func waiting() async throws {
        let place = Place()
        let peer = try place.rawPeer()
        peer.send(Self.call("Hold", #"{"when":"later"}"#))
        #expect(try await peer.receive() == #"{"parameters":{"names":[],"state":"waiting"},"continues":true}"#)
        #expect(place.ledger.waits.withLock { $0 } == 1)
        #expect(place.ledger.log.isEmpty)
        place.ledger.mayBeGranted.withLock { $0 = true }
        #expect(try await peer.receive() == Self.granted)
        #expect(place.ledger.waits.withLock { $0 } == 0)
        peer.send(Self.call("Echo", #"{"number":3}"#))
        #expect(try await peer.receive() == Self.released)
        #expect(try await peer.receive() == #"{"parameters":{"number":3}}"#)
        #expect(place.ledger.log == ["granted", "released", "echo 3"])
    }

    @Test(
        "T3: a hang-up cancels a waiting call; if it is granted nevertheless, it is released", arguments: [false, true])
    func cancelled(isStubborn: Bool) async throws {
        let place = Place()
        let peer = try place.rawPeer()
        peer.send(Self.call("Hold", #"{"when":"later \#(isStubborn ? "stubborn" : "")"}"#))
        _ = try await peer.receive()
        peer.shutdown()
        let expected = isStubborn ? ["cancelled", "granted", "released"] : ["cancelled"]
        #expect(await eventually { place.ledger.log == expected && place.ledger.waits.withLock { $0 } == 0 })
        #expect(await eventually { place.server.connectionCount == 0 })
        #expect(place.ledger.log == expected)
    }

    @Test("T3: a call without more, and a one-way call, hold nothing")
    func refused() async throws {
        let place = Place()
        let peer = try place.rawPeer()
        peer.send(#"{"method":"org.docent.Test.Hold"}"# + "\0")
        #expect(try await peer.receive()?.contains("ExpectedMore") == true)
        peer.send(#"{"method":"org.docent.Test.Hold","more":true,"oneway":true}"# + "\0")
        peer.send(Self.call("Echo", #"{"number":4}"#))
        #expect(try await peer.receive() == #"{"parameters":{"number":4}}"#)
        #expect(place.ledger.log == ["echo 4"])
    }

    @Test(
        "T3: the last reply comes, whatever kind of call ends the held one",
        arguments: ["Echo", "EchoLater", "Nothing"])
    func lastReply(method: String) async throws {
        let place = Place()
        let peer = try place.rawPeer()
        peer.send(Self.call("Hold"))
        #expect(try await peer.receive() == Self.granted)
        peer.send(#"{"method":"org.docent.Test.\#(method)","oneway":true,"parameters":{"number":1}}"# + "\0")
        #expect(try await peer.receive() == Self.released)
        #expect(place.ledger.log.starts(with: ["granted", "released"]))
    }

    @Test("An error reply ends the call and leaves the connection usable", arguments: ["Refuse", "Nothing"])
    func failure(method: String) throws {
        let place = Place()
        let connection = try place.connect()
        #expect(throws: VarlinkCallError.self) { try hold(connection, method) }
        #expect(!connection.isClosed)
        #expect(try hold(connection) == "held")
        #expect(place.ledger.log == ["granted"])
    }

    /// The same for a call that has to wait, whose handler needs a thread of the pool on which this test runs.
    private func holdElsewhere(_ connection: VarlinkConnection) async -> Result<String, any Error> {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "test").async {
                continuation.resume(
                    returning: Result { try hold(connection, "Hold", #"{"when":"later"}"#) })
            }
        }
    }

    @Test("T3: closing a client's connection ends its wait")
    func closing() async throws {
        let place = Place()
        let connection = try place.connect()
        async let result = holdElsewhere(connection)
        #expect(await eventually { place.ledger.waits.withLock { $0 } == 1 })
        connection.close()
        let ended = await result
        #expect { try ended.get() } throws: { ($0 as? VarlinkError)?.code == .closed }
        #expect(await eventually { place.ledger.log == ["cancelled"] })
    }

    @Test("D3: releasing on a connection whose server has gone reports the loss")
    func lost() async throws {
        let place = Place()
        let connection = try place.connect()
        _ = try hold(connection)
        place.server.shutdown()
        #expect(await eventually { connection.isAbandoned })
        #expect {
            try connection.letGo(sending: Array(#"{"method":"org.docent.Test.Echo","parameters":{"number":1}}"#.utf8))
        } throws: { ($0 as? VarlinkError)?.code == .closed }
        #expect(connection.isClosed)
    }
}
