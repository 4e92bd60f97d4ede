import CLinux
import Foundation
import Synchronization
import Testing

@testable import Storage

@Suite struct WriterTests {
    @Test("W6: a file that another program put in place meanwhile is kept as a conflict version")
    func conflict() throws {
        let scratch = try Scratch()
        let journal = try FileJournal(scratch)
        let place = try scratch.place()
        try scratch.save([1], operation: "a", at: place, journal: journal)
        let writer = Writer(layout: scratch.layout, journal: journal)
        let record = WriteRecord(
            operation: "b", item: "p/item", place: place, baseVersion: 1, base: try writer.base(at: place))
        let session = try writer.begin(record)
        try write([2, 2], to: session.makeClientDescriptor())
        let path = "\(place.container)/\(place.folder)/\(place.name)"
        try Data([9, 9, 9]).write(to: URL(fileURLWithPath: path), options: .atomic)
        let outcome = try writer.commit(session)
        let kept = try #require(outcome.conflict)
        let version = try VersionStore(layout: scratch.layout).open(kept, of: "p/item")
        #expect(try bytes(of: version) == [9, 9, 9])
        #expect(try scratch.content(of: place) == [2, 2])
    }

    @Test("W0: a client that keeps its descriptor cannot change what was saved", arguments: [true, false])
    func keptDescriptor(confined: Bool) throws {
        let scratch = try Scratch()
        let journal = try FileJournal(scratch)
        let writer = Writer(layout: scratch.layout, journal: journal)
        let place = try scratch.place()
        let session = try writer.begin(
            WriteRecord(operation: "op", item: "i", place: place, baseVersion: nil, base: nil))
        let client = try session.makeClientDescriptor()
        try write([1, 2, 3], to: client)
        var outcome: WriteOutcome?
        outcome = try writer.commit(session, policy: confined ? .alwaysCopy : .copyIfWriterLeft)
        #expect(clinux_pwrite(client.number, [7, 7, 7] as [UInt8], 3, 0) == 3)
        #expect(try scratch.content(of: place) == [1, 2, 3])
        #expect(outcome?.record.digest == SHA256.digest(of: [1, 2, 3]))
        let upload = try Directory(path: scratch.layout.uploadsDirectory).open(FileName("op"))
        #expect(try bytes(of: upload) == [1, 2, 3])
    }

    @Test("W0: when no writer is left, the staged file itself is published, without a copy")
    func noNeedlessCopy() throws {
        let scratch = try Scratch()
        let writer = Writer(layout: scratch.layout, journal: try FileJournal(scratch))
        // A process that another test starts holds our descriptors until it executes: rightly a writer, for a moment.
        let published = try (0..<100).contains { round in
            let place = try scratch.place("item \(round)")
            let session = try writer.begin(
                WriteRecord(operation: "op\(round)", item: "i", place: place, baseVersion: nil, base: nil))
            try write([1], to: session.makeClientDescriptor())
            let staged = session.stagedIdentity
            _ = try writer.commit(session)
            return try scratch.store.open(place).map { try FileStatus(of: $0.number).identity } == staged
        }
        #expect(published)
    }

    @Test("W3: mode and attributes of the base are carried over")
    func attributes() throws {
        let scratch = try Scratch()
        let journal = try FileJournal(scratch)
        let place = try scratch.place()
        try scratch.save([1], operation: "a", at: place, journal: journal)
        let path = "\(place.container)/\(place.folder)/\(place.name)"
        let file = OpenDescriptor(owning: try checked(clinux_open(path, CLINUX_O_RDWR, 0), "open"))
        try checked(clinux_fchmod(file.number, 0o640), "chmod")
        let kept = clinux_set_attribute(file.number, "user.tag", "blue", 4) == 0
        _ = file.take().map { clinux_close($0) }
        try scratch.save([2], operation: "b", at: place, journal: journal)
        let saved = try #require(try scratch.store.open(place))
        #expect(try FileStatus(of: saved.number).mode == 0o640)
        if kept { #expect(try CarriedAttributes.value(of: "user.tag", on: saved.number) == Array("blue".utf8)) }
    }

    @Test("W: a session is taken up again after a restart, and its base must still be there")
    func resume() throws {
        let scratch = try Scratch()
        let journal = try FileJournal(scratch)
        let place = try scratch.place()
        let writer = Writer(layout: scratch.layout, journal: journal)
        let record = WriteRecord(operation: "op", item: "i", place: place, baseVersion: nil, base: nil)
        try write([1, 2], to: writer.begin(record).makeClientDescriptor())
        expectCode(.exists) { _ = try writer.begin(record) }
        _ = try writer.commit(writer.resume(record))
        #expect(try scratch.content(of: place) == [1, 2])
    }

    @Test("law 2: readers see the old or the new content, whole, while saves go on")
    func readersDuringPublish() throws {
        let scratch = try Scratch()
        let journal = try FileJournal(scratch)
        let place = try scratch.place()
        try scratch.save([UInt8](repeating: 0, count: 50_000), operation: "op0", at: place, journal: journal)
        let ended = Atomic<Bool>(false)
        let reads = Mutex<(all: Int, bad: Int)>((0, 0))
        let store = try scratch.store
        DispatchQueue.concurrentPerform(iterations: 2) { role in
            if role == 0 {
                for number in 1...25 {
                    let content = [UInt8](repeating: UInt8(number), count: 50_000 + number)
                    do {
                        try scratch.save(content, operation: "op\(number)", at: place, journal: journal)
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
        "hazard 22: a full disk is an error before damage; the old document stays",
        .enabled(if: geteuid() == 0, "mounting a small file system needs root"))
    func fullDisk() throws {
        let outer = try Scratch()
        let point = outer.root + "/small"
        try FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)
        try #require(mount("tmpfs", point, "tmpfs", 0, "size=1m") == 0)
        defer { umount2(point, Int32(MNT_DETACH)) }
        let scratch = try Scratch(under: point)
        let journal = try FileJournal(scratch)
        let place = try scratch.place()
        try scratch.save([1, 2, 3], operation: "a", at: place, journal: journal)
        expectCode(.noSpace) {
            try scratch.save([UInt8](repeating: 1, count: 4 << 20), operation: "b", at: place, journal: journal)
        }
        let source = try outer.file("big", [UInt8](repeating: 1, count: 4 << 20))
        let writer = Writer(layout: scratch.layout, journal: journal)
        let session = try writer.begin(
            WriteRecord(operation: "c", item: "i", place: place, baseVersion: nil, base: writer.base(at: place)))
        expectCode(.noSpace) { try session.fill(from: source.number, bound: .max) }
        #expect(try scratch.content(of: place) == [1, 2, 3])
    }
}
