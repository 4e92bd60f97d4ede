import Coordination
import DocentInterfaces
import HostTesting
import Rights
import Synchronization
import Testing
import UniformTypes

@testable import Access
@testable import ExtensionHosting
@testable import HostCore

/// The places of items, for their claims (2.3).
@Suite struct CoordinationHierarchyTests {
    private static func key(_ identifier: String) -> ItemKey {
        ItemKey(provider: "p", identifier: identifier)
    }

    private func hierarchy(_ items: TestItems) -> ItemHierarchy {
        ItemHierarchy(types: TypeCatalogue(system: .system(environment: [:])), source: items)
    }

    @Test("2.3: an item inside nested packages counts as the outermost one")
    func packages() async throws {
        let items = TestItems([
            "a.txt": "inner.rtfd", "inner.rtfd": "outer.rtfd", "outer.rtfd": "folder", "folder": ".root",
        ])
        let hierarchy = hierarchy(items)
        let location = try await hierarchy.location(Self.key("a.txt"))
        #expect(location.folders.map(\.identifier) == ["inner.rtfd", "outer.rtfd", "folder", ".root"])
        #expect(location.packages.map(\.identifier) == ["inner.rtfd", "outer.rtfd"])
        #expect(location.unit.identifier == "outer.rtfd")
        #expect(hierarchy.cached(Self.key("a.txt"))?.packages == location.packages)
    }

    @Test("A known place is not asked for again until there is a change")
    func caching() async throws {
        let items = TestItems(["a.txt": "folder", "folder": ".root"])
        let hierarchy = hierarchy(items)
        #expect(hierarchy.cached(Self.key("a.txt")) == nil)
        _ = try await hierarchy.location(Self.key("a.txt"))
        let asked = items.state.withLock { $0.asked }
        #expect(asked == 3)
        #expect(hierarchy.cached(Self.key("a.txt")) != nil)
        _ = try await hierarchy.location(Self.key("a.txt"))
        #expect(items.state.withLock { $0.asked } == asked)

        items.state.withLock { $0.parents["a.txt"] = ".root" }
        hierarchy.drop(Self.key("a.txt"))
        #expect(hierarchy.cached(Self.key("a.txt")) == nil)
        #expect(hierarchy.cached(Self.key("a.txt"), mayBeStale: true)?.folders.first?.identifier == "folder")
        let again = try await hierarchy.location(Self.key("a.txt"))
        #expect(again.folders.map(\.identifier) == [".root"])
    }

    @Test("2.3: a missing item's place is in its folder, and in the packages around it")
    func absent() async throws {
        let items = TestItems(["outer.rtfd": ".root"])
        let location = try await hierarchy(items).absent("new.txt", in: Self.key("outer.rtfd"))
        #expect(location.item.isAbsent)
        #expect(location.folders.map(\.identifier) == ["outer.rtfd", ".root"])
        #expect(location.unit.identifier == "outer.rtfd")
    }

    @Test("A missing item is an error; a folder above that cannot be looked up is not")
    func missing() async throws {
        let items = TestItems(["a.txt": "lost"])
        let hierarchy = hierarchy(items)
        let location = try await hierarchy.location(Self.key("a.txt"))
        #expect(location.folders.map(\.identifier) == ["lost"])
        await #expect(throws: Failure.self) { try await hierarchy.location(Self.key("b.txt")) }
    }

    @Test("Folders that contain each other do not make the host climb for ever", .timeLimit(.minutes(1)))
    func loops() async throws {
        let items = TestItems(["a.txt": "x", "x": "y", "y": "x"])
        let location = try await hierarchy(items).location(Self.key("a.txt"))
        #expect(location.folders.count <= 256)
    }
}
