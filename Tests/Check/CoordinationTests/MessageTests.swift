import Coordination
import Testing

/// Which presenter receives which messages in which order: the table of SEMANTICS 2.4 and the rules around it.
@Suite struct MessageTests {
    /// A row of the table: the messages to presenters of the item, of its package, of something in it, and of a
    /// directory around it.
    struct Row: CustomTestStringConvertible, Sendable {
        let access: ItemAccess
        let item: [String]
        var package: [String] = []
        var contained: [String] = []
        var directory: [String] = []
        var isChanged = false
        var isDeleted = false
        var isMoved = false
        var testDescription: String { "\(access.intent)" }
    }

    private static let relinquished = ["relinquishToReader", "saveChanges", "reacquire"]
    static let rows: [Row] = [
        Row(access: read("chapters"), item: relinquished, package: relinquished),
        Row(
            access: read("chapters", .withoutChanges), item: ["relinquishToReader", "reacquire"],
            package: ["relinquishToReader", "reacquire"]),
        Row(
            access: read("chapters", .immediatelyAvailableMetadataOnly), item: relinquished, package: relinquished),
        Row(
            access: read("chapters", [.immediatelyAvailableMetadataOnly, .withoutChanges]),
            item: ["relinquishToReader", "reacquire"], package: ["relinquishToReader", "reacquire"]),
        Row(
            access: write("chapters"), item: ["relinquishToWriter", "didChange", "reacquire"],
            package: ["relinquishToWriter", "didChange", "reacquire"], directory: ["subitemDidChange"], isChanged: true),
        Row(
            access: write("chapters", .contentIndependentMetadataOnly),
            item: ["relinquishToWriter", "didChange", "reacquire"],
            package: ["relinquishToWriter", "didChange", "reacquire"], directory: ["subitemDidChange"], isChanged: true),
        Row(
            access: write("chapters", .forMerging),
            item: ["relinquishToWriter", "saveChanges", "didChange", "reacquire"],
            package: ["relinquishToWriter", "saveChanges", "didChange", "reacquire"], directory: ["subitemDidChange"],
            isChanged: true),
        Row(
            access: write("chapters", .forMoving), item: ["relinquishToWriter", "didMove", "reacquire"],
            package: ["relinquishToWriter", "subitemDidMove", "reacquire"],
            contained: ["relinquishToWriter", "didMove", "reacquire"], directory: ["subitemDidMove"], isMoved: true),
        Row(
            access: write("chapters", .forDeleting),
            item: ["relinquishToWriter", "accommodateDeletion", "didDelete", "reacquire"],
            package: ["relinquishToWriter", "accommodateSubitemDeletion", "didChange", "reacquire"],
            contained: ["relinquishToWriter", "accommodateDeletion", "didDelete", "reacquire"],
            directory: ["subitemDidChange"], isDeleted: true),
        Row(
            access: write("chapters", .forReplacing),
            item: ["relinquishToWriter", "accommodateDeletion", "didChange", "reacquire"],
            package: ["relinquishToWriter", "accommodateSubitemDeletion", "didChange", "reacquire"],
            contained: ["relinquishToWriter", "accommodateDeletion", "reacquire"], directory: ["subitemDidChange"],
            isChanged: true),
    ]

    @Test("2.4: the table of messages", arguments: rows)
    func table(row: Row) {
        var world = World()
        world.present(1, "chapters")
        world.present(2, "book")
        world.present(3, "one")
        world.present(4, "root")
        world.request(1, row.access)
        // The presenters answer one after the other; the claim is granted after the last answer.
        for presenter in [2, 1, 3] as [UInt64] {
            #expect(!world.isHeld(1))
            while world.question(to: presenter) != nil { world.answer(presenter) }
            if presenter == 1, world.question(to: 3) == nil { break }
        }
        #expect(world.isHeld(1))
        let before = world.sent.count
        if row.isMoved {
            let target = ItemLocation(
                item: World.key("chapters"), folders: [World.key("target"), World.key("root")], isPackage: true)
            world.handle(.moved(.init(rawValue: 1), from: World.key("chapters"), to: target))
        }
        #expect(world.sent.count == before, "changes are reported at the end")
        world.release(
            1, changed: row.isChanged ? ["chapters"] : [], deleted: row.isDeleted ? ["chapters"] : [])
        #expect(world.told(1) == row.item)
        #expect(world.told(2) == row.package)
        #expect(world.told(3) == row.contained)
        #expect(world.told(4) == row.directory)
    }

    @Test("2.4: the presenter on whose behalf a claim is made gets no messages except about versions")
    func excluded() {
        var world = World()
        world.present(1, "a.txt")
        world.present(2, "a.txt")
        world.request(1, write("a.txt"), presenter: 1)
        world.answer(2)
        #expect(world.isHeld(1))
        world.handle(.changed(World.location("a.txt"), by: .claim(.init(rawValue: 1)), .gainedVersion("v")))
        world.release(1, changed: ["a.txt"])
        let version = World.name(.didGainVersion("v"))
        #expect(world.told(1) == [version])
        #expect(world.told(2) == ["relinquishToWriter", "didChange", version, "reacquire"])
    }

    @Test("2.4: a presenter gets the next question only after it has answered the one before")
    func serial() {
        var world = World()
        world.present(1, "a.txt")
        world.request(1, read("a.txt"))
        world.request(2, read("a.txt"))
        #expect(world.told(1) == ["relinquishToReader"])
        world.answer(1)
        #expect(world.told(1) == ["relinquishToReader", "relinquishToReader"])
        world.answer(1)
        world.answer(1)
        #expect(world.isHeld(1) && !world.isHeld(2))
        world.answer(1)
        #expect(world.isHeld(2))
    }

    @Test("2.4: different presenters are asked at the same time")
    func concurrent() {
        var world = World()
        for presenter in 1...5 as ClosedRange<UInt64> { world.present(presenter, "a.txt") }
        world.request(1, read("a.txt"))
        #expect(world.sent.count == 5)
    }

    @Test(
        "2.4: a presenter that cannot save fails the claim; presenters that relinquished reacquire",
        arguments: [true, false])
    func refused(isLast: Bool) {
        var world = World()
        world.present(1, "a.txt")
        world.present(2, "a.txt")
        world.request(1, read("a.txt"))
        world.request(2, write("a.txt"))
        world.answer(1)
        if isLast { world.answer(2) }
        world.answer(1, error: "disk full")
        #expect(world.failed == [1: .presenterFailed(.init(rawValue: 1), "disk full")])
        #expect(world.granted.isEmpty)
        let next = ["relinquishToReader", "saveChanges", "reacquire", "relinquishToWriter"]
        #expect(world.told(1) == next)
        if !isLast {
            #expect(world.told(2) == ["relinquishToReader"], "messages that were sent are not recalled")
            world.answer(2)
        }
        #expect(
            world.told(2) == ["relinquishToReader"] + (isLast ? ["saveChanges"] : ["reacquire", "relinquishToWriter"]))
        while world.question(to: 2) != nil { world.answer(2) }
        #expect(world.told(2).filter { $0 == "reacquire" }.count == 1)
    }

    @Test("2.8: cancelling a claim recalls no message; presenters that relinquished reacquire")
    func cancelled() {
        var world = World()
        world.present(1, "a.txt")
        world.present(2, "a.txt")
        world.request(1, read("a.txt"))
        world.answer(1)
        world.cancel(1)
        #expect(world.failed == [1: .cancelled])
        #expect(world.told(1) == ["relinquishToReader", "saveChanges"], "it is still saving")
        world.answer(1)
        #expect(world.told(1) == ["relinquishToReader", "saveChanges", "reacquire"])
        #expect(world.told(2) == ["relinquishToReader"])
        world.answer(2)
        #expect(world.told(2) == ["relinquishToReader", "reacquire"])
    }

    @Test("2.4: a silent presenter is skipped by a reader, and fails a writer, which names it")
    func silent() throws {
        var world = World()
        world.present(1, "a.txt")
        world.request(1, read("a.txt"))
        let first = try #require(world.question(to: 1))
        world.handle(.deadlinePassed(first.id))
        #expect(world.isHeld(1))
        world.handle(.answered(first.id, error: nil))
        #expect(world.told(1) == ["relinquishToReader"])
        world.release(1)
        #expect(world.told(1) == ["relinquishToReader", "reacquire"], "it relinquished after all")

        world.request(2, write("a.txt"))
        let second = try #require(world.question(to: 1))
        world.handle(.deadlinePassed(second.id))
        #expect(world.failed == [2: .presenterSilent(.init(rawValue: 1), second.id)])
        world.handle(.answered(second.id, error: nil))
        #expect(world.told(1).suffix(2) == ["relinquishToWriter", "reacquire"])
    }

    @Test("2.4: the open question of a presenter counts as answered when it is removed or its owner is gone")
    func removed() {
        for isOwnerGone in [true, false] {
            var world = World()
            world.present(1, "a.txt", owner: 9)
            world.request(1, write("a.txt"))
            world.request(2, read("a.txt"))
            #expect(!world.isHeld(1))
            world.handle(isOwnerGone ? .ownerGone(.init(rawValue: 9)) : .presenterRemoved(.init(rawValue: 1)))
            #expect(world.isHeld(1))
            world.release(1, changed: ["a.txt"])
            #expect(world.isHeld(2))
            #expect(world.told(1) == ["relinquishToWriter"])
        }
    }

    @Test("2.4: changes without a claim are reported at once, to presenters at any depth above")
    func uncoordinated() {
        var world = World()
        world.present(1, "one")
        world.present(2, "book")
        world.present(3, "root")
        world.present(4, "page")
        world.handle(.changed(World.location("one"), by: .outside, .content))
        world.handle(.changed(World.location("one"), by: .provider, .lostVersion("v")))
        #expect(world.told(1) == ["didChange", World.name(.didLoseVersion("v"))])
        #expect(world.told(2) == ["didChange", World.name(.subitemDidLoseVersion("v"))])
        #expect(world.told(3) == ["subitemDidChange", World.name(.subitemDidLoseVersion("v"))])
        #expect(world.told(4).isEmpty)
        world.handle(.changed(World.location("book"), by: .outside, .deleted))
        #expect(world.told(4) == ["didDelete"])
        #expect(world.told(3).last == "subitemDidChange")
    }

    @Test("2.4: a new item is reported to the directories above it, and to presenters that wait at its place")
    func appeared() {
        var world = World()
        let place = CoordinatedItem.absent("new.txt", in: World.key("folder"))
        let folders = [World.key("folder"), World.key("root")]
        let absent = ItemLocation(item: place, folders: folders)
        let item = ItemLocation(item: World.key("new.txt"), folders: folders)
        world.handle(.presenterAdded(Presenter(id: .init(rawValue: 1), owner: .init(rawValue: 1), location: absent)))
        world.present(2, "root")
        world.request(1, ItemAccess(absent, .writing([])))
        world.request(2, ItemAccess(absent, .reading(.withoutChanges)))
        world.answer(1)
        #expect(world.isHeld(1) && place.isAbsent)
        world.handle(.appeared(place, as: item, by: .init(rawValue: 1)))
        world.request(3, ItemAccess(item, .writing([])))
        #expect(world.stage(3) == .waiting)
        world.release(1, changed: ["new.txt"])
        #expect(world.told(1).prefix(3) == ["relinquishToWriter", "didChange", "reacquire"])
        #expect(world.told(2).first == "subitemDidAppear")
        #expect(world.state.claim(.init(rawValue: 2))?.accesses.first?.location == item)
        #expect(world.state.presenter(.init(rawValue: 1))?.location == item)
    }

    @Test("2.4: two accesses of one claim ask a presenter once, with the stronger question")
    func twoAccesses() {
        var world = World()
        world.answersAtOnce = true
        world.present(1, "book")
        world.request(1, read("page"), write("one", .forDeleting))
        #expect(world.told(1) == ["relinquishToWriter", "saveChanges", "accommodateSubitemDeletion"])
        world.release(1)
        #expect(world.told(1).last == "reacquire")
    }
}
