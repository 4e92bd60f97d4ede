import CVarlinkSocket
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Varlink

struct Number: VarlinkMessage, Equatable {
    var number: Int
}

struct Text: VarlinkMessage, Equatable {
    var text: String
}

/// Has as many descriptors as names.
struct Files: VarlinkMessage, Equatable {
    var names: [String]
    var descriptorCount: Int { names.count }
}

struct OtherError: Error {}

/// The time limit of a test's waiting: generous, and never what is asserted.
let patience: Duration = .seconds(20)

/// Polls until a condition holds; false when the time limit is reached.
func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = Deadline(after: patience)
    while !condition() {
        if deadline.millisecondsLeft == 0 { return false }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return true
}

/// Records the events of an observer.
final class Recorder: ConnectionObserver {
    struct Events {
        var opened: [ConnectionIdentifier] = []
        var closed: [ConnectionIdentifier] = []
        var refusedOneway: [String] = []
        var failures: [VarlinkError.Code] = []
    }

    let events = Mutex(Events())
    let refusal: (any Error)?
    /// The peer's identity at first, and once it is recognised.
    let holders = Mutex<(first: ShareHolder?, then: ShareHolder?)>((nil, nil))

    init(refusal: (any Error)? = nil) { self.refusal = refusal }

    func connectionOpened(_ id: ConnectionIdentifier, peer: PeerCredentials, listener: String) throws {
        if let refusal { throw refusal }
        events.withLock { $0.opened.append(id) }
    }

    func connectionClosed(_ id: ConnectionIdentifier) {
        events.withLock { $0.closed.append(id) }
    }

    func holder(of peer: PeerCredentials, listener: String) -> ShareHolder {
        holders.withLock { $0.first } ?? ShareHolder(.unconfined, process: peer)
    }

    func recognisedHolder(_ id: ConnectionIdentifier) -> ShareHolder? { holders.withLock { $0.then } }

    func refusal(
        _ refusal: PrincipalShares.Refusal, of resource: SharedResource, to holder: ShareHolder
    ) -> any Error { VarlinkCallError(name: "org.docent.Test.Crowded") }

    func onewayRefused(_ id: ConnectionIdentifier, method: String) {
        events.withLock { $0.refusedOneway.append(method) }
    }

    func connectionFailed(_ id: ConnectionIdentifier, _ error: VarlinkError) {
        events.withLock { $0.failures.append(error.code) }
    }

    var failures: [VarlinkError.Code] { events.withLock { $0.failures } }
}

/// A server with some methods, and ways to call it.
struct Fixture {
    let server: VarlinkServer
    let recorder: Recorder

    init(
        limits: ServerLimits = ServerLimits(), recorder: Recorder = Recorder(),
        _ fill: (inout MethodTable) -> Void = { _ in }
    ) {
        var table = MethodTable(interface: "org.docent.Test", description: "interface org.docent.Test\n")
        table.immediate("Echo", Number.self) { value, _ in Reply(value) }
        table.immediate("Say", Text.self) { value, _ in Reply(value) }
        table.immediateRaw("Raw") { call in (Array(call.parameters), DescriptorList()) }
        table.call("EchoLater", Number.self) { value, _ in
            await Task.yield()
            return Reply(value)
        }
        table.immediate("Names", Files.self) { value, call in
            let names = try value.names.indices.map { try content(of: call.descriptors.take($0)) }
            return Reply(Text(text: names.joined(separator: ",")))
        }
        table.immediate("Open", Text.self) { value, _ in
            let names = value.text.split(separator: ",").map(String.init)
            let list = DescriptorList()
            for name in names { list.append(try file(containing: name)) }
            return Reply(Files(names: names), descriptors: list)
        }
        fill(&table)
        self.recorder = recorder
        server = VarlinkServer(
            information: ServiceInformation(
                vendor: "Docent", product: "Test", version: "1", url: "https://example.org"),
            interfaces: [table], observer: recorder, limits: limits
        ) { error in
            VarlinkCallError(name: "org.docent.Test.Mapped", ["what": "\(type(of: error))"])
        }
        Self.servers.withLock { $0.append(server) }
    }

    // A server ends its connections when it is released, and tests hold only the connections they use.
    private static let servers = Mutex<[VarlinkServer]>([])

    func connect() throws -> VarlinkConnection {
        VarlinkConnection(descriptor: try socket())
    }

    func rawPeer() throws -> RawPeer {
        RawPeer(try socket())
    }

    private func socket() throws -> OwnedDescriptor {
        var pair = try UnixSocket.pair()
        let ours = try pair.takeFirst()
        try server.serve(pair.takeSecond(), label: "test")
        return ours
    }
}

/// A peer that writes any bytes and descriptors.
final class RawPeer: Sendable {
    let socket: OwnedDescriptor
    private let channel = Mutex(Incoming())

    private struct Incoming: ~Copyable {
        var reader = MessageReader(limits: ServerLimits())
    }

    init(_ socket: consuming OwnedDescriptor) {
        self.socket = socket
    }

    @discardableResult
    func send(_ text: String, descriptors: [CInt] = [], flags: CInt = 0) -> Int {
        send(Array(text.utf8), descriptors: descriptors, flags: flags)
    }

    /// One sendmsg; the bytes sent or a negated error number.
    @discardableResult
    func send(_ bytes: [UInt8], descriptors: [CInt] = [], flags: CInt = 0) -> Int {
        cvarlink_send(socket.raw, bytes, bytes.count, descriptors, descriptors.count, flags)
    }

    /// The next message as text, with its descriptors left in the reader; nil at the end of the stream.
    func receive() async throws -> String? {
        // Tests share two threads with the handlers, so nothing may block here.
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { [self] in
                continuation.resume(with: Result { try receiveBlocking() })
            }
        }
    }

    private func receiveBlocking() throws -> String? {
        try channel.withLock { incoming in
            let deadline = Deadline(after: patience)
            while true {
                if let frame = try incoming.reader.nextFrame() {
                    return incoming.reader.withBytes(frame) { String(decoding: $0, as: UTF8.self) }
                }
                try SocketPoll.wait(socket.raw, for: POLLIN, deadline: deadline)
                do {
                    if try incoming.reader.receive(from: socket.raw, flags: 0) == .endOfStream { return nil }
                } catch let error as VarlinkError where error.code == .closed {
                    return nil
                }
            }
        }
    }

    func shutdown() {
        _ = Glibc.shutdown(socket.raw, CInt(SHUT_RDWR))
    }

    func halfClose() {
        _ = Glibc.shutdown(socket.raw, CInt(SHUT_WR))
    }
}

/// A memory file, positioned at its beginning.
func file(containing text: String) throws -> OwnedDescriptor {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw OtherError() }
    let bytes = Array(text.utf8)
    guard write(ends[1], bytes, bytes.count) == bytes.count else { throw OtherError() }
    close(ends[1])
    return OwnedDescriptor(ends[0])
}

func content(of descriptor: consuming OwnedDescriptor) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor.raw, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
}

/// A pipe whose reading end reports when every copy of the writing end is closed.
final class Witness: Sendable {
    private let reading: OwnedDescriptor
    private let writing: Mutex<CInt>

    init() throws {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw OtherError() }
        reading = OwnedDescriptor(ends[0])
        writing = Mutex(ends[1])
    }

    deinit {
        closeOwn()
    }

    /// The writing end, to be sent.
    var raw: CInt { writing.withLock { $0 } }

    func closeOwn() {
        writing.withLock { raw in
            if raw >= 0 { close(raw) }
            raw = -1
        }
    }

    /// Whether no copy is open, once our own is closed.
    func isGone() async -> Bool {
        closeOwn()
        return await eventually {
            var entry = pollfd(fd: reading.raw, events: 0, revents: 0)
            return poll(&entry, 1, 0) == 1 && CInt(entry.revents) & POLLHUP != 0
        }
    }
}
