import DocentInterfaces
import ExtensionHosting
import Synchronization
import Testing
import Varlink

/// The connections to one extension (T2, law 5).
@Suite struct ConnectionPoolTests {
    /// An extension whose `Connect` waits until it is let go.
    private final class SlowExtension: Sendable {
        let waiting = Mutex(0)
        let mayConnect = Mutex(false)
        private let server = Mutex<VarlinkServer?>(nil)

        func start() throws -> VarlinkConnection {
            var table = MethodTable(
                interface: FileProviderInterface.name, description: "interface \(FileProviderInterface.name)\n")
            table.call(
                FileProviderInterface.Connect.shortName, changesState: true,
                FileProviderInterface.Connect.Parameters.self
            ) { [weak self] parameters, call in
                let socket = try call.descriptor(parameters.socket)
                guard let self else { throw Failure(.unavailable, "The test is over.") }
                waiting.withLock { $0 += 1 }
                while !mayConnect.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
                try server.withLock { $0 }?.serve(socket, label: "host")
                return Reply(FileProviderInterface.Connect.Reply())
            }
            table.call("Root", FileProviderInterface.Connect.Reply.self) { value, _ in Reply(value) }
            let made = VarlinkServer(
                information: ServiceInformation(vendor: "", product: "", version: "", url: ""), interfaces: [table],
                observer: nil
            ) { Failure.from($0).callError(interface: FileProviderInterface.name) }
            server.withLock { $0 = made }
            var pair = try UnixSocket.pair()
            try made.serve(try pair.takeSecond(), label: "host")
            return VarlinkConnection(descriptor: try pair.takeFirst())
        }

        func stop() { server.withLock { $0 }?.shutdown() }
    }

    private static func call(_ pool: ConnectionPool) async throws {
        try await pool.withConnection { connection in
            let _: Reply<FileProviderInterface.Connect.Reply> = try await connection.call(
                FileProviderInterface.name + ".Root", FileProviderInterface.Connect.Reply(), deadline: .seconds(60))
        }
    }

    @Test("T3: a call that is cancelled while it gets its connection does not end the extension for the others")
    func cancelled() async throws {
        let slow = SlowExtension()
        let control = try slow.start()
        let pool = ConnectionPool(control: control, interface: FileProviderInterface.name)
        defer {
            pool.close()
            slow.stop()
        }
        let first = Task { try await Self.call(pool) }
        while slow.waiting.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(2)) }
        let second = Task { try await Self.call(pool) }
        first.cancel()
        try await Task.sleep(for: .milliseconds(20))
        #expect(!pool.isAbandoned)
        slow.mayConnect.withLock { $0 = true }
        try await second.value
        _ = await first.result
        #expect(!pool.isAbandoned)
        #expect(pool.busyCount == 0)
        try await Self.call(pool)
    }

    @Test("Law 5: an extension that takes no further connection is given up at the deadline, and says so")
    func hangs() async throws {
        let slow = SlowExtension()
        let control = try slow.start()
        let pool = ConnectionPool(
            control: control, interface: FileProviderInterface.name, connectDeadline: .milliseconds(100))
        defer {
            slow.mayConnect.withLock { $0 = true }
            pool.close()
            slow.stop()
        }
        let error = await #expect(throws: VarlinkError.self) { try await Self.call(pool) }
        #expect(error?.code == .timedOut)
        #expect(pool.isAbandoned && pool.busyCount == 0)
    }

    @Test("law 3: who gets no connection because the extension has ended is told that nothing was sent")
    func ended() async throws {
        let slow = SlowExtension()
        let control = try slow.start()
        let pool = ConnectionPool(control: control, interface: FileProviderInterface.name)
        defer { slow.stop() }
        let call = Task { try await Self.call(pool) }
        while slow.waiting.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(2)) }
        pool.close()
        await #expect(throws: ConnectionPool.Ended.self) { try await call.value }
        await #expect(throws: ConnectionPool.Ended.self) { try await Self.call(pool) }
        slow.mayConnect.withLock { $0 = true }
    }
}
