import DocentTestSupport
import Documents
import FileSystemMessages
import Foundation
import Testing

@testable import MountedView

/// The extended attributes that programs give to the files of a view.
@Suite(.mayBlock) struct AttachedAttributesTests {
    private static let value: [UInt8] = Array("value".utf8)
    private static let account = ViewAccount(provider: "p", domain: "", displayName: "Work")

    // MARK: Files

    @Test("attributes of a document are kept, and only its own")
    func kept() throws {
        let folder = TemporaryFolder()
        let files = AttributeFiles(root: folder.path + "/new/attributes")
        #expect(files.attributes(of: ["p", "", "1"]).isEmpty)
        let attributes: AttributeFiles.Attributes = ["user.a": Self.value, "user.empty": [], "user.ü\n": [0, 255]]
        try files.set(attributes, of: ["p", "", "1"])
        #expect(files.attributes(of: ["p", "", "1"]) == attributes)
        #expect(AttributeFiles(root: folder.path + "/new/attributes").attributes(of: ["p", "", "1"]) == attributes)
        #expect(files.attributes(of: ["p", "", "2"]).isEmpty && files.attributes(of: ["p", "1", ""]).isEmpty)
        try files.set([:], of: ["p", "", "1"])
        try files.set([:], of: ["p", "", "1"])
        #expect(files.attributes(of: ["p", "", "1"]).isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/new/attributes")
        #expect(left.isEmpty, "\(left)")
    }

    @Test("no document has more than can be sent to a provider")
    func limits() throws {
        let folder = TemporaryFolder()
        let files = AttributeFiles(root: folder.path)
        let most = Dictionary(uniqueKeysWithValues: (0..<64).map { ("user.\($0)", Self.value) })
        try files.set(most, of: ["p", "", "1"])
        #expect(throws: DocumentsError.self) {
            try files.set(most.merging(["user.x": []]) { $1 }, of: ["p", "", "1"])
        }
        #expect(throws: DocumentsError.self) {
            try files.set(["user.a": [UInt8](repeating: 0, count: 64 << 10)], of: ["p", "", "1"])
        }
        #expect(files.attributes(of: ["p", "", "1"]) == most)
        try files.set(["user.a": [UInt8](repeating: 0, count: 65_530)], of: ["p", "", "1"])
        #expect(files.attributes(of: ["p", "", "1"])["user.a"]?.count == 65_530)
    }

    @Test("a file that is damaged, or of another document, has no attributes")
    func damaged() {
        let good = AttributeFiles.encode(["p", "", "1"], ["user.a": Self.value, "user.b": []])
        #expect(AttributeFiles.decode(good)?.document == ["p", "", "1"])
        #expect(AttributeFiles.decode(good)?.attributes == ["user.a": Self.value, "user.b": []])
        // Cut anywhere, it is nothing, or has fewer attributes.
        for length in 0..<good.count {
            let read = AttributeFiles.decode(Array(good[..<length]))
            #expect((read?.attributes.count ?? 0) < 2)
        }
        #expect(AttributeFiles.decode(good + [1]) == nil)
        #expect(AttributeFiles.decode(Array("docent attributes 1\n".utf8) + [255, 255, 255, 255]) == nil)
    }

    // MARK: Nodes

    private struct World {
        let folder = TemporaryFolder()
        let tree = ViewTree(user: 1, group: 2, validity: .seconds(10))
        let top: UInt64
        let attached: AttachedAttributes

        init() throws {
            _ = tree.replace(accounts: [account], at: .now)
            top = try #require(tree.entries(of: KernelRequest.root)?.first).node
            attached = AttachedAttributes(tree: tree, files: AttributeFiles(root: folder.path))
            _ = tree.replace(items: [file("1", "a.txt"), file("2", "b.txt")], of: top, at: .now)
        }

        func file(_ identifier: String, _ name: String) -> ViewItem {
            ViewItem(identifier: identifier, name: name, kind: .file, version: "1")
        }

        func node(_ name: String) throws -> UInt64 {
            try #require(tree.entries(of: top)?.first { $0.name == name }).node
        }
    }

    @Test("the attributes of a document go with its identifier, and end with it")
    func identifiers() throws {
        let world = try World()
        let (a, b) = (try world.node("a.txt"), try world.node("b.txt"))
        try world.attached.change(a) { $0["user.x"] = Self.value }
        #expect(world.attached.attributes(of: a) == ["user.x": Self.value])
        #expect(world.attached.attributes(of: b).isEmpty)
        world.attached.moved("1", to: "2", in: world.top)
        #expect(world.attached.attributes(of: a).isEmpty)
        #expect(world.attached.attributes(of: b) == ["user.x": Self.value])
        world.attached.removed(b)
        #expect(world.attached.attributes(of: b).isEmpty)
    }

    @Test("what is set while a new document is written belongs to the document afterwards")
    func begun() throws {
        let world = try World()
        let new = try #require(world.tree.begin("new.txt", in: world.top, as: nil))
        try world.attached.change(new) { $0["user.x"] = Self.value }
        #expect(world.attached.attributes(of: new) == ["user.x": Self.value])
        let item = world.file("3", "new.txt")
        world.attached.published(new, item)
        _ = world.tree.published(new, item)
        #expect(world.attached.attributes(of: new) == ["user.x": Self.value])
        #expect(AttributeFiles(root: world.folder.path).attributes(of: ["p", "", "3"]) == ["user.x": Self.value])
    }

    @Test("an error changes nothing")
    func failed() throws {
        let world = try World()
        let node = try world.node("a.txt")
        try world.attached.change(node) { $0["user.x"] = Self.value }
        #expect(throws: DocumentsError.self) {
            try world.attached.change(node) { attributes throws(DocumentsError) in
                attributes = [:]
                throw DocumentsError(.failed, "no")
            }
        }
        #expect(throws: DocumentsError.self) {
            try world.attached.change(node) { $0["user.y"] = [UInt8](repeating: 0, count: 70_000) }
        }
        #expect(world.attached.attributes(of: node) == ["user.x": Self.value])
    }
}
