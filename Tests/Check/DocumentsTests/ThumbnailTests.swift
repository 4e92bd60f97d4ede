import DocentInterfaces
import Glibc
import Synchronization
import Testing
import Varlink

@testable import Documents

/// Pictures (K9), on a daemon that the test plays.
@Suite struct ThumbnailTests {
    private typealias Thumbnail = DocumentsInterface.Thumbnail

    private static func reference(_ number: Int) -> DocumentReference {
        DocumentReference(provider: "p", identifier: "\(number)")
    }

    private static func reply(_ text: String) throws -> Reply<Thumbnail.Reply> {
        var template = Array("/tmp/docent-thumbnail-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        unlink(template)
        _ = pwrite(file, Array(text.utf8), text.utf8.count, 0)
        return Reply(
            .init(file: 0, width: 3, height: 2, source: "provider", version: "v", path: "/p"),
            descriptors: DescriptorList(OwnedDescriptor(file)))
    }

    @Test("K9: a picture is read with its facts; a failure is the daemon's")
    func one() async throws {
        let daemon = try FakeDaemon { table, daemon in
            table.call(Thumbnail.shortName, Thumbnail.Parameters.self) { [unowned daemon] parameters, _ in
                daemon.note("\(parameters.reference.identifier) \(parameters.size)")
                guard parameters.reference.identifier != "2" else { throw Failure(.notSupported, "None.") }
                return try Self.reply("a picture")
            }
        }
        let client = daemon.client()
        let picture = try await client.thumbnail(of: Self.reference(1), size: 512)
        #expect(picture.data == Array("a picture".utf8) && picture.width == 3 && picture.height == 2)
        #expect(picture.source == .provider && picture.version == "v" && picture.path == "/p")
        let error = await #expect(throws: DocumentsError.self) { _ = try await client.thumbnail(of: Self.reference(2)) }
        #expect(error?.code == .notSupported)
        #expect(daemon.log == ["1 512", "2 256"])
    }

    /// How many calls run, and the most that did.
    private final class Load: Sendable {
        private let state = Mutex((running: 0, most: 0))
        var most: Int { state.withLock { $0.most } }
        func begin() {
            state.withLock { $0 = ($0.running + 1, max($0.most, $0.running + 1)) }
        }
        func end() { state.withLock { $0.running -= 1 } }
    }

    @Test("K9: of many pictures at most eight are asked for at a time, also by two batches, and all are answered")
    func batch() async throws {
        let load = Load()
        let daemon = try FakeDaemon { table, _ in
            table.call(Thumbnail.shortName, Thumbnail.Parameters.self) { parameters, _ in
                load.begin()
                defer { load.end() }
                try await Task.sleep(for: .milliseconds(2))
                guard parameters.reference.identifier != "7" else { throw Failure(.notSupported, "None.") }
                return try Self.reply(parameters.reference.identifier)
            }
        }
        let client = daemon.client()
        let references = (0..<60).map(Self.reference)
        async let other = Self.collect(client.thumbnails(of: references))
        let results = await Self.collect(client.thumbnails(of: references, size: 128))
        for results in [results, await other] {
            #expect(results.count == 60 && results["7"] == .some(nil))
            #expect(results.allSatisfy { $0.key == "7" || $0.value == $0.key })
        }
        #expect((1...8).contains(load.most))
        #expect(await Self.collect(client.thumbnails(of: [])).isEmpty)
    }

    private static func collect(_ stream: AsyncStream<DocumentThumbnailResult>) async -> [String: String?] {
        var found: [String: String?] = [:]
        for await result in stream {
            let picture = try? result.result.get()
            found[result.reference.identifier] = .some(picture.map { String(decoding: $0.data, as: UTF8.self) })
        }
        return found
    }

    @Test("K9: what is scrolled away is cancelled: calls that run end at the daemon, and no others begin")
    func cancelled() async throws {
        let (begun, ended) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        let daemon = try FakeDaemon { table, daemon in
            table.call(Thumbnail.shortName, Thumbnail.Parameters.self) { [unowned daemon] parameters, _ in
                daemon.note(parameters.reference.identifier)
                begun.continuation.yield()
                defer { ended.continuation.yield() }
                try await Task.sleep(for: .seconds(3600))
                return try Self.reply("")
            }
        }
        let client = daemon.client()
        let batch = Task {
            for await _ in client.thumbnails(of: (0..<500).map(Self.reference)) {}
        }
        var count = 0
        for await _ in begun.stream {
            count += 1
            if count == 8 { break }
        }
        // One that waits for its turn leaves too.
        let waiting = Task { try await client.thumbnail(of: Self.reference(1000)) }
        waiting.cancel()
        let error = await #expect(throws: DocumentsError.self) { _ = try await waiting.value }
        #expect(error?.code == .cancelled)
        batch.cancel()
        await batch.value
        count = 0
        for await _ in ended.stream {
            count += 1
            if count == 8 { break }
        }
        #expect(daemon.log.count == 8)
        // The turns are free again.
        let last = Task { try await client.thumbnail(of: Self.reference(2000)) }
        for await _ in begun.stream { break }
        last.cancel()
        _ = await last.result
        #expect(daemon.log.last == "2000")
    }

    @Test("A gate lets so many in, passes turns on in order, and forgets who left")
    func gate() async throws {
        let gate = CallGate(limit: 1)
        #expect(await gate.enter())
        let left = Task { await gate.enter() }
        left.cancel()
        #expect(await !left.value)
        let next = Task { await gate.enter() }
        gate.leave()
        #expect(await next.value)
        gate.leave()
        #expect(await gate.enter())
        gate.leave()
    }
}
