import Documents
import FileSystemMessages
import Testing

@testable import MountedView

@Suite struct ViewTreeTests {
    private static let start = ContinuousClock.now
    private static let account = ViewAccount(provider: "org.example.p", domain: "d", displayName: "Work")

    /// A tree with one account, and the number of its folder.
    private static func tree(_ items: [ViewItem] = []) throws -> (ViewTree, UInt64) {
        let tree = ViewTree(user: 1, group: 2, validity: .seconds(10))
        _ = tree.replace(accounts: [account], at: start)
        let folder = try number("Work", KernelRequest.root, tree)
        if !items.isEmpty { _ = tree.replace(items: items, of: folder, at: start) }
        return (tree, folder)
    }

    private static func number(_ name: String, _ folder: UInt64, _ tree: ViewTree) throws -> UInt64 {
        guard case .found(let node) = tree.lookUp(name, in: folder) else { throw Missing() }
        return node.node
    }

    private struct Missing: Error {}

    private static func file(_ identifier: String, _ name: String, version: String? = "1", size: UInt64 = 3) -> ViewItem
    {
        ViewItem(identifier: identifier, name: name, kind: .file, size: size, version: version)
    }

    private static func folder(_ identifier: String, _ name: String) -> ViewItem {
        ViewItem(identifier: identifier, name: name, kind: .folder)
    }

    @Test("a name of a listed folder is found or missing; of another folder nothing is known")
    func lookUp() throws {
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt"), Self.folder("2", "sub")])
        guard case .found(let node) = tree.lookUp("a.txt", in: folder) else { throw Missing() }
        #expect(node.attributes.size == 3 && node.attributes.kind == .file && node.validity == .seconds(10))
        #expect(tree.lookUp("b.txt", in: folder) == .missing)
        #expect(tree.lookUp("x", in: try Self.number("sub", folder, tree)) == .unknown)
        #expect(tree.entries(of: folder)?.count == 2)
    }

    @Test("an answer that was asked for before a change made here is not recorded: it may be about another document")
    func lateAnswer() throws {
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt")])
        let before = tree.localChanges(of: folder)
        _ = tree.remove("a.txt", from: folder)
        let begun = try #require(tree.begin("a.txt", in: folder))
        #expect(tree.note(Self.file("1", "a.txt"), in: folder, at: Self.start, since: before) == nil)
        #expect(try Self.number("a.txt", folder, tree) == begun && tree.place(of: begun) != nil)
        let now = tree.localChanges(of: folder)
        #expect(tree.note(Self.file("2", "b.txt"), in: folder, at: Self.start, since: now) != nil)
    }

    @Test("a node has its location, by the names of its provider, and its path, by the names that are shown")
    func places() throws {
        let (tree, folder) = try Self.tree([Self.folder("2", "a/b")])
        let entry = try #require(tree.entries(of: folder)?.first)
        #expect(tree.location(of: entry.node)?.description == "org.example.p@d:/a/b")
        #expect(tree.path(to: entry.node) == ["Work", entry.name] && entry.name.hasPrefix("a_b~"))
        #expect(tree.location(of: KernelRequest.root) == nil)
        #expect(tree.location(of: folder)?.path == "/")
    }

    @Test("a file that was removed while it is open has no name, as stat shows, until it is saved again")
    func removedOpen() throws {
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt")])
        let node = try Self.number("a.txt", folder, tree)
        #expect(tree.attributes(of: node)?.isRemoved == false)
        _ = tree.remove("a.txt", from: folder)
        #expect(tree.attributes(of: node)?.isRemoved == true)
        tree.beginAgain(node)
        #expect(tree.attributes(of: node)?.isRemoved == false)
    }

    @Test("a file with another content is another node, and its number for programs stays")
    func newContent() throws {
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt")])
        let before = try Self.number("a.txt", folder, tree)
        let inode = tree.attributes(of: before)?.inode
        let changes = tree.replace(items: [Self.file("1", "a.txt", version: "2", size: 9)], of: folder, at: Self.start)
        #expect(changes == [.appeared(parent: folder, name: "a.txt", replaced: before)])
        let after = try Self.number("a.txt", folder, tree)
        #expect(after != before && tree.attributes(of: after)?.inode == inode && tree.attributes(of: after)?.size == 9)
        #expect(tree.attributes(of: before)?.size == 3, "those who have it open still see it")
        tree.forget([.init(node: before, count: 1)])
        #expect(tree.attributes(of: before) == nil)
    }

    @Test("a file that was changed in place by its provider stays the same node")
    func changedInPlace() throws {
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt")])
        let before = try Self.number("a.txt", folder, tree)
        let changes = tree.replace(
            items: [Self.file("1", "a.txt", version: "2")], of: folder, at: Self.start,
            isSameFile: { number, _ in number == before })
        #expect(changes == [.content(node: before)])
        #expect(try Self.number("a.txt", folder, tree) == before)
    }

    @Test("content that has only got its final version is the same")
    func uploaded() throws {
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt", version: "local")])
        let before = try Self.number("a.txt", folder, tree)
        var item = Self.file("1", "a.txt", version: "server")
        item.formerVersion = "local"
        #expect(tree.replace(items: [item], of: folder, at: Self.start) == [.attributes(node: before)])
    }

    @Test("a renamed or moved document keeps its node")
    func moved() throws {
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt"), Self.folder("2", "sub")])
        let node = try Self.number("a.txt", folder, tree)
        let sub = try Self.number("sub", folder, tree)
        let renamed = tree.replace(
            items: [Self.file("1", "b.txt"), Self.folder("2", "sub")], of: folder, at: Self.start)
        #expect(
            Set(try #require(renamed)) == [
                .left(parent: folder, node: node, name: "a.txt", kind: .file),
                .appeared(parent: folder, name: "b.txt", replaced: nil),
            ])
        #expect(try Self.number("b.txt", folder, tree) == node)
        _ = tree.replace(items: [Self.file("1", "c.txt")], of: sub, at: Self.start)
        #expect(try Self.number("c.txt", sub, tree) == node && tree.lookUp("b.txt", in: folder) == .missing)
        _ = tree.replace(items: [Self.folder("2", "sub")], of: folder, at: Self.start)
        #expect(tree.path(to: node) == ["Work", "sub", "c.txt"], "the listing of its old folder does not remove it")
    }

    @Test("what is removed is reported, and kept only for those who know it")
    func removed() throws {
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt"), Self.file("2", "b.txt")])
        let known = try Self.number("a.txt", folder, tree)
        let changes = try #require(tree.replace(items: [], of: folder, at: Self.start))
        #expect(
            changes.count == 2 && changes.contains(.removed(parent: folder, node: known, name: "a.txt", kind: .file)))
        #expect(tree.attributes(of: known) != nil && tree.place(of: known) == nil)
        tree.forget([.init(node: known, count: 1)])
        #expect(tree.attributes(of: known) == nil)
    }

    @Test("a folder that says that it contains itself, or its own folder, makes no ring")
    func ring() throws {
        let (tree, folder) = try Self.tree([Self.folder("2", "sub")])
        let sub = try Self.number("sub", folder, tree)
        _ = tree.replace(items: [Self.folder("2", "sub")], of: sub, at: Self.start)
        let inner = try Self.number("sub", sub, tree)
        #expect(inner != sub && tree.path(to: inner) == ["Work", "sub", "sub"])
    }

    @Test("what the kernel has forgotten takes no memory")
    func forgotten() throws {
        let (tree, folder) = try Self.tree([Self.folder("2", "sub")])
        let sub = try Self.number("sub", folder, tree)
        _ = tree.replace(items: (0..<100).map { Self.file("f\($0)", "f\($0)") }, of: sub, at: Self.start)
        let file = try Self.number("f1", sub, tree)
        tree.forget([.init(node: sub, count: 1)])
        #expect(tree.entries(of: sub) != nil, "the kernel knows a file in it")
        tree.forget([.init(node: file, count: 1)])
        #expect(tree.entries(of: sub) == nil && tree.attributes(of: file) == nil)
        #expect(tree.attributes(of: sub) != nil, "its own folder is listed")
    }

    @Test("accounts with one name have different folders, and a renamed account keeps its own")
    func accounts() throws {
        let (tree, folder) = try Self.tree()
        let other = ViewAccount(provider: "org.example.q", domain: "", displayName: "Work")
        _ = tree.replace(accounts: [Self.account, other], at: Self.start)
        #expect(Set(tree.entries(of: KernelRequest.root)?.map(\.name) ?? []).count == 2)
        var renamed = Self.account
        renamed.displayName = "Office"
        _ = tree.replace(accounts: [renamed], at: Self.start)
        #expect(try Self.number("Office", KernelRequest.root, tree) == folder)
        #expect(tree.lookUp("Work", in: KernelRequest.root) == .missing)
    }

    @Test("a link leads to its target where that is known, otherwise to its reference")
    func links() throws {
        var link = ViewItem(identifier: "3", name: "link", kind: .symbolicLink, target: "1")
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt"), Self.folder("2", "sub")])
        let sub = try Self.number("sub", folder, tree)
        _ = tree.replace(items: [link], of: sub, at: Self.start)
        #expect(tree.linkText(from: try Self.number("link", sub, tree), to: "1") == "../a.txt")
        link.target = "9"
        #expect(tree.linkText(from: try Self.number("link", sub, tree), to: "9") == "docent://org.example.p@d/9")
    }

    @Test("a document that is being written stays in its folder when somebody else removes it, and is made again")
    func removedWhileWritten() throws {
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt"), Self.file("2", "b.txt")])
        let node = try Self.number("a.txt", folder, tree)
        tree.grew(node, to: 10)
        let changes = tree.replace(items: [Self.file("2", "b.txt")], of: folder, at: Self.start)
        #expect(changes == [])
        #expect(try Self.number("a.txt", folder, tree) == node)
        tree.beginAgain(node)
        #expect(tree.isBegun(node) && tree.item(of: node)?.identifier == "" && tree.attributes(of: node)?.size == 10)
        let saved = ViewItem(identifier: "3", name: "a.txt", kind: .file, size: 10, version: "1")
        #expect(tree.published(node, saved) == [])
        _ = tree.replace(items: [saved, Self.file("2", "b.txt")], of: folder, at: Self.start)
        #expect(try Self.number("a.txt", folder, tree) == node && tree.reference(of: node)?.identifier == "3")
    }

    @Test("a version that was saved here takes its name back from one of somebody else that was listed meanwhile")
    func publishedBesideAnother() throws {
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt")])
        let mine = try Self.number("a.txt", folder, tree)
        _ = tree.replace(items: [Self.file("1", "a.txt", version: "theirs", size: 6)], of: folder, at: Self.start)
        let theirs = try Self.number("a.txt", folder, tree)
        #expect(theirs != mine)
        let changes = tree.published(mine, Self.file("1", "a.txt", version: "mine"))
        #expect(changes == [.appeared(parent: folder, name: "a.txt", replaced: theirs)])
        #expect(try Self.number("a.txt", folder, tree) == mine && tree.path(to: mine) == ["Work", "a.txt"])
    }

    @Test("news is about known nodes, listed folders and the top of the account")
    func concerned() throws {
        let (tree, folder) = try Self.tree([Self.file("1", "a.txt"), Self.folder("2", "sub")])
        let node = try Self.number("a.txt", folder, tree)
        let found = tree.concerned(by: ["1", "unknown", ".root"], of: Self.account)
        #expect(
            Set(found) == [
                .init(node: node, folder: folder, isListed: false, isInListed: true),
                .init(node: folder, folder: KernelRequest.root, isListed: true, isInListed: false),
            ])
        #expect(tree.listedFolders(of: Self.account) == [folder])
        let inode = try #require(tree.attributes(of: node)?.inode)
        #expect(tree.folders(of: [inode]) == [folder], "a watched file is in a watched folder")
    }
}
