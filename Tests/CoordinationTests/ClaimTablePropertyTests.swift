import Coordination
import Testing

/// A queue for each item, as one would explain the rules on paper; only for claims of different purposes.
private struct ReferenceModel {
    var claims: [Claim] = []
    var held: Set<Claim.Identifier> = []

    func isNext(_ claim: Claim) -> Bool {
        claim.items.allSatisfy { item in
            let queue = claims.filter { $0.access(to: item) != nil }
            let place = queue.firstIndex { $0.id == claim.id } ?? 0
            let ahead = queue.enumerated().filter { $0.offset < place || held.contains($0.element.id) }.map(\.element)
            return ahead.allSatisfy {
                $0.id == claim.id || ($0.access(to: item) == .reading && claim.access(to: item) == .reading)
            }
        }
    }

    mutating func settle() {
        for claim in claims where !held.contains(claim.id) && isNext(claim) { held.insert(claim.id) }
    }

    mutating func remove(where condition: (Claim) -> Bool) {
        held.subtract(claims.filter(condition).map(\.id))
        claims.removeAll(where: condition)
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

private func randomClaim(_ number: UInt64, purposes: Int?, using generator: inout SplitMix) -> Claim {
    let items = (0..<5).map { ItemKey(provider: "p", domain: "d", identifier: "\($0)") }
    return Claim(
        id: Claim.Identifier(rawValue: number), owner: Claim.Owner(rawValue: .random(in: 0..<4, using: &generator)),
        purpose: purposes.map { "purpose \(Int.random(in: 0..<$0, using: &generator))" } ?? "purpose \(number)",
        reading: items.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 },
        writing: items.filter { _ in Int.random(in: 0..<6, using: &generator) == 0 })
}

struct ClaimTablePropertyTests {
    @Test("2.3: with purposes all different, the table does what a queue for each item does", arguments: 0..<60)
    func followsReferenceModel(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        var table = ClaimTable()
        var model = ReferenceModel()
        for number in UInt64(0)..<300 {
            let before = model.held
            let outcome: ClaimTable.Outcome
            let held = model.claims.filter { model.held.contains($0.id) }
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4:
                let claim = randomClaim(number, purposes: nil, using: &generator)
                model.claims.append(claim)
                let answer = table.request(claim)
                outcome = try #require(answer)
            case 4..<8:
                guard let claim = held.randomElement(using: &generator) else { continue }
                model.remove { $0.id == claim.id }
                outcome = table.release(claim.id)
                #expect(outcome.ended == [claim])
            case 8:
                let waiting = model.claims.filter { !model.held.contains($0.id) }
                guard let claim = waiting.randomElement(using: &generator) else { continue }
                model.remove { $0.id == claim.id }
                outcome = table.cancel(claim.id)
            default:
                let owner = Claim.Owner(rawValue: .random(in: 0..<4, using: &generator))
                model.remove { $0.owner == owner }
                outcome = table.releaseAll(owner: owner)
            }
            model.settle()
            let granted = model.claims.filter { model.held.contains($0.id) && !before.contains($0.id) }
            #expect(outcome.granted == granted, "seed \(seed), step \(number)")
            #expect(Set(table.ledger.filter(\.isHeld).map(\.claim.id)) == model.held)
            #expect(Set(table.ledger.map(\.claim.id)) == Set(model.claims.map(\.id)), "no claim is lost")
        }
    }

    @Test("2.3, 2.7: with shared purposes nobody is shut out, nobody is lost and all come to an end", arguments: 0..<60)
    func invariants(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        var table = ClaimTable()
        var open: Set<Claim.Identifier> = []
        for number in UInt64(0)..<300 {
            let held = table.ledger.filter(\.isHeld).map(\.claim)
            if Bool.random(using: &generator) || held.isEmpty {
                let claim = randomClaim(number, purposes: 6, using: &generator)
                open.insert(claim.id)
                let isGranted = table.request(claim)?.granted == [claim]
                if held.allSatisfy({ $0.purpose == claim.purpose }) && open.count == held.count + 1 {
                    #expect(isGranted, "only claims of its own purpose are there")
                }
            } else if let claim = held.randomElement(using: &generator) {
                open.remove(claim.id)
                #expect(table.release(claim.id).ended == [claim])
            }
            try check(table, open: open)
        }
        var rounds = 0
        let most = open.count
        while !table.isEmpty {
            let held = table.ledger.filter(\.isHeld)
            try #require(!held.isEmpty, "somebody always holds while somebody waits")
            for entry in held { _ = table.release(entry.claim.id) }
            rounds += 1
        }
        #expect(rounds <= most)
    }

    private func check(_ table: ClaimTable, open: Set<Claim.Identifier>) throws {
        let ledger = table.ledger
        #expect(Set(ledger.map(\.claim.id)) == open && ledger.count == open.count)
        let held = ledger.filter(\.isHeld).map(\.claim)
        for (index, claim) in held.enumerated() {
            #expect(held[..<index].allSatisfy { !$0.conflicts(with: claim) }, "mutual exclusion")
        }
        let positions = Dictionary(uniqueKeysWithValues: ledger.enumerated().map { ($1.claim.id, $0) })
        for (index, entry) in ledger.enumerated() where !entry.isHeld {
            #expect(!entry.waitsFor.isEmpty)
            for id in entry.waitsFor {
                let position = try #require(positions[id])
                #expect(position < index && ledger[position].claim.conflicts(with: entry.claim))
            }
        }
    }
}
