import Coordination
import Testing

/// Items that were moved (SEMANTICS 2.5), and the claims that follow them (2.2).
@Suite struct MoveTests {
    private static func location(_ name: String, in folders: String..., called: String? = nil) -> ItemLocation {
        ItemLocation(
            item: World.key(name), folders: folders.map(World.key), isFolder: World.folderNames.contains(name),
            name: called)
    }

    @Test("2.5: waiting claims and presenters of a moved item and of its contents get the new location")
    func follow() {
        var world = World()
        world.answersAtOnce = true
        world.present(1, "d.txt")
        world.request(1, write("folder", .forMoving))
        world.request(2, write("d.txt"))
        world.handle(
            .moved(.init(rawValue: 1), from: World.key("folder"), to: Self.location("moved", in: "target", "root")))
        let expected = Self.location("d.txt", in: "inner", "moved", "target", "root")
        #expect(world.state.claim(.init(rawValue: 2))?.accesses.first?.location == expected)
        #expect(world.state.presenter(.init(rawValue: 1))?.location == expected)
        world.request(3, write("target", .forDeleting))
        #expect(world.state.ledger.claims.last?.waitsFor == [.claim(.init(rawValue: 1)), .claim(.init(rawValue: 2))])
        world.release(1)
        world.release(2)
        #expect(world.isHeld(3))
    }

    @Test("2.5: a move is reported to the item, to its contents, and to the old and new directories around it")
    func news() {
        var world = World()
        world.present(1, "folder")
        world.present(2, "d.txt")
        world.present(3, "root")
        world.present(4, "target")
        world.present(5, "a.txt")
        world.handle(.moved(nil, from: World.key("folder"), to: Self.location("folder", in: "target", "root")))
        #expect(world.told(1) == ["didMove"] && world.told(2) == ["didMove"])
        #expect(world.told(3) == ["subitemDidMove"] && world.told(4) == ["subitemDidMove"])
        #expect(world.told(5).isEmpty)
    }

    @Test("2.5: a move to the present place does nothing; a new name is a move")
    func equal() {
        var world = World()
        world.handle(
            .presenterAdded(
                Presenter(
                    id: .init(rawValue: 1), owner: .init(rawValue: 1),
                    location: Self.location("a.txt", in: "root", called: "a.txt"))))
        world.handle(.moved(nil, from: World.key("a.txt"), to: Self.location("a.txt", in: "root", called: "a.txt")))
        #expect(world.sent.isEmpty)
        world.handle(.moved(nil, from: World.key("a.txt"), to: Self.location("a.txt", in: "root", called: "z.txt")))
        #expect(world.told(1) == ["didMove"])
    }

    @Test("2.2: a claim for replacing stays with the place and does not follow the item")
    func replacing() {
        var world = World()
        world.request(1, write("a.txt"))
        world.request(2, write("a.txt", .forReplacing))
        world.request(3, write("a.txt"))
        world.handle(.moved(.init(rawValue: 1), from: World.key("a.txt"), to: Self.location("z.txt", in: "root")))
        #expect(world.state.claim(.init(rawValue: 2))?.accesses.first?.location.item == World.key("a.txt"))
        #expect(world.state.claim(.init(rawValue: 3))?.accesses.first?.location.item == World.key("z.txt"))
        #expect(world.isHeld(2), "no claim holds that place any more")
        world.release(1)
        #expect(world.isHeld(3))
    }

    @Test("2.5: claims that a move brings together wait for each other in the order of arrival")
    func meeting() {
        var world = World()
        world.request(1, write("a.txt"))
        world.request(2, write("target", .forDeleting))
        world.request(3, write("a.txt"))
        #expect(world.isHeld(2))
        world.handle(.moved(nil, from: World.key("a.txt"), to: Self.location("a.txt", in: "target", "root")))
        world.release(1)
        #expect(!world.isHeld(3), "the directory around it is being deleted")
        world.release(2)
        #expect(world.isHeld(3))
    }

    @Test("2.3: an item that is found to lie in a package counts as the package")
    func located() {
        var world = World()
        let unknown = ItemLocation(item: World.key("page"), folders: [World.key("root")])
        world.request(1, ItemAccess(unknown, .writing([])))
        world.request(2, ItemAccess(unknown, .writing([])))
        world.handle(.located(World.location("page")))
        world.request(3, read("one"))
        #expect(world.stage(3) == .waiting)
        #expect(world.sent.isEmpty)
    }

    @Test("2.4: a place in a directory follows when the directory gets another identifier")
    func place() {
        var world = World()
        let folder = World.key("folder")
        let absent = ItemLocation(
            item: .absent("new", in: folder), folders: [folder, World.key("root")])
        world.request(1, ItemAccess(absent, .writing([])))
        world.handle(.moved(nil, from: folder, to: Self.location("renamed", in: "root")))
        let access = world.state.claim(.init(rawValue: 1))?.accesses.first
        #expect(access?.location.item == .absent("new", in: World.key("renamed")))
    }
}
