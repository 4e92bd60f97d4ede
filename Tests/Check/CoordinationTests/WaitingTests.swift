import Coordination
import Testing

/// Which claims wait for which (SEMANTICS 2.3, 2.7).
@Suite struct WaitingTests {
    /// All kinds of access.
    static let reading: [ReadingOptions] = [
        [], .withoutChanges, .resolvesSymbolicLink, .immediatelyAvailableMetadataOnly, .forUploading,
    ]
    static let writing: [WritingOptions] = [
        [], .forDeleting, .forMoving, .forMerging, .forReplacing, .contentIndependentMetadataOnly,
    ]

    private func secondWaits(_ first: ItemAccess, _ second: ItemAccess) -> Bool {
        var world = World()
        world.request(1, first)
        world.request(2, second)
        #expect(world.isHeld(1))
        let waits = world.stage(2) == .waiting
        #expect(waits != world.isHeld(2))
        world.release(1)
        #expect(world.isHeld(2), "the second is served when the first has ended")
        return waits
    }

    @Test("2.3: moving and deleting act on a link itself; every other access follows the link")
    func links() {
        for (access, follows) in [
            (read("a.txt"), true), (read("a.txt", .resolvesSymbolicLink), true), (write("a.txt"), true),
            (write("a.txt", .forReplacing), true), (write("a.txt", .forMerging), true),
            (write("a.txt", .contentIndependentMetadataOnly), true), (write("a.txt", .forMoving), false),
            (write("a.txt", .forDeleting), false),
        ] {
            #expect(ItemAccess.followsLinks(access.intent) == follows, "\(access.intent)")
        }
    }

    @Test("2.3: an item excludes other claims, whichever link it is requested by")
    func excludedThroughLinks() {
        var world = World()
        let location = World.location("a.txt")
        let links = ["first", "second"].map { CoordinatedItem(provider: "p", identifier: $0) }
        world.request(1, ItemAccess(location, .writing([]), link: links[0]))
        world.request(2, ItemAccess(location, .writing([]), link: links[1]))
        world.request(3, read("a.txt"))
        #expect(world.isHeld(1) && !world.isHeld(2) && !world.isHeld(3))
        world.release(1)
        #expect(world.isHeld(2) && !world.isHeld(3))
    }

    @Test("2.3: readers of an item do not wait for each other", arguments: reading, reading)
    func readers(first: ReadingOptions, second: ReadingOptions) {
        #expect(!secondWaits(read("a.txt", first), read("a.txt", second)))
    }

    @Test("2.3: a reader waits for a writer on the same item, and a writer for a reader", arguments: reading, writing)
    func readerAndWriter(reader: ReadingOptions, writer: WritingOptions) {
        #expect(secondWaits(write("a.txt", writer), read("a.txt", reader)))
        #expect(secondWaits(read("a.txt", reader), write("a.txt", writer)))
    }

    @Test("2.3: writers of an item wait for each other", arguments: writing, writing)
    func writers(first: WritingOptions, second: WritingOptions) {
        #expect(secondWaits(write("a.txt", first), write("a.txt", second)))
    }

    @Test("2.3: claims on different items do not affect each other", arguments: writing, writing)
    func different(first: WritingOptions, second: WritingOptions) {
        #expect(!secondWaits(write("a.txt", first), write("b.txt", second)))
        #expect(!secondWaits(write("a.txt", first), read("b.txt")))
    }

    @Test(
        "2.3: an item in a package counts as the outermost package",
        arguments: [
            ("page", "book"), ("book", "page"), ("page", "one"), ("one", "page"), ("chapters", "page"), ("one", "book"),
            ("chapters", "one"),
        ])
    func packages(first: String, second: String) {
        for options in Self.writing {
            #expect(secondWaits(write(first, options), read(second)))
            #expect(secondWaits(read(first), write(second, options)))
            #expect(secondWaits(write(first), write(second, options)))
        }
        #expect(!secondWaits(read(first), read(second)))
    }

    @Test(
        "2.3: only deleting, moving and replacing a directory exclude claims on its contents",
        arguments: writing, ["c.txt", "inner", "d.txt"])
    func directories(options: WritingOptions, name: String) {
        let sweeps: [WritingOptions] = [.forDeleting, .forMoving, .forReplacing]
        let waits = sweeps.contains(options)
        for access in [read(name), write(name), write(name, .forDeleting)] {
            #expect(secondWaits(access, write("folder", options)) == waits)
            #expect(secondWaits(write("folder", options), access) == waits)
        }
        #expect(!secondWaits(read("folder"), write(name)))
        #expect(!secondWaits(write(name), read("folder")))
        // Seen from inside: deleting something in a directory does not wait for those who claim the directory.
        #expect(!secondWaits(write("root"), write(name, options)))
    }

    @Test("2.3: moving a directory waits for claims in packages inside it")
    func directoryWithPackage() {
        #expect(secondWaits(write("one"), write("root", .forMoving)))
        #expect(secondWaits(write("root", .forDeleting), read("page")))
    }

    @Test(
        "2.7: claims with one purpose never wait for each other, whichever client makes them", arguments: writing,
        writing)
    func purpose(first: WritingOptions, second: WritingOptions) {
        var world = World()
        world.request(1, write("book", first), purpose: "sync", owner: 1)
        world.request(2, write("page", second), purpose: "sync", owner: 2)
        #expect(world.isHeld(1) && world.isHeld(2))
    }

    @Test("2.3: first come, first served: readers do not overtake a writer that waits")
    func order() {
        var world = World()
        world.request(1, read("a.txt"))
        world.request(2, write("a.txt"))
        world.request(3, read("a.txt"))
        world.request(4, read("a.txt"))
        #expect(world.stage(3) == .waiting)
        world.release(1)
        #expect(world.granted == [1, 2])
        world.release(2)
        #expect(world.granted == [1, 2, 3, 4])
    }

    @Test("2.9: a claim on several items takes all of them at once, and holds none while it waits")
    func several() {
        var world = World()
        world.request(1, write("b.txt"))
        world.request(2, write("a.txt"), write("b.txt"))
        world.request(3, write("b.txt"), write("a.txt"))
        #expect(world.stage(2) == .waiting && world.stage(3) == .waiting)
        world.release(1)
        #expect(world.isHeld(2) && !world.isHeld(3))
        world.release(2)
        #expect(world.isHeld(3))
    }

    @Test("2.3: a claim goes ahead of those that wait for a held claim with its purpose")
    func samePurposeAhead() {
        var world = World()
        world.request(1, read("a.txt"), purpose: "sync")
        world.request(2, write("a.txt"))
        world.request(3, write("a.txt"))
        world.request(4, read("a.txt"), purpose: "sync")
        #expect(world.isHeld(4))
        world.release(1)
        #expect(!world.isHeld(2), "the claim that was overtaken waits for the one that overtook it")
        world.release(4)
        #expect(world.isHeld(2))
    }

    @Test("2.9: a claim within a held one goes ahead of the claims that wait for that one, directly or not")
    func nestedAhead() {
        var world = World()
        world.request(1, read("a.txt"))
        world.request(2, write("a.txt"), write("b.txt"))
        world.request(3, write("b.txt"))
        world.request(4, read("b.txt"), within: [1])
        #expect(world.isHeld(4))
        world.request(5, read("b.txt"))
        #expect(!world.isHeld(5), "only declared claims go ahead")
        world.release(4)
        world.release(1)
        #expect(world.isHeld(2))
    }

    @Test("2.10: only reading and merging wait for the provider; other accesses fetch nothing")
    func providing() {
        let fetching: [ItemAccess] = [
            read("a.txt"), read("a.txt", .immediatelyAvailableMetadataOnly), write("a.txt"),
            write("a.txt", .forMerging),
        ]
        let others: [ItemAccess] = [
            write("a.txt", .forDeleting), write("a.txt", .forMoving), write("a.txt", .forReplacing),
            write("a.txt", .contentIndependentMetadataOnly),
        ]
        for access in fetching + others {
            var world = World()
            world.providesAtOnce = false
            world.request(1, access)
            #expect(world.stage(1) == (fetching.contains(access) ? .providing : .held))
            world.handle(.provided(.init(rawValue: 1)))
            #expect(world.isHeld(1))
        }
    }

    @Test("2.3: a failed fetch fails the claim, and the next claim is served")
    func provideFailed() {
        var world = World()
        world.providesAtOnce = false
        world.request(1, write("a.txt"))
        world.request(2, write("a.txt"))
        world.handle(.provideFailed(.init(rawValue: 1), "no network"))
        #expect(world.failed == [1: .providerFailed("no network")])
        #expect(world.withdrawn.isEmpty && world.stage(2) == .providing)
    }

    @Test("2.9: when an owner is gone, all its claims end at once, held or waiting")
    func ownerGone() {
        var world = World()
        world.request(1, write("a.txt"), owner: 7)
        world.request(2, write("a.txt"), owner: 7)
        world.request(3, write("a.txt"), owner: 8)
        world.handle(.ownerGone(.init(rawValue: 7)))
        #expect(world.isHeld(3))
        #expect(world.failed == [2: .ownerGone])
        #expect(world.state.claims(of: .init(rawValue: 7)).isEmpty)
        world.release(3)
        #expect(world.state.isEmpty)
    }

    @Test("2.8: cancelling ends a waiting claim, but not a held one")
    func cancelling() {
        var world = World()
        world.request(1, write("a.txt"))
        world.request(2, write("a.txt"))
        world.request(3, read("a.txt"))
        world.cancel(2)
        world.cancel(1)
        #expect(world.failed == [2: .cancelled])
        #expect(world.isHeld(1))
        world.release(1)
        #expect(world.isHeld(3))
    }

    @Test("2.8: cancelling a claim that is being provided withdraws the request to the provider")
    func cancelProviding() {
        var world = World()
        world.providesAtOnce = false
        world.request(1, read("a.txt"))
        world.cancel(1)
        #expect(world.failed == [1: .cancelled])
        #expect(world.withdrawn == [1])
        world.handle(.provided(.init(rawValue: 1)))
        #expect(world.granted.isEmpty && world.state.isEmpty)
    }

    @Test("2.2: options have the values and names of the interface; a writer has at most one")
    func options() {
        #expect(ReadingOptions(names: ["forUploading", "withoutChanges"])?.rawValue == 9)
        #expect(ReadingOptions(rawValue: 15).names.count == 4)
        #expect(ReadingOptions(names: ["forDeleting"]) == nil)
        #expect(WritingOptions(names: ["forReplacing"])?.rawValue == 8)
        #expect(WritingOptions(names: ["forReplacing", "forDeleting"]) == nil)
        for option in Self.writing { #expect(WritingOptions(names: option.names) == option) }
    }

    @Test("2.8: when a claim in the middle of a line is cancelled, those behind it still wait for those before it")
    func middle() {
        var world = World()
        world.request(1, write("a.txt"), purpose: "holder")
        world.request(2, write("a.txt"), purpose: "twice")
        world.request(3, write("a.txt"), purpose: "other")
        world.request(4, write("a.txt"), purpose: "twice")
        world.cancel(3)
        world.request(5, write("a.txt"), purpose: "last")
        #expect(world.state.waits(of: .init(rawValue: 4)) == [.claim(.init(rawValue: 1))])
        world.release(1)
        #expect(world.isHeld(2) && world.isHeld(4), "with one purpose, they do not wait for each other")
        world.release(4)
        #expect(!world.isHeld(5), "it waits for 2 as well")
        world.release(2)
        #expect(world.isHeld(5))
    }

    @Test("2.9: everything that a claim waits for is reported, however long the line")
    func toldInFull() {
        var world = World()
        for id in 1...5 as ClosedRange<UInt64> { world.request(id, write("a.txt")) }
        #expect(
            world.state.waits(of: .init(rawValue: 5)) == [1, 2, 3, 4].map { .claim(.init(rawValue: $0)) })
    }
}
