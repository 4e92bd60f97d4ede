import Foundation
import Testing

@testable import Storage

@Suite("W: a kill at any step loses nothing and mixes nothing")
struct CrashTests {
    static let old = [UInt8](repeating: 0x6F, count: 300_000)
    static let new = [UInt8](repeating: 0x6E, count: 400_000)

    /// One write that kills its own process at a step; says in a file what was acknowledged.
    static func writeAndDie(root: String, container: String, step: String) throws {
        let layout = StorageLayout(dataDirectory: root + "/data", runtimeDirectory: root + "/run")
        let journal = try FileJournal(directory: root + "/journal")
        let place = MaterialisedStore(container: OwnPath(container)).place(for: "item", name: Array("report.txt".utf8))
        let writer = Writer(layout: layout, journal: journal) { if $0.rawValue == step { kill(getpid(), SIGKILL) } }
        let record = WriteRecord(
            operation: "op", item: "p/item", place: place, baseVersion: nil, base: try writer.base(at: place))
        let session = try writer.begin(record)
        try write(new, to: session.makeClientDescriptor())
        let outcome = try writer.commit(session)
        try Data("saved".utf8).write(to: URL(fileURLWithPath: root + "/acknowledged"))
        try writer.confirmUploaded(outcome.record)
    }

    static func recoverAndDie(root: String, step: String) throws {
        let layout = StorageLayout(dataDirectory: root + "/data", runtimeDirectory: root + "/run")
        let journal = try FileJournal(directory: root + "/journal")
        let recovery = Recovery(layout: layout, journal: journal) {
            if $0.rawValue == step { kill(getpid(), SIGKILL) }
        }
        for record in try journal.records() { _ = try recovery.rollForward(record) }
    }

    @Test(
        "law 6: killed after a step, the document is old or new, and recovery run twice ends the same",
        // Sending is the host's, not the writer's.
        arguments: WriteStep.allCases.filter { $0 != .sent }, [true, false])
    func killedWhileWriting(_ step: WriteStep, replaces: Bool) async throws {
        let scratch = try Scratch()
        let journal = try FileJournal(scratch)
        let place = try scratch.place()
        if replaces { try scratch.save(Self.old, operation: "base", at: place, journal: journal) }
        let before = replaces ? Self.old : nil
        let (root, container) = (scratch.root, place.container.text)

        await #expect(processExitsWith: .signal(SIGKILL)) {
            [root = root as String, container = container as String, step = step.rawValue as String] in
            try CrashTests.writeAndDie(root: root, container: container, step: step)
        }
        let seen = try scratch.content(of: place)
        #expect(seen == before || seen == Self.new)
        let acknowledged = FileManager.default.fileExists(atPath: root + "/acknowledged")
        let record = try #require(try journal.records().first { $0.operation == "op" })
        let committed = record.state != .opened
        #expect(committed == [.committed, .renamed, .published, .recorded, .uploadRecorded, .uploaded].contains(step))
        if acknowledged { #expect(seen == Self.new) }

        if committed && record.state == .staged {
            // Recovery is killed too, in its middle.
            for inner in [WriteStep.renamed, .published, .recorded] {
                if try journal.records().first(where: { $0.operation == "op" })?.state != .staged { break }
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [root = root as String, inner = inner.rawValue as String] in
                    try CrashTests.recoverAndDie(root: root, step: inner)
                }
            }
        }
        let recovery = Recovery(layout: scratch.layout, journal: journal)
        for _ in 0..<2 {
            for record in try journal.records() {
                _ = try recovery.rollForward(record)
                if record.state == .opened { _ = try recovery.keepUncommitted(record) }
            }
            try recovery.removeOrphans(known: Set(journal.records().filter { $0.state != .uploaded }.map(\.operation)))
            // A committed row rolled forward a second time changes nothing.
            if committed, record.state == .staged { _ = try recovery.rollForward(record) }
        }
        #expect(try scratch.content(of: place) == (committed ? Self.new : before))
        let versions = VersionStore(layout: scratch.layout)
        let kept = try versions.versions(of: "p/item")
        // Killed at the first step, the session had no content yet.
        if committed || step == .opened {
            #expect(kept.isEmpty)
        } else {
            #expect(try kept.map { try bytes(of: versions.open($0, of: "p/item")) } == [Self.new])
        }
        #expect(try Directory(path: scratch.layout.stagingDirectory).names().isEmpty)
        let uploads = try Directory(path: scratch.layout.uploadsDirectory).names().map(\.description)
        let awaited = try journal.records().filter { $0.state == .published }.map(\.operation)
        #expect(Set(uploads) == Set(awaited))
    }

    @Test("W: content in Uploads that is not what was committed is reported, and nothing is renamed")
    func corruptUpload() throws {
        let scratch = try Scratch()
        let journal = try FileJournal(scratch)
        let place = try scratch.place()
        var record = try scratch.save(Self.old, operation: "op", at: place, journal: journal).record
        record.state = .staged
        try Data("junk".utf8).write(to: URL(fileURLWithPath: "\(scratch.layout.uploadsDirectory)/op"))
        let recovery = Recovery(layout: scratch.layout, journal: journal)
        expectCode(.corrupt) { _ = try recovery.rollForward(record) }
        try Directory(path: scratch.layout.uploadsDirectory).remove(FileName("op"))
        expectCode(.corrupt) { _ = try recovery.rollForward(record) }
    }
}
