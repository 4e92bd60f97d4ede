import Documents
import FileSystemMessages
import Glibc
import Testing

@testable import MountedView

/// What a server of a mount leaves to the next one.
@Suite struct HoldingTests {
    private static let records = [
        NodeRecord(
            number: 101, parent: 1, name: "Work", inode: 5,
            subject: .account(
                ViewAccount(provider: "org.example.p", domain: "d", displayName: "Work", writing: .nothing))),
        NodeRecord(
            number: 102, parent: 101, name: "ä/~1.txt", inode: 6,
            subject: .item(
                ViewItem(
                    identifier: "1", name: "ä/", kind: .file, size: 7,
                    modified: FileTime(seconds: -3, nanoseconds: 999_999_999), version: nil, formerVersion: "v",
                    isDownloaded: true, target: "", isBegun: false, isLocal: true, isReadOnly: true))),
        NodeRecord(number: 103, parent: 0, name: "", inode: 0, subject: nil),
    ]

    @Test("records are read as they were written, and a record that was cut off ends them")
    func records() {
        let bytes = Self.records.flatMap(\.bytes)
        #expect(NodeRecord.all(in: bytes) == Self.records)
        for count in 0..<bytes.count {
            let read = NodeRecord.all(in: Array(bytes.prefix(count)))
            #expect(read.count < 3 && Array(Self.records.prefix(read.count)) == read)
        }
    }

    @Test("bytes that are no records are harmless")
    func garbage() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let count = Int.random(in: 0...200, using: &generator)
            _ = NodeRecord.all(in: (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
            _ = KeptState.read((0..<KeptState.messageSize).map { _ in UInt8.random(in: 0...3, using: &generator) })
        }
    }

    @Test("messages to a keeper are read as they were written")
    func messages() throws {
        let entries = [
            KeptState.Entry(kind: .file, key: 1 << 40, node: 7, isWriter: true),
            KeptState.Entry(
                kind: .draft, key: 1, operation: KeptOperation("0a1b2c3d-0000-4000-8000-00000000000f")),
        ]
        for entry in entries {
            let (action, read) = try #require(KeptState.read(KeptState.message(.keep, entry)))
            #expect(action == .keep && read == entry)
        }
    }

    @Test(
        "the identifier of a change is left as two numbers",
        arguments: [
            "0a1b2c3d-0000-4000-8000-00000000000f", "00000000-0000-0000-0000-000000000001",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
        ])
    func operation(_ identifier: String) throws {
        #expect(try #require(KeptOperation(identifier)).identifier == identifier)
    }

    @Test(
        "another name of a change is not left",
        arguments: [
            "", "save", "0A1B2C3D-0000-4000-8000-00000000000F", "0a1b2c3d00004000800000000000000f",
            "00000000-0000-0000-0000-000000000000", "+a1b2c3d-0000-4000-8000-00000000000f",
        ])
    func otherName(_ identifier: String) { #expect(KeptOperation(identifier) == nil) }

    @Test("the next server knows the nodes that the kernel knows, by their numbers, names and places")
    func restored() throws {
        let journal = try #require(NodeJournal())
        let start = ContinuousClock.now
        let tree = ViewTree(user: 1, group: 2, validity: .seconds(10), journal: journal)
        let account = ViewAccount(provider: "org.example.p", domain: "d", displayName: "Work")
        _ = tree.replace(accounts: [account], at: start)
        let folder = try Self.look("Work", KernelRequest.root, tree)
        func file(_ identifier: String, _ name: String) -> ViewItem {
            ViewItem(identifier: identifier, name: name, kind: .file, size: 3, version: "1")
        }
        _ = tree.replace(
            items: [file("1", "a"), file("2", "b"), file("3", "c"), file("4", "d")], of: folder, at: start)
        let (a, b, c) = try (Self.look("a", folder, tree), Self.look("b", folder, tree), Self.look("c", folder, tree))
        _ = tree.replace(items: [file("1", "a"), file("2", "renamed"), file("4", "d")], of: folder, at: start)
        tree.forget([.init(node: a, count: 1)])
        let begun = try #require(tree.begin("new", in: folder))
        _ = tree.lookUp(begun)

        let next = ViewTree(user: 1, group: 2, validity: .seconds(10), journal: journal)
        #expect(next.path(to: b) == ["Work", "renamed"] && next.attributes(of: b)?.size == 3)
        #expect(next.attributes(of: b)?.inode == tree.attributes(of: b)?.inode)
        #expect(next.attributes(of: c) != nil && next.place(of: c) == nil, "it was removed, and is still open")
        #expect(next.attributes(of: a) == nil, "the kernel has forgotten it")
        #expect(next.isBegun(begun) && next.path(to: begun) == ["Work", "new"])
        #expect(next.entries(of: folder) == nil, "what the kernel does not know must be listed anew")
        #expect(next.location(of: b)?.description == "org.example.p@d:/renamed")
        // Its numbers go on after those of the first.
        _ = next.replace(items: [file("2", "renamed"), file("9", "e")], of: folder, at: start)
        let e = try Self.look("e", folder, next)
        #expect(e > begun)
        #expect(try Self.look("renamed", folder, next) == b && (try Self.look("new", folder, next)) == begun)
    }

    private struct Missing: Error {}

    private static func look(_ name: String, _ folder: UInt64, _ tree: ViewTree) throws -> UInt64 {
        guard case .found(let node) = tree.lookUp(name, in: folder) else { throw Missing() }
        return node.node
    }
}
