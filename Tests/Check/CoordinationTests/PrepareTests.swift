import Coordination
import Testing

/// Asking presenters of many items at once (SEMANTICS 2.6).
@Suite struct PrepareTests {
    @Test("2.6: preparing asks the presenters of the items and of their contents, and claims nothing")
    func asks() {
        var world = World()
        world.present(1, "folder")
        world.present(2, "d.txt")
        world.present(3, "root")
        world.request(1, write("d.txt"), presenter: 2)
        world.request(2, read("folder"), prepares: true)
        #expect(world.told(1) == ["relinquishToReader"] && world.told(2) == ["relinquishToReader"])
        for presenter in [1, 1, 2, 2] as [UInt64] { world.answer(presenter) }
        #expect(world.isHeld(2), "it waits for no claim, and no claim waits for it")
        world.request(3, write("folder", .forDeleting), presenter: 1)
        #expect(world.stage(3) == .waiting)
        #expect(world.told(3).isEmpty)
        world.release(2)
        #expect(world.told(1) == ["relinquishToReader", "saveChanges", "reacquire"])
    }

    @Test("2.6: claims within a prepared one send only messages that go beyond those already sent")
    func nested() {
        var world = World()
        world.answersAtOnce = true
        world.present(1, "c.txt")
        world.request(1, read("folder"), prepares: true)
        world.request(2, read("c.txt"), within: [1])
        #expect(world.told(1) == ["relinquishToReader", "saveChanges"])
        world.release(2)
        world.request(3, write("c.txt"), within: [1])
        #expect(world.told(1).last == "relinquishToWriter")
        world.release(3, changed: ["c.txt"])
        world.release(1)
        #expect(
            world.told(1) == [
                "relinquishToReader", "saveChanges", "relinquishToWriter", "didChange", "reacquire", "reacquire",
            ])
    }

    @Test("2.6: preparing neither resolves links nor replaces anything")
    func misuse() {
        for access in [read("a.txt", .resolvesSymbolicLink), write("a.txt", .forReplacing)] {
            var world = World()
            world.request(1, access, prepares: true)
            guard case .misuse = world.failed[1] else {
                Issue.record("It was not refused: \(access)")
                continue
            }
            world.request(2, access)
            #expect(world.isHeld(2), "it is legal without preparing")
        }
    }

    @Test("2.9 deadlock 10: an item that is prepared for reading and writing can be written (complaint 30)")
    func both() {
        var world = World()
        world.answersAtOnce = true
        world.present(1, "a.txt")
        world.request(1, read("a.txt"), write("a.txt"), prepares: true)
        #expect(world.isHeld(1))
        #expect(world.told(1) == ["relinquishToWriter"])
        world.request(2, read("a.txt"), write("a.txt"))
        #expect(world.isHeld(2), "a claim does not wait for itself either")
    }
}
