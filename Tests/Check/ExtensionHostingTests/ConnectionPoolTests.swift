import DocentInterfaces
import ExtensionHosting
import HostCore
import Synchronization
import Testing
import Varlink

/// The connections to one extension (T2, law 5).
@Suite struct ConnectionPoolTests {
    /// An extension whose `Connect` waits until it is released.
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

    @Test("T3: cancelling a call that waits for its connection does not end the extension for others")
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

    @Test(
        "Law 5: an extension that accepts no further connection is given up at the deadline, with an error that says so"
    )
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

    @Test("law 3: a caller that gets no connection because the extension has ended learns that nothing was sent")
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

    /// Calls that occupy all places until they are released.
    private final class FullPool: Sendable {
        let pool: ConnectionPool
        private let slow = SlowExtension()
        private let mayEnd = AsyncStream.makeStream(of: Void.self)
        private let calls: Mutex<[Task<Void, any Error>]> = Mutex([])

        init(patience: Duration = .seconds(3600)) async throws {
            slow.mayConnect.withLock { $0 = true }
            pool = ConnectionPool(
                control: try slow.start(), interface: FileProviderInterface.name, patience: patience)
            let (pool, stream) = (pool, mayEnd.stream)
            for number in 1...PrincipalLimits.providerCalls.total {
                let call = Task {
                    try await pool.withConnection { _ in
                        for await _ in stream { break }
                    }
                }
                calls.withLock { $0.append(call) }
                while pool.busyCount < number { await Task.yield() }
            }
        }

        /// Ends one of the calls.
        func endOne() { mayEnd.continuation.yield() }

        /// One more call, which waits.
        func waiter(_ body: @escaping @Sendable () async throws -> Void) async throws -> Task<Void, any Error> {
            let before = pool.waitingCount
            let call = Task { [pool] in try await pool.withConnection { _ in try await body() } }
            while pool.waitingCount == before { await Task.yield() }
            return call
        }

        func end() async {
            mayEnd.continuation.finish()
            for call in calls.withLock({ $0 }) { _ = await call.result }
            pool.close()
            slow.stop()
        }
    }

    @Test("T4: callers that wait for a connection get it in order of arrival, as soon as one is free")
    func order() async throws {
        let full = try await FullPool()
        let served = Mutex<[Int]>([])
        var waiters: [Task<Void, any Error>] = []
        for number in 1...5 {
            waiters.append(try await full.waiter { served.withLock { $0.append(number) } })
        }
        #expect(full.pool.waitingCount == 5 && served.withLock { $0.isEmpty })
        // Each of them passes its connection on.
        full.endOne()
        for waiter in waiters { try await waiter.value }
        #expect(served.withLock { $0 } == [1, 2, 3, 4, 5])
        #expect(full.pool.waitingCount == 0 && full.pool.busyCount == PrincipalLimits.providerCalls.total - 1)
        await full.end()
        #expect(full.pool.busyCount == 0)
    }

    @Test("T3: cancelling a waiting call removes it from the queue, and no place is lost")
    func cancelledWaiter() async throws {
        let full = try await FullPool()
        let first = try await full.waiter { Issue.record("it was cancelled") }
        let second = try await full.waiter {}
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(full.pool.waitingCount == 1)
        full.endOne()
        try await second.value
        await full.end()
        #expect(full.pool.busyCount == 0)
    }

    @Test("T4: a principal at its limit waits, and does not delay another that comes later")
    func shares() async throws {
        let slow = SlowExtension()
        slow.mayConnect.withLock { $0 = true }
        let pool = ConnectionPool(control: try slow.start(), interface: FileProviderInterface.name)
        let mayEnd = AsyncStream.makeStream(of: Void.self)
        let greedy = ShareHolder(.confined, "greedy")
        let share = PrincipalLimits.providerCalls.confined.each
        let calls = (0...share).map { _ in
            Task {
                try await ShareHolder.$current.withValue(greedy) {
                    try await pool.withConnection { _ in for await _ in mayEnd.stream { break } }
                }
            }
        }
        while pool.busyCount < share || pool.waitingCount < 1 { await Task.yield() }
        try await ShareHolder.$current.withValue(ShareHolder(.confined, "modest")) {
            try await pool.withConnection { _ in }
        }
        #expect(pool.busyCount == share && pool.waitingCount == 1)
        mayEnd.continuation.finish()
        for call in calls { try await call.value }
        #expect(pool.busyCount == 0)
        pool.close()
        slow.stop()
    }

    @Test("law 5: a caller that waits in vain gets an error, and at once if the extension ends")
    func vainly() async throws {
        let impatient = try await FullPool(patience: .milliseconds(50))
        let vain = await #expect(throws: Failure.self) { try await impatient.pool.withConnection { _ in } }
        #expect(vain?.code == .unavailable && impatient.pool.waitingCount == 0)
        await impatient.end()
        let full = try await FullPool()
        let waiter = try await full.waiter { Issue.record("there is no connection") }
        full.pool.close()
        await #expect(throws: ConnectionPool.Ended.self) { try await waiter.value }
        await full.end()
        #expect(full.pool.busyCount == 0)
    }
}
