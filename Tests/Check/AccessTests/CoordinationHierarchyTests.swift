import Coordination
import DocentInterfaces
import Rights
import Synchronization
import Testing
import UniformTypes

@testable import Access
@testable import ExtensionHosting
@testable import HostCore

/// Where items lie, for their claims (2.3).
@Suite struct CoordinationHierarchyTests {
    private final class Items: Sendable {
        let parents: Mutex<[String: String]>
        let asked = Mutex(0)
        init(_ parents: [String: String]) { self.parents = Mutex(parents) }

        func item(_ key: ItemKey) throws -> Wire.Item {
            asked.withLock { $0 += 1 }
            let parent = parents.withLock { $0[key.identifier] }
            guard parent != nil || key.identifier == ".root" else { throw Failure(.notFound, "It is gone.") }
            let isFolder = !key.identifier.hasSuffix(".txt")
            return Wire.Item(
                reference: key.reference, parent: parent, name: key.identifier,
                contentType: key.identifier.hasSuffix(".rtfd")
                    ? "com.apple.rtfd" : isFolder ? "public.folder" : "public.text",
                isFolder: isFolder, isDownloaded: true, isUploaded: true)
        }
    }

    private static func key(_ identifier: String) -> ItemKey {
        ItemKey(provider: "p", identifier: identifier)
    }

    private func hierarchy(_ items: Items) -> ItemHierarchy {
        ItemHierarchy(types: TypeCatalogue(system: .system(environment: [:]))) { try items.item($0) }
    }

    @Test("2.3: an item inside nested packages counts as the outermost one")
    func packages() async throws {
        let items = Items([
            "a.txt": "inner.rtfd", "inner.rtfd": "outer.rtfd", "outer.rtfd": "folder", "folder": ".root",
        ])
        let hierarchy = hierarchy(items)
        let location = try await hierarchy.location(Self.key("a.txt"))
        #expect(location.folders.map(\.identifier) == ["inner.rtfd", "outer.rtfd", "folder", ".root"])
        #expect(location.packages.map(\.identifier) == ["inner.rtfd", "outer.rtfd"])
        #expect(location.unit.identifier == "outer.rtfd")
        #expect(hierarchy.packages(of: Self.key("a.txt")) == [Self.key("inner.rtfd"), Self.key("outer.rtfd")])
    }

    @Test("What is known is not asked again until there is news of it")
    func caching() async throws {
        let items = Items(["a.txt": "folder", "folder": ".root"])
        let hierarchy = hierarchy(items)
        #expect(hierarchy.cached(Self.key("a.txt")) == nil)
        _ = try await hierarchy.location(Self.key("a.txt"))
        let asked = items.asked.withLock { $0 }
        #expect(asked == 3)
        #expect(hierarchy.cached(Self.key("a.txt")) != nil)
        _ = try await hierarchy.location(Self.key("a.txt"))
        #expect(items.asked.withLock { $0 } == asked)

        items.parents.withLock { $0["a.txt"] = ".root" }
        hierarchy.drop(Self.key("a.txt"))
        #expect(hierarchy.cached(Self.key("a.txt")) == nil)
        #expect(hierarchy.cached(Self.key("a.txt"), mayBeStale: true)?.folders.first?.identifier == "folder")
        let again = try await hierarchy.location(Self.key("a.txt"))
        #expect(again.folders.map(\.identifier) == [".root"])
    }

    @Test("2.3: a place where nothing is lies in its folder, and in the packages around it")
    func absent() async throws {
        let items = Items(["outer.rtfd": ".root"])
        let location = try await hierarchy(items).absent("new.txt", in: Self.key("outer.rtfd"))
        #expect(location.item.isAbsent)
        #expect(location.folders.map(\.identifier) == ["outer.rtfd", ".root"])
        #expect(location.unit.identifier == "outer.rtfd")
    }

    @Test("An item that is gone is an error; a folder above that cannot be had is not")
    func missing() async throws {
        let items = Items(["a.txt": "lost"])
        let hierarchy = hierarchy(items)
        let location = try await hierarchy.location(Self.key("a.txt"))
        #expect(location.folders.map(\.identifier) == ["lost"])
        await #expect(throws: Failure.self) { try await hierarchy.location(Self.key("b.txt")) }
    }

    @Test("A provider whose folders lie in each other does not keep the host climbing", .timeLimit(.minutes(1)))
    func loops() async throws {
        let items = Items(["a.txt": "x", "x": "y", "y": "x"])
        let location = try await hierarchy(items).location(Self.key("a.txt"))
        #expect(location.folders.count <= 256)
    }
}
