import DocentTestSupport
import Synchronization
import Testing

@testable import Varlink

/// What an observer allows a connection to do (T4).
@Suite(.mayBlock) struct CallAdmissionTests {
    /// Refuses the calls that the test names, and counts the waiting ones.
    private final class Gate: ConnectionObserver {
        let refusesCalls = Mutex(false)
        let refusesWaiting = Mutex(false)
        let isConfined = Mutex(false)
        let reservesFrom = Mutex(CInt.max)
        let holders = Mutex(ShareHolder(.confined, "run:org.example.Boxed"))
        let waiting = Mutex(0)
        let arrived = Mutex<[String]>([])

        func connectionOpened(_ id: ConnectionIdentifier, peer: PeerCredentials, listener: String) {}
        func connectionClosed(_ id: ConnectionIdentifier) {}
        func holder(of peer: PeerCredentials, listener: String) -> ShareHolder { holders.withLock { $0 } }
        func isInReserve(descriptor: CInt) -> Bool { reservesFrom.withLock { descriptor >= $0 } }

        func callArrived(_ id: ConnectionIdentifier, method: String, authority: MethodAuthority) throws {
            arrived.withLock { $0.append(method) }
            if authority == .unconfined, isConfined.withLock({ $0 }) {
                throw VarlinkCallError(name: "org.docent.Test.Refused")
            }
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
        var apart = MethodTable(
            interface: "org.docent.Apart", description: "interface org.docent.Apart\n", authority: .unconfined)
        apart.immediate("Now", Number.self) { value, _ in Reply(value) }
        apart.call("Later", Number.self) { value, _ in Reply(value) }
        apart.stream("Stream", Number.self) { value, _, _ in Reply(value) }
        apart.immediateRaw("Raw") { _ in (Array("{}".utf8), DescriptorList()) }
        return VarlinkServer(
            information: ServiceInformation(vendor: "", product: "", version: "", url: ""), interfaces: [table, apart],
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

    @Test("T4: a refused call is answered with the reason; the connection stays open")
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

    @Test(
        "I1: a caller without access to an interface is refused before parameters, `more` and descriptors are checked")
    func authority() throws {
        let gate = Gate()
        let server = Self.server(gate)
        defer { withExtendedLifetime(server) {} }
        let connection = try Self.connect(server)
        func came(_ method: String) -> String? {
            do {
                let reply: Reply<NoParameters> = try connection.callBlocking(
                    "org.docent.Apart." + method, NoParameters())
                withExtendedLifetime(reply) {}
                return nil
            } catch {
                return (error as? VarlinkCallError)?.name
            }
        }
        let methods = ["Now", "Later", "Stream", "Raw"]
        #expect(
            methods.map(came) == [
                "org.varlink.service.InvalidParameter", "org.varlink.service.InvalidParameter",
                "org.varlink.service.ExpectedMore", nil,
            ])
        gate.isConfined.withLock { $0 = true }
        #expect(methods.map(came) == methods.map { _ in "org.docent.Test.Refused" })
        #expect(try Self.call(connection, "Now") == 7)
    }

    @Test("T4: only calls that cannot be answered at once count as waiting, and no longer once they are answered")
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

    @Test("T4: a confined client's connection that would use the reserve is not served, an unconfined one's is")
    func reserve() throws {
        let gate = Gate()
        let server = Self.server(gate)
        let connection = try Self.connect(server)
        gate.reservesFrom.withLock { $0 = 0 }
        #expect(throws: VarlinkError.self) { try Self.connect(server) }
        #expect(try Self.call(connection, "Now") == 7)
        #expect(server.connectionCount == 1)
        gate.holders.withLock { $0 = ShareHolder(.unconfined, "process 1") }
        #expect(try Self.call(Self.connect(server), "Now") == 7)
    }
}
