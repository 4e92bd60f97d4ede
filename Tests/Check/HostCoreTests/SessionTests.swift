import DocentInterfaces
import DocentTestSupport
import Foundation
import Glibc
import Rights
import Storage
import Synchronization
import Testing

@testable import HostCore
@testable import Varlink

/// Which connection belongs to which client (I1, I2, T2), and the leases of a session (L2).
@Suite(.mayBlock) struct SessionTests {
    private final class Ended: Sendable {
        let tokens = Mutex<[String]>([])
        func note(_ session: Session) { tokens.withLock { $0.append(session.token) } }
    }

    private static func registry(_ ended: Ended = Ended()) throws -> SessionRegistry {
        SessionRegistry(identity: try PeerIdentity(), ended: ended.note)
    }

    private static func connect(
        _ registry: SessionRegistry, _ number: UInt64, label: String = SessionRegistry.commonLabel
    ) throws -> ConnectionIdentifier {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        // The kernel's information about the peer of a real socket pair: this very process.
        let peer = try PeerCredentials(socket: ends[0])
        defer { if let descriptor = peer.processDescriptor { close(descriptor) } }
        let connection = ConnectionIdentifier(rawValue: number)
        try registry.connectionOpened(connection, peer: peer, listener: label)
        return connection
    }

    @Test(
        "I2: a peer outside every sandbox is unconfined, has the identifier it states, and its executable is recorded")
    func unconfined() throws {
        let registry = try Self.registry()
        let session = try registry.open(try Self.connect(registry, 1), stated: "org.example.Editor")
        #expect(session.principal == Principal(kind: .unconfined, identifier: "org.example.Editor"))
        #expect(session.executable == (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")))
        #expect(try registry.session(ConnectionIdentifier(rawValue: 1)) === session)
        try registry.callArrived(ConnectionIdentifier(rawValue: 1), method: "x.Y", authority: .unconfined)
    }

    @Test(
        "I2: the socket that was made for a client decides, whatever the peer states; that client may not choose (I1)"
    )
    func confined() throws {
        let registry = try Self.registry()
        let connection = try Self.connect(
            registry, 1, label: SessionRegistry.label(client: "org.example.Boxed", socket: "/s"))
        let session = try registry.open(connection, stated: "org.example.Editor")
        #expect(session.principal == Principal(kind: .run, identifier: "org.example.Boxed"))
        #expect {
            try registry.callArrived(connection, method: "x.Y", authority: .unconfined)
        } throws: { ($0 as? Failure)?.code == .notPermitted }
        try registry.callArrived(connection, method: "x.Y", authority: .everyone)
    }

    @Test("I2: a peer of another user, and one that cannot be inspected, are refused")
    func strangers() throws {
        let registry = try Self.registry()
        for peer in [
            PeerCredentials(processIdentifier: getpid(), userIdentifier: getuid() + 1, groupIdentifier: 0),
            PeerCredentials(processIdentifier: 0, userIdentifier: getuid(), groupIdentifier: getgid()),
            PeerCredentials(processIdentifier: pid_t.max, userIdentifier: getuid(), groupIdentifier: getgid()),
        ] {
            #expect(throws: VarlinkCallError.self) {
                try registry.connectionOpened(.init(rawValue: 9), peer: peer, listener: SessionRegistry.commonLabel)
            }
        }
        #expect(registry.connectionCount == 0)
    }

    @Test("T2: a connection joins with the token, and the session ends once, with the connection that opened it")
    func joins() throws {
        let ended = Ended()
        let registry = try Self.registry(ended)
        let first = try Self.connect(registry, 1)
        let second = try Self.connect(registry, 2)
        let session = try registry.open(first, stated: "a")
        #expect(try registry.join(second, token: session.token) === session)
        registry.connectionClosed(second)
        #expect(ended.tokens.withLock { $0 }.isEmpty)
        registry.connectionClosed(first)
        registry.connectionClosed(first)
        #expect(ended.tokens.withLock { $0 } == [session.token])
        #expect(registry.sessions.isEmpty)
        let third = try Self.connect(registry, 3)
        #expect { try registry.join(third, token: session.token) } throws: { ($0 as? Failure)?.code == .notFound }
    }

    @Test("T2: another principal cannot use a token")
    func foreignToken() throws {
        let registry = try Self.registry()
        let session = try registry.open(try Self.connect(registry, 1), stated: "a")
        let boxed = try Self.connect(registry, 2, label: SessionRegistry.label(client: "b", socket: "/s"))
        let other = try Self.connect(registry, 3, label: SessionRegistry.label(client: "c", socket: "/t"))
        #expect(throws: Failure.self) { try registry.join(boxed, token: session.token) }
        let confined = try registry.session(boxed)
        #expect(throws: Failure.self) { try registry.join(other, token: confined.token) }
        #expect(throws: Failure.self) { try registry.join(try Self.connect(registry, 4), token: confined.token) }
    }

    @Test("T2: a connection has one session, which begins automatically unless it is opened")
    func one() throws {
        let registry = try Self.registry()
        let connection = try Self.connect(registry, 1)
        let session = try registry.session(connection)
        #expect(session.principal == Principal(kind: .unconfined, identifier: "unstated"))
        #expect(try registry.session(connection) === session)
        #expect(throws: Failure.self) { try registry.open(connection, stated: "a") }
        #expect(throws: Failure.self) { try registry.session(.init(rawValue: 77)) }
    }

    @Test("T4: connections of a client's own socket count for that client; other peers count as processes at first")
    func holders() throws {
        let registry = try Self.registry()
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let peer = try PeerCredentials(socket: ends[0])
        defer { if let descriptor = peer.processDescriptor { close(descriptor) } }
        let label = SessionRegistry.label(client: "org.example.Boxed", socket: "/s")
        let confined = ShareHolder(.confined, "run:org.example.Boxed")
        #expect(registry.holder(of: peer, listener: label) == confined)
        #expect(
            registry.holder(of: peer, listener: SessionRegistry.label(client: "org.example.Boxed", socket: "/t"))
                == confined)
        #expect(
            registry.holder(of: peer, listener: SessionRegistry.commonLabel)
                == ShareHolder(.unconfined, "process \(getpid())"))
        let stranger = PeerCredentials(processIdentifier: pid_t.max, userIdentifier: getuid(), groupIdentifier: 0)
        #expect(registry.holder(of: stranger, listener: SessionRegistry.commonLabel).kind == .unrecognised)
        let connection = try Self.connect(registry, 1, label: label)
        #expect(registry.recognisedHolder(connection) == confined)
        #expect(registry.recognisedHolder(try Self.connect(registry, 2)) == nil)
    }

    @Test(
        "I2: valid client identifiers",
        arguments: ["a", "org.example.Editor-2_x", String(repeating: "a", count: 255)])
    func acceptable(_ text: String) { #expect(SessionRegistry.isAcceptable(text)) }

    @Test(
        "I2: invalid client identifiers",
        arguments: ["", "a b", "a/b", "a:b", "é", "a\n", "a@b", "[", String(repeating: "a", count: 256)])
    func unacceptable(_ text: String) { #expect(!SessionRegistry.isAcceptable(text)) }

    @Test("T2: ending a session returns what it owned, once")
    func ends() {
        let session = Session(
            principal: Principal(kind: .run, identifier: "a"), executable: nil, lifeline: .init(rawValue: 1))
        #expect(session.own(operation: "x") && session.own(operation: "y"))
        session.disown(operation: "y")
        session.noteImport()
        #expect(session.openOperations == ["x"])
        let first = session.end()
        #expect(first.operations == ["x"] && first.hasInbox)
        let second = session.end()
        #expect(second.operations.isEmpty && !second.hasInbox)
    }

    // MARK: Leases

    private static func key(_ number: Int) -> ItemKey { ItemKey(provider: "p", identifier: "\(number)") }

    private static func generation(_ slots: LeaseSlots, _ slot: Int) throws -> UInt64 {
        let page = try #require(mmap(nil, LeasePage.length, PROT_READ, MAP_SHARED, slots.clientDescriptor, 0))
        try #require(page != MAP_FAILED)
        defer { munmap(page, LeasePage.length) }
        return page.load(fromByteOffset: slot * 8, as: UInt64.self)
    }

    @Test("L2: the client sees the generation of its lease, and sees it change when the lease ends")
    func lease() throws {
        let slots = try LeaseSlots()
        let lease = try #require(slots.lease(Self.key(1)))
        #expect(try Self.generation(slots, lease.slot) == lease.generation)
        #expect(slots.lease(Self.key(1)) == lease)
        #expect(try #require(slots.lease(Self.key(2))).slot != lease.slot)
        slots.end(Self.key(1))
        #expect(try Self.generation(slots, lease.slot) != lease.generation)
        #expect(slots.count == 1)
    }

    @Test("L2: a reused slot never shows an earlier generation")
    func reuse() throws {
        let slots = try LeaseSlots()
        var seen: Set<LeasePage.Lease> = []
        for number in 0..<2000 {
            let lease = try #require(slots.lease(Self.key(number)))
            #expect(seen.insert(lease).inserted)
            if number.isMultiple(of: 2) { slots.end(Self.key(number)) } else { slots.release(slot: lease.slot) }
        }
        #expect(slots.count == 0)
    }

    @Test("L2: a full page grants no lease, until one ends")
    func full() throws {
        let slots = try LeaseSlots()
        var given = 0
        while slots.lease(Self.key(given)) != nil { given += 1 }
        #expect(given > 0 && given <= LeasePage.slotCount)
        slots.end(where: { $0.identifier == "0" })
        #expect(slots.lease(Self.key(-1)) != nil)
        slots.release(slot: -5)
        slots.release(slot: 1 << 40)
        #expect(slots.count == given)
    }
}
