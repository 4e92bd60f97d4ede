import Coordination
import Testing

@Suite struct ExactKeyTests {
    private static let composed = CoordinatedItem(provider: "p", identifier: "caf\u{E9}")
    private static let decomposed = CoordinatedItem(provider: "p", identifier: "cafe\u{301}")

    @Test("2.3: writers of two items whose identifiers only look the same do not wait for each other")
    func claims() {
        var world = World()
        world.request(1, ItemAccess(ItemLocation(item: Self.composed), .writing([])))
        world.request(2, ItemAccess(ItemLocation(item: Self.decomposed), .writing([])))
        world.request(3, ItemAccess(ItemLocation(item: Self.composed), .writing([])))
        #expect(world.isHeld(1) && world.isHeld(2) && !world.isHeld(3))
    }

    @Test("items are ordered by their bytes, each at its own position")
    func order() {
        #expect(Self.composed != Self.decomposed)
        #expect(Self.decomposed < Self.composed && !(Self.composed < Self.decomposed))
        #expect(Set([Self.composed, Self.decomposed]).count == 2)
        let names = ["\u{E9}", "e\u{301}", "\u{301}"]
        let absent = names.map { CoordinatedItem.absent($0, in: CoordinatedItem(provider: "p", identifier: "f")) }
        #expect(Set(absent).count == 3)
    }
}
