import CLinux
import Cryptography
import Foundation
import Synchronization
import Testing

@testable import Storage

/// Content on its way from a client to its place: frozen, durable, and never changed again.
@Suite struct StagingAreaTests {
    @Test("W6: a file that another program stored in the meantime is kept as a conflict version")
    func conflict() throws {
        let scratch = try Scratch()
        let place = try scratch.place()
        try scratch.save([1], operation: "a", at: place)
        let base = try #require(try scratch.store.open(place).map { try FileStatus(of: $0.number).stamp })
        let path = "\(place.container)/\(place.folder)/\(place.name)"
        try Data([9, 9, 9]).write(to: URL(fileURLWithPath: path), options: .atomic)
        let staging = try Directory(path: scratch.layout.stagingDirectory)
        let fetched = try staging.create(FileName("fetched"))
        try write([2, 2], to: fetched)
        let versions = VersionStore(layout: scratch.layout)
        let kept = try #require(
            try scratch.store.publish(
                FileName("fetched"), in: staging, for: "item", at: place, replacing: base, item: "p/item",
                operation: "b", versions: versions))
        let version = VersionStore.Place(folder: NameEscaping.escape("p/item"), file: kept)
        #expect(try bytes(of: versions.open(version)) == [9, 9, 9])
        #expect(try scratch.content(of: place) == [2, 2])
    }

    @Test("W0: a client that keeps its descriptor cannot change what was saved", arguments: [true, false])
    func keptDescriptor(confined: Bool) throws {
        let scratch = try Scratch()
        let area = StagingArea(layout: scratch.layout)
        let place = try scratch.place()
        let session = try area.begin("op")
        let client = try session.makeClientDescriptor()
        try write([1, 2, 3], to: client)
        let frozen = try area.freeze(session, policy: confined ? .alwaysCopy : .copyIfWriterLeft)
        try scratch.publish("op", at: place)
        #expect(clinux_pwrite(client.number, [7, 7, 7] as [UInt8], 3, 0) == 3)
        #expect(try scratch.content(of: place) == [1, 2, 3])
        #expect(frozen.digest == SHA256.digest(of: [1, 2, 3]) && frozen.size == 3)
        let upload = try Directory(path: scratch.layout.uploadsDirectory).open(FileName("op"))
        #expect(try bytes(of: upload) == [1, 2, 3])
    }

    @Test("W0: without remaining writers the staged file itself is published, without a copy")
    func noNeedlessCopy() throws {
        let scratch = try Scratch()
        let area = StagingArea(layout: scratch.layout)
        // A process that another test starts holds our descriptors until it executes: a real writer, for a moment.
        let published = try (0..<100).contains { round in
            let place = try scratch.place("item \(round)")
            let session = try area.begin("op\(round)")
            try write([1], to: session.makeClientDescriptor())
            let staged = session.stagedIdentity
            _ = try area.freeze(session)
            try scratch.publish("op\(round)", at: place)
            return try scratch.store.open(place).map { try FileStatus(of: $0.number).identity } == staged
        }
        #expect(published)
    }

    @Test("W: a session is resumed after a restart, even one that was frozen and linked before a kill")
    func resume() throws {
        let scratch = try Scratch()
        let place = try scratch.place()
        let area = StagingArea(layout: scratch.layout)
        let first = try area.begin("op")
        try write([1, 2], to: first.makeClientDescriptor())
        expectCode(.exists) { _ = try area.begin("op") }
        _ = try area.freeze(first)
        let second = try area.resume("op")
        let client = try second.makeClientDescriptor()
        #expect(clinux_pwrite(client.number, [3] as [UInt8], 1, 2) == 1)
        _ = client.take().map { clinux_close($0) }
        let frozen = try area.freeze(second)
        #expect(frozen.digest == SHA256.digest(of: [1, 2, 3]))
        try scratch.publish("op", at: place)
        #expect(try scratch.content(of: place) == [1, 2, 3])
        // It is committed once.
        expectCode(.notFound) { _ = try area.resume("op") }
    }

    @Test("W: a name that hides, or leads out, is no operation's name", arguments: ["", ".op", "..", "a/b", "\0"])
    func names(_ operation: String) throws {
        let area = StagingArea(layout: try Scratch().layout)
        expectCode(.badName) { _ = try area.begin(operation) }
        expectCode(.badName) { try area.discard(operation) }
    }

    @Test("W: content in Uploads that differs from the committed content is reported, and nothing is changed")
    func corruptUpload() throws {
        let scratch = try Scratch()
        let place = try scratch.place()
        let area = StagingArea(layout: scratch.layout)
        let content = [UInt8](repeating: 0x6F, count: 300_000)
        let digest = try scratch.save(content, operation: "op", at: place).description
        try area.requireIntact("op", digest: digest, size: 300_000)
        expectCode(.corrupt) { try area.requireIntact("op", digest: digest, size: 300_001) }
        let upload = "\(scratch.layout.uploadsDirectory)/op"
        try FileManager.default.removeItem(atPath: upload)
        expectCode(.corrupt) { try area.requireIntact("op", digest: digest, size: 300_000) }
        try Data("junk".utf8).write(to: URL(fileURLWithPath: upload))
        expectCode(.corrupt) { try area.requireIntact("op", digest: digest, size: 300_000) }
        #expect(try scratch.content(of: place) == content)
    }

    @Test("law 2: readers see the old or the new content, whole, during saves")
    func readersDuringPublish() throws {
        let scratch = try Scratch()
        let place = try scratch.place()
        try scratch.save([UInt8](repeating: 0, count: 50_000), operation: "op0", at: place)
        let ended = Atomic<Bool>(false)
        let reads = Mutex<(all: Int, bad: Int)>((0, 0))
        let store = try scratch.store
        DispatchQueue.concurrentPerform(iterations: 2) { role in
            if role == 0 {
                for number in 1...25 {
                    let content = [UInt8](repeating: UInt8(number), count: 50_000 + number)
                    do {
                        try scratch.save(content, operation: "op\(number)", at: place)
                    } catch {
                        Issue.record(error)
                    }
                }
                ended.store(true, ordering: .releasing)
            } else {
                repeat {
                    let content = (try? store.open(place)).flatMap(\.self).flatMap { try? bytes(of: $0) } ?? []
                    let whole = content.first.map { first in
                        content.count == 50_000 + Int(first) && content.allSatisfy { $0 == first }
                    }
                    reads.withLock { $0 = ($0.all + 1, $0.bad + (whole == true ? 0 : 1)) }
                } while !ended.load(ordering: .acquiring)
            }
        }
        #expect(reads.withLock { $0.all } > 0)
        #expect(reads.withLock { $0.bad } == 0)
    }

    @Test(
        "hazard 22: a full disk is an error before any damage; the old document stays",
        .enabled(if: geteuid() == 0, "mounting a small file system needs root"))
    func fullDisk() throws {
        let outer = try Scratch()
        let point = outer.root + "/small"
        try FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)
        try #require(mount("tmpfs", point, "tmpfs", 0, "size=1m") == 0)
        defer { umount2(point, Int32(MNT_DETACH)) }
        let scratch = try Scratch(under: point)
        let place = try scratch.place()
        try scratch.save([1, 2, 3], operation: "a", at: place)
        expectCode(.noSpace) { try scratch.save([UInt8](repeating: 1, count: 4 << 20), operation: "b", at: place) }
        let source = try outer.file("big", [UInt8](repeating: 1, count: 4 << 20))
        let session = try StagingArea(layout: scratch.layout).begin("c")
        expectCode(.noSpace) { try session.fill(from: source.number, bound: .max) }
        #expect(try scratch.content(of: place) == [1, 2, 3])
    }
}
