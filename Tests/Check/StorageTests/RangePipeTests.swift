import DocentTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Storage

@Suite(.mayBlock) struct RangePipeTests {
    private struct World {
        let file: PartialFile
        let pipe: RangePipe
        let positions = Positions()

        final class Positions: Sendable {
            let all = Mutex<[Int64]>([])
        }

        func receive(_ range: Range<Int64>, _ cancellation: Cancellation = Cancellation()) throws -> RangePipe.Outcome {
            try pipe.receive(into: file, range, cancellation: cancellation) { position in
                positions.all.withLock { $0.append(position) }
            }
        }
    }

    private static func with(_ body: (World) throws -> Void) throws {
        let scratch = try Scratch()
        let directory = try Directory(path: scratch.layout.downloadsDirectory)
        let file = try PartialFile.create(try FileName("part"), in: directory)
        try file.truncate(to: 1000)
        try body(World(file: file, pipe: RangePipe()))
    }

    private static func send(_ bytes: Int, _ pipe: RangePipe, value: UInt8 = 7) throws -> OpenDescriptor {
        let writer = try #require(try pipe.makeWriter())
        let data = [UInt8](repeating: value, count: bytes)
        #expect(write(writer.number, data, bytes) == bytes)
        return writer
    }

    private static func content(_ file: PartialFile) throws -> [UInt8] {
        let reader = try file.makeReader()
        var bytes = [UInt8](repeating: 0, count: 2000)
        let count = pread(reader.number, &bytes, bytes.count, 0)
        return Array(bytes.prefix(count))
    }

    @Test("what is sent gets to its place in the file, and nowhere else")
    func moved() throws {
        try Self.with { world in
            let writer = try Self.send(100, world.pipe)
            world.pipe.senderAnswered()
            #expect(try world.receive(300..<400) == .received(100))
            withExtendedLifetime(writer) {}
            var expected = [UInt8](repeating: 0, count: 1000)
            for index in 300..<400 { expected[index] = 7 }
            #expect(try Self.content(world.file) == expected)
            #expect(world.positions.all.withLock { $0.last } == 400)
        }
    }

    @Test("more than was asked for goes nowhere", arguments: [1, 500])
    func tooMuch(_ surplus: Int) throws {
        try Self.with { world in
            let writer = try Self.send(100 + surplus, world.pipe)
            world.pipe.senderAnswered()
            #expect(try world.receive(0..<100) == .tooMuch)
            withExtendedLifetime(writer) {}
            #expect(
                try Self.content(world.file) == [UInt8](repeating: 7, count: 100) + [UInt8](repeating: 0, count: 900))
        }
    }

    @Test("a sender that answers and keeps the pipe open is not waited for", arguments: [0, 40])
    func keptOpen(_ bytes: Int) throws {
        try Self.with { world in
            let writer = try Self.send(bytes, world.pipe)
            world.pipe.senderAnswered()
            #expect(try world.receive(0..<100) == .received(Int64(bytes)))
            withExtendedLifetime(writer) {}
        }
    }

    @Test("a sender that ends without an answer has sent what came")
    func ended() throws {
        try Self.with { world in
            _ = try Self.send(10, world.pipe)
            world.pipe.senderAnswered()
            #expect(try world.receive(0..<100) == .received(10))
        }
    }

    @Test("waiting for a sender ends when it is cancelled")
    func cancelled() throws {
        try Self.with { world in
            let writer = try Self.send(10, world.pipe)
            let cancellation = Cancellation()
            let thread = Thread {
                usleep(50_000)
                cancellation.cancel()
            }
            thread.start()
            #expect(throws: FileSystemError.self) { try world.receive(0..<100, cancellation) }
            withExtendedLifetime(writer) {}
        }
    }

    @Test("nobody gets a second writer once something has come")
    func once() throws {
        try Self.with { world in
            let writer = try Self.send(10, world.pipe)
            #expect(try world.pipe.makeWriter() != nil)
            world.pipe.senderAnswered()
            _ = try world.receive(0..<100)
            #expect(try world.pipe.makeWriter() == nil)
            withExtendedLifetime(writer) {}
        }
    }

    @Test("a reader keeps the content when the file is sealed, and when it is removed")
    func kept() throws {
        try Self.with { world in
            let reader = try world.file.makeReader()
            let writer = try Self.send(100, world.pipe)
            world.pipe.senderAnswered()
            _ = try world.receive(0..<100)
            withExtendedLifetime(writer) {}
            let (sealed, status) = try world.file.seal()
            #expect(status.size == 1000)
            #expect(try FileStatus(of: reader.number).identity == FileStatus(of: sealed.number).identity)
            try world.file.remove()
            var byte: UInt8 = 0
            #expect(pread(reader.number, &byte, 1, 50) == 1 && byte == 7)
        }
    }
}
