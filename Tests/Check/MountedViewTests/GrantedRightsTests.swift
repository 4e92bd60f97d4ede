import Documents
import FileSystemMessages
import Testing

@testable import MountedView

/// What a confined program was granted, as a view shows it.
@Suite struct GrantedRightsTests {
    private static func grant(
        _ identifier: String, _ provider: String = "org.docent.Files", domain: String = "", isFolder: Bool = false,
        isReadOnly: Bool = true
    ) -> GrantedRights.Grant {
        .init(
            reference: DocumentReference(provider: provider, domain: domain, identifier: identifier), name: identifier,
            isFolder: isFolder, isReadOnly: isReadOnly)
    }

    private static func file(_ identifier: String, _ name: String? = nil, isReadOnly: Bool = true) -> ViewItem {
        ViewItem(identifier: identifier, name: name ?? identifier, kind: .file, isReadOnly: isReadOnly)
    }

    /// A view of rights, with the entries of its only account, and the number of the account's folder.
    private static func tree(_ rights: GrantedRights, _ items: [ViewItem]) throws -> (ViewTree, UInt64) {
        let tree = ViewTree(user: 1, group: 2, validity: .seconds(1), contents: .grants)
        _ = tree.replace(accounts: rights.accounts, at: .now)
        let folder = try #require(tree.accountFolders().first)
        _ = tree.replace(items: items, of: folder, at: .now)
        return (tree, folder)
    }

    private static func number(_ name: String, _ folder: UInt64, _ tree: ViewTree) throws -> UInt64 {
        guard case .found(let node) = tree.lookUp(name, in: folder) else { throw Missing() }
        return node.node
    }

    private struct Missing: Error {}

    // MARK: Rights

    @Test("the wider right to an item counts, in whichever order")
    func wider() {
        for order in [[true, false], [false, true]] {
            let rights = GrantedRights(order.map { Self.grant("1", isReadOnly: $0) })
            #expect(rights.grants.count == 1 && !rights.isReadOnly(rights.grants[0].reference))
        }
        #expect(GrantedRights().isReadOnly(Self.grant("1").reference), "without a right nothing may be written")
    }

    @Test("an account has the short name of its provider and its domain; two equal short names become long")
    func names() {
        let one = GrantedRights([
            Self.grant("1"), Self.grant("2", "org.example.Cloud", domain: "work"), Self.grant("3"),
        ])
        #expect(one.accounts.map(\.displayName) == ["Cloud@work", "Files"])
        let two = GrantedRights([Self.grant("1"), Self.grant("1", "com.example.Files")])
        #expect(two.accounts.map(\.displayName) == ["com.example.Files", "org.docent.Files"])
    }

    @Test("what may be written in an account follows from the rights in it")
    func writing() {
        #expect(GrantedRights([Self.grant("1")]).accounts.map(\.writing) == [.nothing])
        #expect(
            GrantedRights([Self.grant("1"), Self.grant("2", isReadOnly: false)]).accounts.map(\.writing) == [.some])
        #expect(GrantedRights([Self.grant(".root", isReadOnly: false)]).accounts.map(\.writing) == [.all])
        #expect(GrantedRights([Self.grant(".root")]).accounts.map(\.writing) == [.nothing])
    }

    @Test("a list without an end is cut off")
    func most() {
        let endless = sequence(first: 0) { $0 + 1 }.lazy.prefix(GrantedRights.most + 5).map { Self.grant(String($0)) }
        #expect(GrantedRights(endless).grants.count == GrantedRights.most)
    }

    // MARK: The tree

    @Test("modes say what may be written: a document, a folder with everything in it, and beside a writable document")
    func modes() throws {
        let rights = GrantedRights([
            Self.grant("r"), Self.grant("w", isReadOnly: false), Self.grant("f", isFolder: true, isReadOnly: false),
        ])
        let inner = ViewItem(identifier: "f", name: "f", kind: .folder)
        let (tree, folder) = try Self.tree(rights, [Self.file("r"), Self.file("w", isReadOnly: false), inner])
        func mode(_ number: UInt64) -> UInt32? { tree.attributes(of: number)?.permissions }
        #expect(mode(KernelRequest.root) == 0o500)
        #expect(mode(folder) == 0o700)
        #expect(mode(try Self.number("r", folder, tree)) == 0o400)
        #expect(mode(try Self.number("w", folder, tree)) == 0o600)
        let below = try Self.number("f", folder, tree)
        _ = tree.replace(items: [Self.file("x")], of: below, at: .now)
        #expect(mode(below) == 0o700)
        #expect(mode(try Self.number("x", below, tree)) == 0o600, "the folder's right covers it")
    }

    @Test("in a folder for reading only that is writable which has a right of its own")
    func mixed() throws {
        let folder = ViewItem(identifier: "f", name: "f", kind: .folder, isReadOnly: true)
        let (tree, top) = try Self.tree(GrantedRights([Self.grant("f", isFolder: true)]), [folder])
        #expect(tree.attributes(of: top)?.permissions == 0o500)
        let below = try Self.number("f", top, tree)
        _ = tree.replace(items: [Self.file("x"), Self.file("y", isReadOnly: false)], of: below, at: .now)
        #expect(tree.attributes(of: below)?.permissions == 0o500)
        #expect(tree.attributes(of: try Self.number("x", below, tree))?.permissions == 0o400)
        #expect(tree.attributes(of: try Self.number("y", below, tree))?.permissions == 0o600)
    }

    @Test("a right that ends removes its entry at once, and what programs have open of it counts as revoked")
    func ended() throws {
        let folder = ViewItem(identifier: "f", name: "f", kind: .folder, isReadOnly: true)
        let all = GrantedRights([Self.grant("a"), Self.grant("f", isFolder: true)])
        let (tree, top) = try Self.tree(all, [Self.file("a"), folder])
        let (document, below) = (try Self.number("a", top, tree), try Self.number("f", top, tree))
        _ = tree.replace(items: [Self.file("x")], of: below, at: .now)
        let inner = try Self.number("x", below, tree)
        #expect(![document, below, inner, top].contains { tree.isRevoked($0) })

        let changes = tree.apply(GrantedRights([Self.grant("a")]))
        #expect(changes.count == 1)
        #expect(tree.entries(of: top)?.map(\.name) == ["a"])
        #expect(tree.isRevoked(below) && tree.isRevoked(inner) && !tree.isRevoked(document))
        #expect(tree.lookUp("f", in: top) == .missing)

        _ = tree.apply(GrantedRights())
        _ = tree.replace(accounts: [], at: .now)
        #expect(tree.isRevoked(document) && tree.isRevoked(top))
        #expect(tree.isRevoked(4711), "an unknown node")
    }

    @Test("a right that is narrowed or widened changes the modes")
    func narrowed() throws {
        let (tree, top) = try Self.tree(
            GrantedRights([Self.grant("a", isReadOnly: false)]), [Self.file("a", isReadOnly: false)])
        let document = try Self.number("a", top, tree)
        #expect(
            Set(tree.apply(GrantedRights([Self.grant("a")]))) == [.attributes(node: top), .attributes(node: document)])
        #expect(tree.attributes(of: top)?.permissions == 0o500)
        #expect(tree.attributes(of: document)?.permissions == 0o400)
        #expect(tree.apply(GrantedRights([Self.grant("a")])).isEmpty)
    }

    @Test("files of this machine stay when a right ends, and what a program has removed itself is not revoked below")
    func local() throws {
        let folder = ViewItem(identifier: "f", name: "f", kind: .folder)
        let rights = GrantedRights([Self.grant("f", isFolder: true, isReadOnly: false)])
        let (tree, top) = try Self.tree(rights, [folder])
        let below = try Self.number("f", top, tree)
        _ = tree.replace(items: [Self.file("x")], of: below, at: .now)
        let inner = try Self.number("x", below, tree)
        _ = tree.remove("x", from: below)
        #expect(!tree.isRevoked(inner))
        let swap = ViewItem(identifier: "", name: ".a.swp", kind: .file, isLocal: true)
        _ = tree.begin(".a.swp", in: top, as: swap)
        _ = tree.apply(GrantedRights())
        #expect(tree.entries(of: top)?.map(\.name) == [".a.swp"])
    }

    @Test("a location leads back to its node by the names that are shown, also when two are the same")
    func locations() throws {
        let rights = GrantedRights([Self.grant("1"), Self.grant("2")])
        let (tree, top) = try Self.tree(rights, [Self.file("1", "a.txt"), Self.file("2", "a.txt")])
        let entries = try #require(tree.entries(of: top))
        #expect(Set(entries.map(\.name)).count == 2)
        for entry in entries {
            let location = try #require(tree.location(of: entry.node))
            #expect(tree.node(at: location) == entry.node)
        }
        let account = try #require(tree.location(of: top))
        #expect(tree.node(at: account) == top)
        #expect(tree.node(at: DocumentLocation(provider: account.provider, path: "/no")) == nil)
        #expect(tree.node(at: DocumentLocation(provider: "org.example.other", path: "/")) == nil)
    }
}
