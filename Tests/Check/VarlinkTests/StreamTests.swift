import DocentTestSupport
import Glibc
import Synchronization
import Testing

@testable import Varlink

@Suite("Streams of replies", .mayBlock)
struct StreamTests {
    private func fixture(limits: ServerLimits = ServerLimits(), sent: @escaping @Sendable (Int) -> Void = { _ in })
        -> Fixture
    {
        Fixture(limits: limits) { table in
            table.stream("Count", Number.self) { value, _, sink in
                for number in 0..<value.number {
                    try await sink.send(Reply(Number(number: number)))
                    sent(number)
                }
                return Reply(Number(number: value.number))
            }
            table.stream("Files", Number.self) { value, _, sink in
                for number in 0..<value.number {
                    try await sink.send(
                        Reply(Files(names: ["\(number)"]), descriptors: DescriptorList(file(containing: "\(number)"))))
                    sent(number)
                }
                return Reply(Files(names: []))
            }
            table.stream("Fail", Number.self) { _, _, sink in
                try await sink.send(Reply(Number(number: 0)))
                throw OtherError()
            }
            table.stream("Big", Number.self) { value, _, sink in
                let text = String(repeating: "b", count: 10_000)
                for number in 0..<value.number {
                    try await sink.send(Reply(Text(text: text)))
                    sent(number)
                }
                return Reply(Text(text: ""))
            }
        }
    }

    @Test("All replies come in order, including the last, and the connection is free afterwards")
    func order() async throws {
        let connection = try fixture().connect()
        var numbers: [Int] = []
        for try await reply in connection.stream("org.docent.Test.Count", Number(number: 500), Number.self) {
            numbers.append(reply.value.number)
        }
        #expect(numbers == Array(0...500))
        let echo: Reply<Number> = try await connection.call("org.docent.Test.Echo", Number(number: 9))
        #expect(echo.value.number == 9)
    }

    @Test("T1: each reply of a stream has its own descriptors")
    func descriptors() async throws {
        let connection = try fixture().connect()
        var contents: [String] = []
        for try await reply in connection.stream("org.docent.Test.Files", Number(number: 60), Files.self)
        where !reply.value.names.isEmpty {
            contents.append(content(of: try reply.descriptors.take(0)))
        }
        #expect(contents == (0..<60).map(String.init))
    }

    @Test("An error ends the stream and leaves the connection usable")
    func failure() async throws {
        let connection = try fixture().connect()
        var iterator = connection.stream("org.docent.Test.Fail", Number(number: 1), Number.self).makeAsyncIterator()
        #expect(try await iterator.next()?.value.number == 0)
        await #expect(throws: VarlinkCallError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        #expect(!connection.isClosed)
    }

    @Test("T2: a stream is refused without more")
    func expectedMore() async throws {
        let connection = try fixture().connect()
        #expect {
            let _: Reply<Number> = try connection.callBlocking("org.docent.Test.Count", Number(number: 1))
        } throws: { ($0 as? VarlinkCallError)?.name == "org.varlink.service.ExpectedMore" }
    }

    @Test("T4: a slow reader slows the service down")
    func backPressure() async throws {
        let highest = Mutex(0)
        let connection = try fixture { number in highest.withLock { $0 = number } }.connect()
        var iterator = connection.stream("org.docent.Test.Big", Number(number: 2000), Text.self).makeAsyncIterator()
        _ = try await iterator.next()
        try await Task.sleep(for: .milliseconds(200))
        // 20 MB are requested; the queue takes 1 MiB, and the kernel's buffers well under another.
        #expect(highest.withLock { $0 } < 400)
        var count = 1
        while try await iterator.next() != nil { count += 1 }
        #expect(count == 2001)
    }

    @Test("T4: only a few unread descriptors are in flight")
    func descriptorPressure() async throws {
        let highest = Mutex(0)
        let connection = try fixture { number in highest.withLock { $0 = number } }.connect()
        var iterator = connection.stream("org.docent.Test.Files", Number(number: 100), Files.self).makeAsyncIterator()
        _ = try await iterator.next()
        try await Task.sleep(for: .milliseconds(200))
        #expect(highest.withLock { $0 } < 40)
        var count = 1
        while try await iterator.next() != nil { count += 1 }
        #expect(count == 101)
    }

    @Test("T4: trySend reports a full queue, so that the caller can coalesce")
    func trySend() async throws {
        let refusedAt = Mutex<Int?>(nil)
        let connection = try Fixture { table in
            table.stream("Flood", NoParameters.self) { _, _, sink in
                let text = String(repeating: "f", count: 50_000)
                var count = 0
                while try sink.trySend(Reply(Text(text: text))) { count += 1 }
                refusedAt.withLock { [count] in $0 = count }
                return Reply(Text(text: "resync"))
            }
        }.connect()
        var last = ""
        var count = 0
        for try await reply in connection.stream("org.docent.Test.Flood", NoParameters(), Text.self) {
            // Nothing is read before the queue is full.
            #expect(await eventually { refusedAt.withLock { $0 } != nil })
            last = reply.value.text
            count += 1
        }
        #expect(last == "resync")
        #expect(refusedAt.withLock { $0 } == count - 1)
        #expect(count > 15 && count < 100)
    }

    @Test("T4: a peer that does not read is disconnected after the time limit")
    func unread() async throws {
        var limits = ServerLimits()
        limits.unreadTimeout = .milliseconds(100)
        let fixture = fixture(limits: limits)
        let peer = try fixture.rawPeer()
        peer.send(#"{"method":"org.docent.Test.Big","more":true,"parameters":{"number":2000}}"# + "\0")
        #expect(await eventually { fixture.recorder.failures == [.timedOut] })
        #expect(await eventually { fixture.server.connectionCount == 0 })
    }

    @Test("T3: dropping the iterator or cancelling the task closes the connection", arguments: [false, true])
    func dropping(_ cancels: Bool) async throws {
        let ended = Mutex(false)
        let fixture = Fixture { table in
            table.stream("Hold", NoParameters.self) { _, _, sink in
                try await sink.send(Reply(Number(number: 1)))
                try? await Task.sleep(for: .seconds(600))
                ended.withLock { $0 = true }
                return Reply(Number(number: 2))
            }
        }
        let connection = try fixture.connect()
        let isOpen = Mutex(false)
        let task = Task {
            for try await _ in connection.stream("org.docent.Test.Hold", NoParameters(), Number.self) {
                isOpen.withLock { $0 = true }
                if !cancels { return }
            }
        }
        #expect(await eventually { isOpen.withLock { $0 } })
        if cancels { task.cancel() }
        let result = await task.result
        if cancels {
            #expect { try result.get() } throws: { ($0 as? VarlinkError)?.code == .cancelled }
        }
        #expect(await eventually { ended.withLock { $0 } })
        #expect(connection.isClosed)
    }

    @Test("T3: a stream that is cancelled between two replies has closed its connection when its reader is told so")
    func cancelledBetween() async throws {
        let fixture = Fixture { table in
            table.stream("Hold", NoParameters.self) { _, _, sink in
                try await sink.send(Reply(Number(number: 1)))
                try? await Task.sleep(for: .seconds(600))
                return Reply(Number(number: 2))
            }
        }
        let connection = try fixture.connect()
        let replies = connection.stream("org.docent.Test.Hold", NoParameters(), Number.self)
        let task = Task {
            var iterator = replies.makeAsyncIterator()
            let first = try await iterator.next()
            #expect(first?.value.number == 1)
            withUnsafeCurrentTask { $0?.cancel() }
            do {
                let second = try await iterator.next()
                Issue.record("\(String(describing: second)) came after the end")
            } catch let error as VarlinkError {
                #expect(error.code == .cancelled)
            }
            // A pool would take it back now, though something still holds the iterator.
            #expect(connection.isClosed)
            _ = iterator
        }
        try await task.value
        _ = replies
    }

    @Test("T3: a sink throws once the peer is gone")
    func sinkAfterEnd() async throws {
        let code = Mutex<VarlinkError.Code?>(nil)
        let fixture = Fixture { table in
            table.stream("Push", NoParameters.self) { _, _, sink in
                do {
                    while true { try await sink.send(Reply(Number(number: 1))) }
                } catch let error as VarlinkError {
                    code.withLock { $0 = error.code }
                }
                return Reply(Number(number: 2))
            }
        }
        let peer = try fixture.rawPeer()
        peer.send(#"{"method":"org.docent.Test.Push","more":true}"# + "\0")
        #expect(try await peer.receive() == #"{"parameters":{"number":1},"continues":true}"#)
        peer.shutdown()
        #expect(await eventually { code.withLock { $0 == .closed || $0 == .cancelled } })
    }
}
