import DocentTestSupport
import DriveStore
import Foundation
import Testing

/// The reader in Python, which follows `docs/drive-format.md` and shares no code with Docent.
struct SecondReaderTests {
    private struct Entry: Decodable {
        let path: String
        let folder: Bool
        let version: String?
        let size: Int?
        let arrived: Bool?
    }

    private func run(_ arguments: [String]) throws -> (status: CInt, output: Data) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [Repository.root + "/Tests/Programs/drive_reader.py"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    @Test("R1: it lists and reads a drive that docent made")
    func itListsAndReadsADriveThatDocentMade() async throws {
        let scratch = try Scratch()
        let path = try scratch.directory("store")
        let store = DirectoryStore(path)
        let phrase = RecoveryPhrase.new()
        let keys = try await DriveSetup.create(in: store, phrase: phrase)
        let one = try TestDevice(store, keys, name: "one")
        let two = try TestDevice(store, keys, name: "two")
        let folder = try await one.drive.create("folder", in: .root)
        for number in 0..<500 { _ = try await one.drive.create("f\(number)", in: folder) }
        var random = SeededRandom(11)
        let large = random.bytes(9 << 20)
        _ = try await one.drive.createDocument("large.bin", large, in: folder)
        try await one.drive.append()
        try await one.drive.writeCheckpoint()
        try await two.drive.append()
        // A cycle of moves, a conflict of names, an edit of both, and something in the trash.
        let item = try await one.drive.createDocument("notes.txt", Array("one".utf8))
        let gone = try await one.drive.createDocument("gone", [1])
        let (left, right) = (
            try await one.drive.create("left", in: .root), try await one.drive.create("right", in: .root)
        )
        try await one.drive.append()
        try await two.drive.read()
        let first = try #require(await two.drive.tree.current[item])
        try await two.drive.add(try await two.drive.sent(Array("two".utf8)), to: item, parents: [first])
        try await one.drive.add(try await one.drive.sent(Array("three".utf8)), to: item, parents: [first])
        _ = try await two.drive.createDocument("large.bin", [2], in: folder)
        try await one.drive.move(left, to: right, named: "left")
        try await two.drive.move(right, to: left, named: "right")
        try await one.drive.move(folder, to: .root, named: "\u{E9}")
        _ = try await two.drive.create("e\u{301}", in: .root)
        try await two.drive.trash([gone])
        try await one.drive.append()
        try await two.drive.append()
        try await one.drive.read()
        let tree = await one.drive.tree

        let listing = try run(["list", path, phrase.text])
        #expect(listing.status == 0)
        let entries = try listing.output.split(separator: 10).map { try JSONDecoder().decode(Entry.self, from: $0) }
        var expected: Set<String> = []
        for item in tree.live {
            var (path, parent) = (tree.shownNames[item] ?? "", tree.parents[item] ?? .root)
            while parent != .root {
                (path, parent) = ("\(tree.shownNames[parent] ?? "")/\(path)", tree.parents[parent] ?? .root)
            }
            expected.insert(
                "\(path) \(tree.current[item]?.description ?? "-") \(tree.current[item].map { tree.arrived.contains($0) } ?? false)"
            )
        }
        #expect(Set(entries.map { "\($0.path) \($0.version ?? "-") \($0.arrived ?? false)" }) == expected)
        #expect(entries.count == 507)
        #expect(try Array(run(["cat", path, phrase.text, "\u{E9}/large.bin"]).output) == large)
        #expect(try run(["list", path, RecoveryPhrase.new().text]).status != 0)
    }

    @Test("R7: it follows the keys from epoch to epoch, and ends a removed device's log where the list says")
    func itFollowsTheKeys() async throws {
        let scratch = try Scratch()
        let path = try scratch.directory("store")
        let store = DirectoryStore(path)
        let phrase = RecoveryPhrase.new()
        let keys = try await DriveSetup.create(in: store, phrase: phrase)
        let all = try ["one", "two", "three"].map { try TestDevice(store, keys, name: $0) }
        for device in all { try await device.drive.append() }
        for device in all { try await device.drive.read() }
        for number in 0..<400 { _ = try await all[1].drive.create("f\(number)", in: .root) }
        try await all[1].drive.append()
        try await all[0].drive.remove(try #require(await all[1].drive.device))
        let bytes = [UInt8](repeating: 7, count: 40_000)
        _ = try await all[0].drive.createDocument("new", bytes)
        try await all[0].drive.append()
        try await all[2].drive.read()
        try await all[2].drive.remove(try #require(await all[0].drive.device))
        _ = try await all[2].drive.create("last", in: .root)
        try await all[2].drive.append()
        let listing = try run(["list", path, phrase.text])
        #expect(listing.status == 0)
        let entries = try listing.output.split(separator: 10).map { try JSONDecoder().decode(Entry.self, from: $0) }
        #expect(Set(entries.map(\.path)) == Set((0..<400).map { "f\($0)" } + ["new", "last"]))
        #expect(try Array(run(["cat", path, phrase.text, "new"]).output) == bytes)
        // An epoch that does not follow from the one before.
        let epochs = try FileManager.default.contentsOfDirectory(atPath: path + "/epochs")
        #expect(epochs.count == 3)
        let last = await all[2].drive.keys.epoch
        try FileManager.default.removeItem(atPath: "\(path)/epochs/\(last)")
        #expect(try run(["list", path, phrase.text]).status != 0)
    }

    @Test("R6: it reads a drive of which space was freed, also a document that was sent again")
    func itReadsADriveOfWhichSpaceWasFreed() async throws {
        let scratch = try Scratch()
        let path = try scratch.directory("store")
        let phrase = RecoveryPhrase.new()
        let store = DirectoryStore(path)
        let one = try TestDevice(store, try await DriveSetup.create(in: store, phrase: phrase))
        let bytes = [UInt8](repeating: 7, count: 40_000)
        let item = try await one.drive.createDocument("old", bytes)
        try await one.drive.append()
        try await one.drive.trash([item])
        let freed = try await one.drive.collect(keepDays: 0)
        #expect(freed.state == .freed && freed.packs == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/packs").isEmpty)
        _ = try await one.drive.createDocument("new", bytes)
        try await one.drive.append()
        #expect(try Array(run(["cat", path, phrase.text, "new"]).output) == bytes)
    }

    @Test("it notices a flipped bit")
    func itNoticesAFlippedBit() async throws {
        let scratch = try Scratch()
        let path = try scratch.directory("store")
        let store = DirectoryStore(path)
        let phrase = RecoveryPhrase.new()
        let keys = try await DriveSetup.create(in: store, phrase: phrase)
        let one = try TestDevice(store, keys)
        try await one.drive.append()
        let device = try #require(await one.drive.device)
        let head = URL(filePath: "\(path)/devices/\(device).2")
        var bytes = try Data(contentsOf: head)
        bytes[100] ^= 1
        try bytes.write(to: head)
        #expect(try run(["list", path, phrase.text]).status != 0)
    }
}
