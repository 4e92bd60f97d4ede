import Coordination
import DocentInterfaces
import HostTesting
import Records
import Rights
import Synchronization
import Testing
import UniformTypes

@testable import Access
@testable import ExtensionHosting
@testable import HostCore
@testable import RemoteDocuments

/// Links and the case of names, resolved before a claim is made (2.3).
@Suite struct SymbolicLinksTests {
    private static func key(_ identifier: String) -> ItemKey {
        ItemKey(provider: "p", domain: "d", identifier: identifier)
    }

    /// An item whose identifier describes it: `a>b` is a link to `b`.
    private static func item(_ key: ItemKey) -> Wire.Item {
        let target = key.identifier.split(separator: ">", maxSplits: 1).dropFirst().first.map(String.init)
        return Wire.Item(
            reference: key.reference, parent: ".root", name: key.identifier,
            contentType: target == nil ? "public.folder" : "public.symlink", isFolder: target == nil,
            isDownloaded: true, isUploaded: true, symbolicLinkTarget: target)
    }

    private static func end(_ first: String) async throws -> String {
        try await SymbolicLinks.end(of: item(key(first))) { item($0) }.reference.identifier
    }

    @Test("2.3: a link is followed to an item that is no link, over eight others at most")
    func chains() async throws {
        #expect(try await Self.end("a") == "a")
        #expect(try await Self.end("1>a") == "a")
        #expect(try await Self.end("8>7>6>5>4>3>2>1>a") == "a")
        await #expect(throws: Failure.self) { try await Self.end("9>8>7>6>5>4>3>2>1>a") }
    }

    @Test("2.3: links that form a cycle are an error, and a link never leaves its domain")
    func circles() async throws {
        let asked = Mutex<[ItemKey]>([])
        let failure = await #expect(throws: Failure.self) {
            try await SymbolicLinks.end(of: Self.item(Self.key("x>y"))) { key in
                asked.withLock { $0.append(key) }
                var item = Self.item(key)
                item.symbolicLinkTarget = key.identifier == "y" ? "z" : "y"
                return item
            }
        }
        #expect(failure?.code == .invalidArgument && failure?.message.contains("circle") == true)
        #expect(asked.withLock { $0 } == [Self.key("y"), Self.key("z")])
    }

    @Test(
        "2.3: an invalid identifier is no link target, and a folder is no link",
        arguments: ["", "a\0b", ".docent-x", String(repeating: "x", count: 4_097)])
    func targets(_ text: String) {
        var item = Wire.ProviderItem(identifier: "l", parent: ".root", name: "l", isFolder: false)
        item.symbolicLinkTarget = text
        #expect(SymbolicLinks.target(item) == nil)
        item.symbolicLinkTarget = "t"
        #expect(SymbolicLinks.target(item) == "t")
        #expect(ItemDescription(item).symbolicLinkTarget == "t")
        item.isFolder = true
        #expect(SymbolicLinks.target(item) == nil)
    }

    @Test("2.3: in a folder that ignores case, a missing name stands for all names that differ only in case")
    func absent() async throws {
        let items = TestItems(["folded": ".root", "exact": ".root"])
        items.state.withLock { $0.foldingCase = ["folded"] }
        let hierarchy = ItemHierarchy(types: TypeCatalogue(system: .system(environment: [:])), source: items)
        for (folder, isOne) in [("folded", true), ("exact", false)] {
            // A listing may leave out whether the folder ignores case.
            hierarchy.note(Self.item(Self.key(folder)))
            var places: Set<CoordinatedItem> = []
            for name in ["straße.txt", "STRASSE.TXT", "Strasse.txt"] {
                places.insert(try await hierarchy.absent(name, in: Self.key(folder)).item)
            }
            #expect(places.count == (isOne ? 1 : 3), "\(folder)")
            // A later listing without it changes nothing.
            hierarchy.note(Self.item(Self.key(folder)))
            #expect(places.contains(hierarchy.absentKey("STRASSE.txt", in: Self.key(folder).coordinated)) == isOne)
        }
    }

    @Test("2.3: a link's target is asked for each time, and an item that is known to be no link is not asked")
    func asked() async throws {
        let items = TestItems(["link": ".root", "a": ".root", "b": ".root"])
        items.state.withLock { $0.targets["link"] = "a" }
        let hierarchy = ItemHierarchy(types: TypeCatalogue(system: .system(environment: [:])), source: items)
        #expect(hierarchy.mayBeLink(Self.key("link")) && hierarchy.mayBeLink(Self.key("a")))
        #expect(try await hierarchy.linkTarget(of: Self.key("link")) == Self.key("a"))
        items.state.withLock { $0.targets["link"] = "b" }
        #expect(try await hierarchy.linkTarget(of: Self.key("link")) == Self.key("b"))
        #expect(hierarchy.mayBeLink(Self.key("link")) && !hierarchy.mayBeLink(Self.key("a")))
        let before = items.state.withLock { $0.asked }
        #expect(try await hierarchy.linkTarget(of: Self.key("a")) == nil)
        #expect(items.state.withLock { $0.asked } == before + 1)
    }
}
