import Coordination
import Testing

/// Removing a local copy asks its presenters first (accommodatePresentedItemEviction).
@Suite struct EvictionTests {
    @Test("2.4: an eviction asks the presenters of the item and of its package, and sends nothing else")
    func asked() {
        var world = World()
        world.present(1, "chapters")
        world.present(2, "book")
        world.present(3, "one")
        world.present(4, "root")
        world.request(10, write("chapters", .forEvicting))
        for presenter: UInt64 in [1, 2] { #expect(world.told(presenter) == ["accommodateEviction"]) }
        #expect(!world.isHeld(10))
        world.answer(1)
        world.answer(2)
        #expect(world.isHeld(10))
        world.release(10)
        #expect(world.told(1) == ["accommodateEviction"])
        #expect(world.told(3).isEmpty)
        #expect(world.told(4).isEmpty)
    }

    @Test("O2: a presenter that refuses or does not answer in time keeps the local copy", arguments: [true, false])
    func refused(answers: Bool) throws {
        var world = World()
        world.present(1, "a.txt")
        world.request(10, write("a.txt", .forEvicting))
        if answers {
            world.answer(1, error: "still needed")
            #expect(world.failed[10] == .presenterFailed(.init(rawValue: 1), "still needed"))
        } else {
            let question = try #require(world.question(to: 1))
            world.handle(.deadlinePassed(question.id))
            #expect(world.failed[10] != nil)
        }
        #expect(!world.isHeld(10))
    }

    @Test("2.10: an eviction fetches nothing, and later claims wait until it has ended")
    func excludes() {
        var world = World()
        world.providesAtOnce = false
        world.request(10, write("a.txt", .forEvicting))
        #expect(world.isHeld(10))
        world.request(11, read("a.txt"))
        #expect(world.stage(11) == .waiting)
        world.release(10)
        #expect(world.stage(11) == .providing)
    }

    @Test("An eviction cannot be requested by name")
    func names() {
        #expect(WritingOptions(names: ["forEvicting"]) == nil)
        #expect(WritingOptions.forEvicting.names == ["forEvicting"])
        #expect(WritingOptions.forEvicting.isValid)
    }
}
