import Coordination
import Testing

/// The known deadlocks are detected (SEMANTICS 2.9), and nothing else counts as one.
@Suite struct DeadlockTests {
    private func cycle(_ world: World, _ id: UInt64) -> [WaitNode]? {
        guard case .deadlock(let cycle) = world.failed[id] else { return nil }
        #expect(cycle.first == .claim(.init(rawValue: id)) && cycle.last == cycle.first)
        return cycle
    }

    private func claim(_ id: UInt64) -> WaitNode { .claim(.init(rawValue: id)) }

    @Test("2.9 deadlock 1: a presenter runs on the thread that the claim blocks")
    func thread() throws {
        var world = World()
        world.present(1, "a.txt", owner: 7, thread: "main")
        world.request(1, write("a.txt"), owner: 7, thread: "main")
        let message = try #require(world.sent.first)
        let main = WaitNode.thread(.init(rawValue: 7), "main")
        #expect(cycle(world, 1) == [claim(1), .message(message.id, message.presenter), main, claim(1)])
        world.request(2, write("a.txt"), owner: 7, thread: "other")
        #expect(world.failed[2] == nil)
    }

    @Test("2.9 deadlock 1: a claim on another item blocks the presenter's thread")
    func threadOfOther() {
        var world = World()
        world.present(1, "a.txt", owner: 7, thread: "main")
        world.request(1, write("b.txt"), write("a.txt"), owner: 8)
        world.request(2, read("b.txt"), owner: 7, thread: "main")
        #expect(cycle(world, 2)?.count == 5)
        world.answer(1)
        #expect(world.isHeld(1))
    }

    @Test("2.9 deadlock 2: two clients hold one item each and request the other's")
    func crossed() {
        var world = World()
        world.request(1, write("a.txt"))
        world.request(2, write("b.txt"))
        world.request(3, write("b.txt"), within: [1])
        #expect(world.stage(3) == .waiting)
        world.request(4, write("a.txt"), within: [2])
        #expect(cycle(world, 4) == [claim(4), claim(1), claim(3), claim(2), claim(4)])
        world.release(2)
        #expect(world.isHeld(3))
    }

    @Test(
        "2.9 deadlock 3: the save of a presenter that relinquishes is served before the claim that asked it",
        arguments: [true, false])
    func save(isDeclared: Bool) throws {
        var world = World()
        world.present(1, "a.txt")
        world.request(1, read("a.txt"))
        world.request(2, write("a.txt"))
        let message = try #require(world.question(to: 1))
        world.request(3, write("a.txt"), presenter: 1, answering: isDeclared ? [message] : [])
        #expect(world.isHeld(3))
        world.answer(1)
        world.answer(1)
        #expect(world.stage(1) == .waiting, "it continues when the save has ended")
        world.release(3)
        while world.question(to: 1) != nil { world.answer(1) }
        #expect(world.isHeld(1))
        world.release(1)
        while world.question(to: 1) != nil { world.answer(1) }
        #expect(world.isHeld(2))
    }

    @Test("2.9 deadlock 4: a suspended presenter is skipped, or named when its time is up")
    func suspended() throws {
        var world = World()
        world.present(1, "a.txt")
        world.request(1, write("a.txt"))
        world.request(2, read("a.txt"))
        world.handle(.deadlinePassed(try #require(world.question(to: 1)).id))
        world.handle(.deadlinePassed(try #require(world.question(to: 1)).id))
        #expect(world.failed.count == 1 && world.isHeld(2))
    }

    @Test("2.9 deadlock 5: a provider claims the item that it fetches, without its purpose identifier")
    func provider() {
        var world = World()
        world.providesAtOnce = false
        world.request(1, read("a.txt"))
        world.request(2, write("a.txt"), during: 1)
        #expect(cycle(world, 2) == [claim(2), claim(1), .provider(.init(rawValue: 1)), claim(2)])
        world.providesAtOnce = true
        world.request(3, write("a.txt"), during: 1, isProviders: true)
        #expect(world.isHeld(3), "it goes ahead with its purpose identifier")
        world.handle(.provided(.init(rawValue: 1)))
        #expect(!world.isHeld(1))
        world.release(3)
        #expect(world.isHeld(1))
    }

    @Test("2.9 deadlock 6: a directory in a package is deleted while a reader in it continues with a sibling")
    func sibling() {
        var world = World()
        world.request(1, read("one"))
        world.request(2, write("chapters", .forDeleting))
        world.request(3, read("page"), within: [1])
        #expect(world.isHeld(3))
        world.release(3)
        world.release(1)
        #expect(world.isHeld(2) && world.failed.isEmpty)
    }

    @Test("2.9 deadlock 7: a presenter's handler waits for a claim that needs the presenter's next message")
    func secondMessage() throws {
        var world = World()
        world.present(1, "a.txt")
        world.present(2, "b.txt")
        world.request(1, write("a.txt"))
        let message = try #require(world.question(to: 1))
        world.request(2, write("a.txt"), answering: [message])
        #expect(cycle(world, 2)?.count == 4)
        world.request(3, write("b.txt"), answering: [message])
        #expect(world.failed[3] == nil, "another presenter can answer")
        world.answer(2)
        #expect(world.isHeld(3))
    }

    @Test("2.9 deadlock 11: one coordinator writes a package, and another reads in it within that write")
    func insidePackage() {
        var world = World()
        world.request(1, write("book"))
        world.request(2, read("page"), within: [1])
        #expect(cycle(world, 2) == [claim(2), claim(1), claim(2)])
        world.request(3, read("page"), purpose: "own 1", within: [1])
        #expect(world.isHeld(3), "the same coordinator may do it")
    }

    @Test("H3, 2.9: a provider's claim during a change is allowed under its purpose identifier, else a cycle")
    func servingProvider() {
        for options in [WritingOptions(), .forMoving, .forDeleting] {
            var world = World()
            world.request(1, write("a.txt", options), purpose: "client")
            world.request(2, write("a.txt", options), purpose: "other client")
            // As in the host: the provider's purpose is that of the change that it serves.
            world.request(3, write("a.txt", options), purpose: "client", within: [1], isProviders: true)
            #expect(world.isHeld(3), "it goes ahead of the claims that wait for the change")
            world.request(4, write("a.txt", options), purpose: "provider's own", within: [1])
            #expect(cycle(world, 4) == [claim(4), claim(1), claim(4)])
            world.release(3)
            world.release(1)
            #expect(world.isHeld(2))
        }
    }

    @Test("2.9: within a write of one item the same coordinator may only read; within a write of two it may write")
    func nesting() {
        var world = World()
        world.request(1, write("a.txt"), purpose: "p")
        world.request(2, write("b.txt"), purpose: "p", within: [1])
        guard case .misuse = world.failed[2] else {
            Issue.record("The claim was not refused.")
            return
        }
        world.request(3, read("b.txt"), purpose: "p", within: [1])
        world.request(4, write("b.txt"), purpose: "q")
        world.release(3)
        #expect(world.isHeld(4))
        world.release(1)
        world.release(4)
        for outer in [[read("a.txt"), write("b.txt")], [write("a.txt"), write("b.txt")]] {
            var world = World()
            world.request(1, outer[0], outer[1], purpose: "p")
            world.request(2, write("b.txt"), purpose: "p", within: [1])
            #expect(world.isHeld(2))
        }
    }

    @Test("2.9: a wait that is not declared as part of another claim is no deadlock")
    func noFalseAlarm() {
        var world = World()
        world.request(1, write("a.txt"), owner: 1)
        world.request(2, write("b.txt"), owner: 2)
        world.request(3, write("b.txt"), owner: 1)
        world.request(4, write("a.txt"), owner: 2)
        #expect(world.failed.isEmpty)
        world.release(1)
        world.release(2)
        #expect(world.isHeld(3) && world.isHeld(4))
    }

    @Test("2.9: the youngest claim of a cycle is refused, even if an older one closes the cycle")
    func youngest() throws {
        var world = World()
        world.present(1, "a.txt", owner: 7, thread: "main")
        world.request(1, write("b.txt"))
        world.request(2, write("a.txt"), write("b.txt"))
        world.request(3, write("b.txt"), owner: 7, thread: "main")
        #expect(world.failed.isEmpty, "the presenter has not been asked yet")
        world.release(1)
        #expect(cycle(world, 3)?.count == 5)
        world.answer(1)
        #expect(world.isHeld(2))
    }
}
