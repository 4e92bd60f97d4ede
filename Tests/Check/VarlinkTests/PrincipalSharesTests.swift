import Testing

@testable import Varlink

/// T4: how much of a shared resource one principal may have.
@Suite struct PrincipalSharesTests {
    private static let limits = ShareLimits(
        total: 20, unconfined: .init(each: 8, together: 14), confined: .init(each: 4, together: 10),
        unrecognised: .init(each: 2, together: 3))

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var held: [(holder: ShareHolder, amount: Int)]
        var asks: ShareHolder
        var amount = 1
        var refusal: PrincipalShares.Refusal?
        var testDescription: String { name }
    }

    private static func confined(_ name: String) -> ShareHolder { ShareHolder(.confined, name) }
    private static func unconfined(_ name: String) -> ShareHolder { ShareHolder(.unconfined, name) }
    private static func unknown(_ name: String) -> ShareHolder { ShareHolder(.unrecognised, name) }

    static let rows = [
        Row(name: "the first", held: [], asks: confined("a")),
        Row(name: "the last of its own", held: [(confined("a"), 3)], asks: confined("a")),
        Row(name: "one more than its own", held: [(confined("a"), 4)], asks: confined("a"), refusal: .own(4)),
        Row(
            name: "several at once, too many", held: [(confined("a"), 2)], asks: confined("a"), amount: 3,
            refusal: .own(4)),
        Row(name: "another principal beside a full one", held: [(confined("a"), 4)], asks: confined("b"), amount: 4),
        Row(
            name: "confined clients together", held: [(confined("a"), 4), (confined("b"), 4), (confined("c"), 2)],
            asks: confined("d"), refusal: .kind(10)),
        Row(
            name: "unconfined ones beside confined ones at their limit",
            held: [(confined("a"), 4), (confined("b"), 4), (confined("c"), 2)], asks: unconfined("u"), amount: 8),
        Row(
            name: "confined ones beside unconfined ones at their limit",
            held: [(unconfined("u"), 8), (unconfined("v"), 6)], asks: confined("a"), amount: 4),
        Row(
            name: "everything",
            held: [(unconfined("u"), 8), (unconfined("v"), 6), (confined("a"), 4), (confined("b"), 2)],
            asks: confined("c"), refusal: .total(20)),
        Row(name: "an unrecognised process", held: [(unknown("1"), 2)], asks: unknown("1"), refusal: .own(2)),
        Row(
            name: "unrecognised processes", held: [(unknown("1"), 2), (unknown("2"), 1)], asks: unknown("3"),
            refusal: .kind(3)),
        Row(
            name: "the largest number there is", held: [(confined("a"), 1)], asks: confined("a"), amount: .max,
            refusal: .own(4)),
        Row(name: "the same name of another kind", held: [(confined("a"), 4)], asks: unconfined("a")),
    ]

    @Test("T4: a principal has a share, and each kind leaves something to the others", arguments: rows)
    func decides(_ row: Row) {
        var shares = PrincipalShares(Self.limits)
        for (holder, amount) in row.held { #expect(shares.take(amount, for: holder) == nil) }
        let before = shares.taken
        #expect(shares.refusal(of: row.amount, to: row.asks) == row.refusal)
        #expect(shares.take(row.amount, for: row.asks) == row.refusal)
        #expect(shares.taken == before + (row.refusal == nil ? row.amount : 0))
    }

    @Test("T4: what is returned is available again, and no principal returns more than it has")
    func gives() {
        var shares = PrincipalShares(Self.limits)
        let (one, other) = (Self.confined("a"), Self.confined("b"))
        #expect(shares.take(4, for: one) == nil && shares.take(4, for: other) == nil)
        shares.give(100, of: one)
        #expect(shares.taken == 4 && shares.amount(of: .confined) == 4 && shares.amount(of: other) == 4)
        #expect(shares.take(4, for: one) == nil)
    }

    @Test("T4: a process that is recognised counts for its principal, or is refused and keeps its own count")
    func recognised() {
        var shares = PrincipalShares(Self.limits)
        let (process, one) = (Self.unknown("1"), Self.confined("flatpak:a"))
        #expect(shares.take(1, for: process) == nil)
        #expect(shares.hand(1, from: process, to: one) == nil)
        #expect(shares.amount(of: process) == 0 && shares.amount(of: one) == 1)
        #expect(shares.take(3, for: one) == nil && shares.take(1, for: process) == nil)
        #expect(shares.hand(1, from: process, to: one) == .own(4))
        #expect(shares.amount(of: process) == 1 && shares.amount(of: one) == 4)
    }

    @Test("T4: a principal may have one item beyond the usual size, but only as its single item")
    func large() {
        var limits = Self.limits
        limits.admitsOneLarge = true
        var shares = PrincipalShares(limits)
        let one = Self.confined("a")
        #expect(shares.take(1_000, for: one) == nil)
        #expect(shares.take(1, for: one) == .own(4))
        shares.give(1_000, of: one)
        #expect(shares.taken == 0 && shares.amount(of: .confined) == 0)
        #expect(shares.take(.max, for: one) == nil && shares.take(.max, for: Self.unconfined("u")) != nil)
    }

    @Test("T4: a large item counts for its kind like a usual one, so others of the kind keep their share")
    func largeBesideOthers() {
        let limits = ShareLimits(
            total: .max, unconfined: .none, confined: .init(each: 4, together: 10), admitsOneLarge: true)
        var shares = PrincipalShares(limits)
        #expect(shares.take(1_000, for: Self.confined("a")) == nil)
        #expect(shares.amount(of: .confined) == 4 && shares.taken == 1_000)
        #expect(shares.take(4, for: Self.confined("b")) == nil)
        #expect(shares.take(3, for: Self.confined("c")) == .kind(10))
        #expect(shares.take(2, for: Self.confined("c")) == nil)
        shares.give(999, of: Self.confined("a"))
        #expect(shares.amount(of: .confined) == 7)
        #expect(shares.take(3, for: Self.confined("d")) == nil)
    }

    @Test("T4: the limits reserve a quarter for the user's own programs, and leave room for several confined clients")
    func inUse() {
        let limits = ServerLimits()
        for resource in SharedResource.allCases {
            let one = limits[resource]
            #expect(one.confined.together + one.unrecognised.together <= one.total * 3 / 4, "\(resource)")
            #expect(one.unconfined.together <= one.total * 3 / 4, "\(resource)")
            #expect(one.confined.each * 3 <= one.confined.together, "\(resource)")
        }
    }
}
