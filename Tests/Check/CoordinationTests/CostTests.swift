import Coordination
import Testing

/// The cost of the ordinary case, in entries that are visited.
@Suite struct CostTests {
    private func fill(_ world: inout World, _ count: UInt64) {
        for number in 0..<count {
            let location = ItemLocation(item: World.key("other \(number)"), folders: [World.key("root")])
            let claim = Claim(
                id: .init(rawValue: 1000 + number), owner: .init(rawValue: number), purpose: "other \(number)",
                accesses: [ItemAccess(location, .writing([]))])
            let isGranted = world.state.grantAtOnce(claim, isProvided: true)
            #expect(isGranted)
            world.handle(
                .presenterAdded(
                    Presenter(id: .init(rawValue: number), owner: .init(rawValue: number), location: location)))
        }
    }

    private func cost(among count: UInt64) -> [Int] {
        var world = World()
        fill(&world, count)
        var costs: [Int] = []
        var last = world.state.visits
        func note(_ world: World) {
            costs.append(world.state.visits - last)
            last = world.state.visits
        }
        let claim = Claim(
            id: .init(rawValue: 1), owner: .init(rawValue: 1), purpose: "p", accesses: [write("page"), read("c.txt")])
        let isGranted = world.state.grantAtOnce(claim, isProvided: true)
        #expect(isGranted)
        note(world)
        world.release(1, changed: ["page"])
        note(world)
        world.request(2, write("page"), read("c.txt"))
        #expect(world.isHeld(2))
        note(world)
        world.request(3, read("one"))
        world.release(2, changed: ["page"])
        #expect(world.isHeld(3))
        note(world)
        return costs
    }

    @Test("The cost of a claim does not depend on how many other items are claimed and presented")
    func flat() {
        let alone = cost(among: 0)
        #expect(cost(among: 10_000) == alone)
        #expect(alone.allSatisfy { $0 > 0 && $0 < 100 }, "\(alone)")
    }

    @Test("2.3: the cost of a line of claims on one item is proportional to its length", arguments: [1, 2, 10])
    func line(writersEvery period: UInt64) {
        func cost(_ count: UInt64) -> Int {
            var world = World()
            for id in 1...count { world.request(id, id % period == 0 ? write("page") : read("page")) }
            // Some claims all over the line are cancelled.
            for id in 1...count where id % 7 == 3 { world.cancel(id) }
            for id in 1...count { world.release(id) }
            #expect(world.granted == (1...count).filter { id in id % 7 != 3 || world.granted.contains(id) })
            #expect(world.state.isEmpty)
            return world.state.visits
        }
        let (few, many) = (cost(200), cost(2000))
        // A quadratic cost would be a hundred times as much.
        #expect(many < few * 15, "\(few), \(many)")
    }

    @Test("A claim is granted at once only if it is legal, provided, and has nothing to ask or wait for")
    func atOnce() {
        var world = World()
        func claim(_ id: UInt64, _ access: ItemAccess, within: [Claim.Identifier] = [], prepares: Bool = false) -> Claim
        {
            Claim(
                id: .init(rawValue: id), owner: .init(rawValue: id), purpose: "\(id)", accesses: [access],
                prepares: prepares, within: within)
        }
        func grant(_ claim: Claim, isProvided: Bool) -> Bool { world.state.grantAtOnce(claim, isProvided: isProvided) }
        #expect(!grant(claim(1, read("a.txt")), isProvided: false))
        #expect(grant(claim(1, write("a.txt", .forMoving)), isProvided: false))
        #expect(!grant(claim(1, read("b.txt")), isProvided: true), "the name is taken")
        #expect(!grant(claim(2, read("a.txt")), isProvided: true), "it would have to wait")
        #expect(!grant(claim(2, read("b.txt"), within: [.init(rawValue: 1)]), isProvided: true))
        #expect(!grant(claim(2, read("b.txt"), prepares: true), isProvided: true))
        world.present(1, "b.txt")
        #expect(!grant(claim(2, read("b.txt")), isProvided: true), "a presenter has to be asked")
        world.release(1)
        #expect(world.state.claims(of: .init(rawValue: 2)).isEmpty)
        #expect(world.granted.isEmpty && world.failed.isEmpty)
    }
}
