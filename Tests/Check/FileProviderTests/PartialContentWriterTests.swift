import Glibc
import Testing

@testable import FileProvider

@Suite(.timeLimit(.minutes(2))) struct PartialContentWriterTests {
    private static let long = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }

    @Test("bytes arrive in the order in which they were written, more than the pipe holds")
    func order() async throws {
        let pipe = try FakePipe()
        async let arrived = pipe.all()
        try await write(Self.long, to: pipe.writing)
        #expect(await arrived == Self.long)
    }

    private func write(_ bytes: [UInt8], to descriptor: CInt) async throws {
        let writer = PartialContentWriter(owning: descriptor, range: 1_000..<1_000 + bytes.count)
        for start in stride(from: 0, to: bytes.count, by: 90_000) {
            try await writer.write(bytes[start..<min(bytes.count, start + 90_000)])
        }
        #expect(writer.bytesWritten == bytes.count)
        #expect(writer.bytesLeft == 0)
        #expect(!writer.isUnwanted && !writer.isWaiting)
    }

    @Test("a thread of a C library writes too, and blocks only itself")
    func blocking() async throws {
        let pipe = try FakePipe()
        async let arrived = pipe.all()
        let count = try await onThread {
            let writer = PartialContentWriter(owning: pipe.writing, range: 0..<Self.long.count)
            try Self.long.withUnsafeBytes { try writer.writeBlocking($0) }
            return writer.bytesWritten
        }
        #expect(count == Self.long.count)
        #expect(await arrived == Self.long)
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let started = FakeThread.start { continuation.resume(with: Result { try body() }) }
            if !started { continuation.resume(throwing: FileProviderError(.busy, "There is no thread.")) }
        }
    }

    @Test("more bytes than were asked for are refused, and none of them is written")
    func tooMany() async throws {
        let pipe = try FakePipe()
        async let arrived = pipe.all()
        try await {
            let writer = PartialContentWriter(owning: pipe.writing, range: 5..<10)
            try await writer.write([1, 2, 3])
            let async = await #expect(throws: FileProviderError.self) { try await writer.write([4, 5, 6]) }
            let blocking = #expect(throws: FileProviderError.self) {
                try [UInt8](4...6).withUnsafeBytes { try writer.writeBlocking($0) }
            }
            #expect(async?.code == .invalidArgument && blocking?.code == .invalidArgument)
            try await writer.write([4, 5])
            try await writer.write([])
        }()
        #expect(await arrived == [1, 2, 3, 4, 5])
    }

    @Test("a host that wants no more ends the writing like a cancellation, without a signal")
    func closed() async throws {
        signal(SIGPIPE, SIG_DFL)
        let pipe = try FakePipe()
        let writer = PartialContentWriter(owning: pipe.writing, range: 0..<100)
        try await writer.write([1, 2, 3])
        #expect(!writer.isUnwanted)
        pipe.closeReading()
        await #expect(throws: CancellationError.self) { try await writer.write([4]) }
        #expect(writer.isUnwanted)
        #expect(writer.bytesWritten == 3)
        await #expect(throws: CancellationError.self) { try await writer.write([4]) }
        #expect(throws: CancellationError.self) { try [UInt8(4)].withUnsafeBytes { try writer.writeBlocking($0) } }
        // Nothing is left pending that would end the process later.
        var pending = sigset_t()
        sigpending(&pending)
        #expect(sigismember(&pending, SIGPIPE) == 0)
    }

    @Test(
        "a writer that waits notices that the host closes the pipe, that its call ends, and that its task is cancelled")
    func waiting() async throws {
        for end in 0..<3 {
            let pipe = try FakePipe()
            let writer = PartialContentWriter(owning: pipe.writing, range: 0..<Self.long.count)
            let writing = Task { try await writer.write(Self.long) }
            while !writer.isWaiting { try await Task.sleep(for: .milliseconds(5)) }
            let second = await #expect(throws: FileProviderError.self) { try await writer.write([1]) }
            #expect(second?.code == .invalidArgument, "two writers would mix their bytes")
            switch end {
            case 0: pipe.closeReading()
            case 1: writer.stop()
            default: writing.cancel()
            }
            await #expect(throws: CancellationError.self) { try await writing.value }
            #expect(writer.isUnwanted == (end == 0))
            #expect((1..<Self.long.count).contains(writer.bytesWritten))
            if end > 0 { pipe.closeReading() }
        }
    }

    @Test("waiting writers leave the threads of the tasks alone")
    func manyWait() async throws {
        var pipes: [FakePipe] = []
        for _ in 0..<24 { pipes.append(try FakePipe()) }
        let ends = pipes
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pipe in ends { group.addTask { try await write(Self.long, to: pipe.writing) } }
            // All of them wait, and tasks run all the same.
            for _ in 0..<20 { try await Task.sleep(for: .milliseconds(2)) }
            for pipe in ends { group.addTask { #expect(await pipe.all() == Self.long) } }
            try await group.waitForAll()
        }
    }

    @Test("what was written directly is counted, and not beyond the part")
    func direct() throws {
        let pipe = try FakePipe()
        let writer = PartialContentWriter(owning: pipe.writing, range: 10..<20)
        defer { pipe.closeReading() }
        #expect(Glibc.write(writer.descriptor, [1, 2, 3], 3) == 3)
        writer.advance(by: 3)
        #expect(writer.bytesLeft == 7)
        writer.advance(by: -5)
        writer.advance(by: 100)
        #expect(writer.bytesWritten == 10)
    }
}
