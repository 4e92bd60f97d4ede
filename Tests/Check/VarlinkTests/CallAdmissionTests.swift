import DocentTestSupport
import Synchronization
import Testing

@testable import Varlink

/// What an observer lets a connection do (T4).
@Suite(.mayBlock) struct CallAdmissionTests {
    /// Refuses what it is told to, and counts what waits.
    private final class Gate: ConnectionObserver {
        let refusesCalls = Mutex(false)
        let refusesWaiting = Mutex(false)
        let reservesFrom = Mutex(CInt.max)
        let waiting = Mutex(0)
        let arrived = Mutex<[String]>([])

        func connectionOpened(_ id: ConnectionIdentifier, peer: PeerCredentials, listener: String) {}
        func connectionClosed(_ id: ConnectionIdentifier) {}
        func isInReserve(descriptor: CInt) -> Bool { reservesFrom.withLock { descriptor >= $0 } }

        func callArrived(_ id: ConnectionIdentifier, method: String) throws {
            arrived.withLock { $0.append(method) }
            if refusesCalls.withLock({ $0 }) { throw VarlinkCallError(name: "org.docent.Test.Refused") }
        }

        func callWaits(_ id: ConnectionIdentifier, method: String) throws -> @Sendable () -> Void {
            if refusesWaiting.withLock({ $0 }) { throw VarlinkCallError(name: "org.docent.Test.Crowded") }
            waiting.withLock { $0 += 1 }
            return { self.waiting.withLock { $0 -= 1 } }
        }
    }

    private static func server(_ gate: Gate) -> VarlinkServer {
        var table = MethodTable(interface: "org.docent.Test", description: "interface org.docent.Test\n")
        table.immediate("Now", Number.self) { value, _ in Reply(value) }
        table.call("Later", Number.self) { _, _ in Reply(Number(number: gate.waiting.withLock { $0 })) }
        return VarlinkServer(
            information: ServiceInformation(vendor: "", product: "", version: "", url: ""), interfaces: [table],
            observer: gate, errorMapper: { _ in VarlinkCallError(name: "org.docent.Test.Mapped") })
    }

    private static func connect(_ server: VarlinkServer) throws -> VarlinkConnection {
        var pair = try UnixSocket.pair()
        let ours = try pair.takeFirst()
        try server.serve(pair.takeSecond(), label: "test")
        return VarlinkConnection(descriptor: ours)
    }

    private static func call(_ connection: VarlinkConnection, _ method: String) throws -> Int {
        let reply: Reply<Number> = try connection.callBlocking("org.docent.Test." + method, Number(number: 7))
        return reply.value.number
    }

    private static func isRefused(_ name: String, _ body: () throws -> Int) -> Bool {
        do {
            _ = try body()
            return false
        } catch {
            return (error as? VarlinkCallError)?.name == "org.docent.Test." + name
        }
    }

    @Test("T4: a refused call is answered with the reason, and the connection goes on")
    func refused() throws {
        let gate = Gate()
        let server = Self.server(gate)
        let connection = try Self.connect(server)
        #expect(try Self.call(connection, "Now") == 7)
        gate.refusesCalls.withLock { $0 = true }
        #expect(Self.isRefused("Refused") { try Self.call(connection, "Now") })
        #expect(Self.isRefused("Refused") { try Self.call(connection, "Later") })
        gate.refusesCalls.withLock { $0 = false }
        #expect(try Self.call(connection, "Now") == 7)
        #expect(gate.arrived.withLock { $0.count } == 4)
    }

    @Test("T4: only what cannot be answered at once waits, and has ended when its caller is answered")
    func waiting() throws {
        let gate = Gate()
        let server = Self.server(gate)
        let connection = try Self.connect(server)
        for _ in 0..<100 {
            #expect(try Self.call(connection, "Later") == 1)
            #expect(gate.waiting.withLock { $0 } == 0)
        }
        gate.refusesWaiting.withLock { $0 = true }
        #expect(Self.isRefused("Crowded") { try Self.call(connection, "Later") })
        #expect(try Self.call(connection, "Now") == 7)
    }

    @Test("T4: a connection that would take from the reserve is not served")
    func reserve() throws {
        let gate = Gate()
        let server = Self.server(gate)
        let connection = try Self.connect(server)
        gate.reservesFrom.withLock { $0 = 0 }
        #expect(throws: VarlinkError.self) { try Self.connect(server) }
        #expect(try Self.call(connection, "Now") == 7)
        #expect(server.connectionCount == 1)
    }
}
