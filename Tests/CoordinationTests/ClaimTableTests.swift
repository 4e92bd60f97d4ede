import Coordination
import Testing

private let fileA = ItemKey(provider: "org.example.Files", identifier: "a")
private let fileB = ItemKey(provider: "org.example.Files", identifier: "b")

private func claim(
    _ id: UInt64, owner: UInt64? = nil, purpose: String? = nil, reading: [ItemKey] = [], writing: [ItemKey] = []
) -> Claim {
    Claim(
        id: Claim.Identifier(rawValue: id), owner: Claim.Owner(rawValue: owner ?? id),
        purpose: purpose ?? "purpose \(id)",
        reading: reading, writing: writing)
}

private func ids(_ claims: [Claim]?) -> [UInt64] { claims?.map(\.id.rawValue) ?? [] }

private func id(_ value: UInt64) -> Claim.Identifier { Claim.Identifier(rawValue: value) }

struct ClaimTableTests {
    @Test(
        "2.3: who waits for whom on one item",
        arguments: [
            (Claim.Access.reading, Claim.Access.reading, false), (.reading, .writing, true), (.writing, .reading, true),
            (.writing, .writing, true),
        ])
    func table(holds: Claim.Access, wants: Claim.Access, waits: Bool) throws {
        func make(_ id: UInt64, _ access: Claim.Access, _ purpose: String, _ item: ItemKey) -> Claim {
            access == .reading
                ? claim(id, purpose: purpose, reading: [item]) : claim(id, purpose: purpose, writing: [item])
        }
        var table = ClaimTable()
        #expect(ids(table.request(make(1, holds, "one", fileA))?.granted) == [1])
        #expect(ids(table.request(make(2, wants, "two", fileA))?.granted) == (waits ? [] : [2]))
        #expect(ids(table.request(make(3, wants, "two", fileB))?.granted) == [3], "another item is free")
        var same = ClaimTable()
        #expect(ids(same.request(make(1, holds, "one", fileA))?.granted) == [1])
        #expect(ids(same.request(make(2, wants, "one", fileA))?.granted) == [2], "2.7: one purpose never waits")
        if waits {
            #expect(table.ledger.last?.waitsFor == [id(1)])
            #expect(ids(table.release(id(1)).granted) == [2])
        }
    }

    @Test("2.3: a reader does not overtake a writer that came first")
    func firstComeFirstServed() {
        var table = ClaimTable()
        _ = table.request(claim(1, reading: [fileA]))
        #expect(ids(table.request(claim(2, writing: [fileA]))?.granted) == [])
        #expect(ids(table.request(claim(3, reading: [fileA]))?.granted) == [])
        #expect(ids(table.request(claim(4, reading: [fileA]))?.granted) == [])
        #expect(table.ledger.map(\.waitsFor) == [[], [id(1)], [id(2)], [id(2)]])
        #expect(ids(table.release(id(1)).granted) == [2])
        #expect(ids(table.release(id(2)).granted) == [3, 4])
    }

    @Test("2.9: claims on two items in opposite orders are taken whole, one after the other")
    func oppositeOrders() {
        var table = ClaimTable()
        #expect(ids(table.request(claim(1, writing: [fileA, fileB]))?.granted) == [1])
        #expect(ids(table.request(claim(2, writing: [fileB, fileA]))?.granted) == [])
        #expect(claim(2, writing: [fileB, fileA]).items == [fileA, fileB])
        #expect(ids(table.release(id(1)).granted) == [2])
        #expect(ids(table.release(id(2)).ended) == [2])
        #expect(table.isEmpty)
    }

    @Test("2.3: a claim that waits holds none of its items")
    func atomicity() {
        var table = ClaimTable()
        _ = table.request(claim(1, writing: [fileA]))
        _ = table.request(claim(2, writing: [fileA, fileB]))
        #expect(table.ledger.filter(\.isHeld).map(\.claim.id) == [id(1)])
        #expect(ids(table.cancel(id(2)).ended) == [2])
        #expect(ids(table.request(claim(3, writing: [fileB]))?.granted) == [3])
    }

    @Test("2.6: an item listed for reading and for writing is written")
    func bothSides() {
        let both = claim(1, reading: [fileA, fileA], writing: [fileA])
        #expect(both.items == [fileA])
        #expect(both.access(to: fileA) == .writing)
        #expect(both.access(to: fileB) == nil)
    }

    @Test("2.3, 2.9 (3, 5): a claim inside a held claim of its purpose goes ahead of those that wait for it")
    func nestedClaim() {
        var table = ClaimTable()
        _ = table.request(claim(1, purpose: "provider", reading: [fileA]))
        #expect(ids(table.request(claim(2, writing: [fileA, fileB]))?.granted) == [])
        #expect(ids(table.request(claim(3, writing: [fileB]))?.granted) == [], "it waits for 2")
        #expect(ids(table.request(claim(4, purpose: "provider", writing: [fileA, fileB]))?.granted) == [4])
        #expect(ids(table.release(id(1)).granted) == [])
        #expect(ids(table.release(id(4)).granted) == [2])
        #expect(ids(table.release(id(2)).granted) == [3])
    }

    @Test("2.8: cancelling ends a claim that waits, and only that")
    func cancel() {
        var table = ClaimTable()
        _ = table.request(claim(1, writing: [fileA]))
        _ = table.request(claim(2, writing: [fileA]))
        _ = table.request(claim(3, reading: [fileA]))
        #expect(table.cancel(id(1)) == ClaimTable.Outcome())
        #expect(table.release(id(2)) == ClaimTable.Outcome(), "what waits cannot be released")
        #expect(ids(table.cancel(id(2)).ended) == [2])
        #expect(table.cancel(id(99)) == ClaimTable.Outcome())
        #expect(ids(table.release(id(1)).granted) == [3])
    }

    @Test("2.9: a dead client's claims end, held and waiting, and others go on")
    func deadOwner() {
        var table = ClaimTable()
        _ = table.request(claim(1, owner: 7, writing: [fileA]))
        _ = table.request(claim(2, owner: 7, writing: [fileB]))
        _ = table.request(claim(3, owner: 8, reading: [fileA, fileB]))
        _ = table.request(claim(4, owner: 7, writing: [fileA]))
        _ = table.request(claim(5, owner: 9, reading: [fileA]))
        let outcome = table.releaseAll(owner: Claim.Owner(rawValue: 7))
        #expect(ids(outcome.ended) == [1, 2, 4])
        #expect(ids(outcome.granted) == [3, 5])
        #expect(table.releaseAll(owner: Claim.Owner(rawValue: 7)) == ClaimTable.Outcome())
    }

    @Test("2.3: an identifier that is in use is refused")
    func duplicate() {
        var table = ClaimTable()
        #expect(table.request(claim(1, writing: [fileA])) != nil)
        #expect(table.request(claim(1, writing: [fileB])) == nil)
        #expect(table.ledger.count == 1)
        _ = table.release(id(1))
        #expect(table.isEmpty)
    }
}
