import DocentInterfaces
import DocentTestSupport
import Testing

@testable import DesktopNotices

/// When which notification is shown.
@Suite struct NoticePlanTests {
    private static let key = NoticeKey.conflict(Samples.reference(1))

    @Test("one notification for each document: shown once, replaced when there is another version, gone when settled")
    func life() {
        var desktop = PlayedDesktop()
        desktop.see(Samples.conflicts([1]))
        #expect(desktop.titles == ["plan.txt was changed elsewhere too"] && desktop.count == 1)
        for _ in 0..<5 { desktop.see(Samples.conflicts([1])) }
        #expect(desktop.count == 1)
        let number = desktop.number(of: Self.key)
        desktop.see(Attention(conflicts: [Samples.conflict(versions: ["v2", "v1"])]))
        #expect(desktop.count == 2 && desktop.number(of: Self.key) == number)
        // Settled, here or on another machine.
        desktop.see(Attention())
        #expect(desktop.shown.isEmpty)
        desktop.see(Samples.conflicts([1]))
        #expect(desktop.count == 3)
    }

    @Test("what a person closes comes back only for something new")
    func dismissed() throws {
        var desktop = PlayedDesktop()
        desktop.see(Attention(conflicts: [Samples.conflict(versions: ["v2", "v1"])]))
        desktop.close(try #require(desktop.number(of: Self.key)))
        // The provider does not say where the document is, or one of the two was settled.
        desktop.see(Attention(conflicts: [Samples.conflict(versions: ["v2", "v1"], path: nil)]))
        desktop.see(Attention(conflicts: [Samples.conflict(versions: ["v2"])]))
        #expect(desktop.shown.isEmpty)
        desktop.see(Attention(conflicts: [Samples.conflict(versions: ["v3", "v2"])]))
        #expect(desktop.shown.count == 1)
    }

    @Test("many conflicts within a minute become one notification with their number")
    func burst() {
        var desktop = PlayedDesktop()
        desktop.see(Samples.conflicts(1...500))
        #expect(desktop.titles == ["500 documents have conflicts"] && desktop.count == 1)

        desktop = PlayedDesktop()
        for last in 1...3 { desktop.see(Samples.conflicts(1...last)) }
        #expect(desktop.shown.count == 3)
        desktop.see(Samples.conflicts(1...4))
        #expect(desktop.titles == ["4 documents have conflicts"])
        desktop.see(Samples.conflicts(1...6))
        #expect(desktop.titles == ["6 documents have conflicts"])
        // Later ones have their own again, and the number falls as they are settled.
        desktop.see(Samples.conflicts(1...7), after: NoticePlan.burstTime)
        #expect(desktop.titles == ["6 documents have conflicts", "plan.txt was changed elsewhere too"])
        desktop.see(Samples.conflicts([1, 7]))
        #expect(desktop.titles == ["A document has conflicts", "plan.txt was changed elsewhere too"])
        desktop.see(Samples.conflicts([7]))
        #expect(desktop.titles == ["plan.txt was changed elsewhere too"])
    }

    @Test("slow conflicts are no burst")
    func slow() {
        var desktop = PlayedDesktop()
        for last in 1...10 { desktop.see(Samples.conflicts(1...last), after: NoticePlan.burstTime / 3) }
        #expect(desktop.shown.count == 10 && desktop.count == 10)
    }

    @Test("a burst that a person has closed comes back when there are more, not when there are fewer")
    func closedBurst() throws {
        var desktop = PlayedDesktop()
        desktop.see(Samples.conflicts(1...5))
        desktop.close(try #require(desktop.number(of: .manyConflicts)))
        desktop.see(Samples.conflicts(1...4))
        #expect(desktop.shown.isEmpty)
        desktop.see(Samples.conflicts(1...6))
        #expect(desktop.titles == ["6 documents have conflicts"])
    }

    // MARK: Choosing

    @Test(
        "buttons settle a conflict as docent resolve does",
        arguments: [(NoticeAction.keepMine, "mine"), (.keepTheirs, "theirs"), (.keepBoth, "both")])
    func settle(action: NoticeAction, choice: String) throws {
        var desktop = PlayedDesktop()
        let conflict = Samples.conflict()
        desktop.see(Attention(conflicts: [conflict]))
        let location = try #require(conflict.location)
        #expect(desktop.press(action, in: Self.key) == .settle(location, choice: choice))
        // While that is being done, nothing else is.
        #expect(desktop.press(.keepBoth, in: Self.key) == nil)
        // Some desktops close what was clicked on. It does not come back while it is being settled.
        desktop.close(try #require(desktop.number(of: Self.key)))
        desktop.see(Attention(conflicts: [conflict]), after: .seconds(60))
        #expect(desktop.shown.isEmpty)
        desktop.plan.finished(Self.key, failure: nil)
        desktop.see(Attention())
        #expect(desktop.shown.isEmpty && desktop.count == 1)
    }

    @Test("when settling fails, the notification comes back with the reason")
    func failure() throws {
        var desktop = PlayedDesktop()
        desktop.see(Samples.conflicts([1]))
        #expect(desktop.press(.keepMine, in: Self.key) != nil)
        desktop.close(try #require(desktop.number(of: Self.key)))
        desktop.plan.finished(Self.key, failure: "The\u{1B} account is locked.")
        desktop.see(Samples.conflicts([1]))
        let notice = try #require(desktop.shown.values.first?.notice)
        #expect(notice.lines.last == "That did not work: The\\x1B account is locked.")
        // And can be tried again.
        #expect(desktop.press(.keepMine, in: Self.key) != nil)
    }

    @Test("a click compares and decides nothing; afterwards the buttons are there again")
    func compare() throws {
        var desktop = PlayedDesktop()
        let conflict = Samples.conflict(versions: ["v2", "v1"])
        desktop.see(Attention(conflicts: [conflict]))
        let location = try #require(conflict.location)
        #expect(desktop.press(.standard, in: Self.key) == .compare(location, version: "v2"))
        desktop.close(try #require(desktop.number(of: Self.key)))
        desktop.plan.finished(Self.key, failure: nil)
        desktop.see(Attention(conflicts: [conflict]))
        #expect(desktop.shown.count == 1)
        // Closed later, it stays closed.
        desktop.see(Attention(conflicts: [conflict]), after: .seconds(60))
        desktop.close(try #require(desktop.number(of: Self.key)))
        desktop.see(Attention(conflicts: [conflict]))
        #expect(desktop.shown.isEmpty)
    }

    @Test("what is not offered, unknown or of another notification does nothing")
    func unknownActions() {
        var desktop = PlayedDesktop()
        desktop.see(Attention(conflicts: [Samples.conflict(path: nil)], programs: [Samples.program()]))
        #expect(desktop.press(.keepMine, in: Self.key) == nil)
        #expect(desktop.press(.allow, in: Self.key) == nil)
        #expect(desktop.press(.show, in: Self.key) == .showConflicts)
        #expect(desktop.plan.chose("rm -rf", in: 1, at: desktop.now) == nil)
        #expect(desktop.plan.chose("show", in: 77, at: desktop.now) == nil)
    }

    @Test("each held program has its own notification, and only that one is allowed to go on")
    func held() {
        var desktop = PlayedDesktop()
        // A confined program may have the name of another one.
        let (own, confined) = (Samples.program(), Samples.program(kind: "run"))
        desktop.see(Attention(programs: [own, confined]))
        #expect(desktop.shown.count == 2)
        let key = NoticeKey.program(kind: "unconfined", client: own.client)
        #expect(desktop.press(.allow, in: key) == .allow(kind: "unconfined", client: own.client))
        desktop.plan.finished(key, failure: nil)
        desktop.see(Attention(programs: [confined]))
        #expect(desktop.number(of: key) == nil && desktop.shown.count == 1)
        // Held once more, later.
        desktop.see(Attention(programs: [Samples.program(since: 9), confined]))
        #expect(desktop.shown.count == 2)
    }

    @Test("a server's held listing is shown, and goes when it is accepted")
    func listing() {
        var desktop = PlayedDesktop()
        let listing = Wire.HeldListing(reference: Samples.reference(1), path: "/Photos", known: 90, listed: 2, since: 1)
        desktop.see(Attention(listings: [listing]))
        #expect(desktop.press(.standard, in: .listing(Samples.reference(1))) == .showHeld)
        desktop.see(Attention())
        #expect(desktop.shown.isEmpty)
    }

    // MARK: Servers

    @Test("without a notification server it tries again after a while, and at once when there is one")
    func absentServer() {
        var desktop = PlayedDesktop()
        desktop.isServing = false
        desktop.see(Samples.conflicts([1]))
        desktop.isServing = true
        desktop.see(Samples.conflicts([1]))
        #expect(desktop.shown.isEmpty)
        desktop.see(Samples.conflicts([1]), after: NoticePlan.retryTime)
        #expect(desktop.shown.count == 1)

        desktop.endServer()
        desktop.see(Samples.conflicts([1]))
        #expect(desktop.shown.isEmpty)
        desktop.beginServer()
        desktop.see(Samples.conflicts([1]))
        #expect(desktop.shown.count == 1)
        desktop.end()
        #expect(desktop.shown.isEmpty)
    }

    @Test("whatever happens, nothing is shown twice, and nothing stays that is settled", arguments: 0..<20)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var desktop = PlayedDesktop()
        var open: Set<Int> = []
        for _ in 0..<400 {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: open.insert(Int.random(in: 1...8, using: &generator))
            case 1: open.remove(Int.random(in: 1...8, using: &generator))
            case 2: if let number = desktop.shown.keys.min() { desktop.close(number) }
            case 3: desktop.endServer()
            case 4: desktop.beginServer()
            case 5:
                guard let (_, shown) = desktop.shown.min(by: { $0.key < $1.key }) else { continue }
                if desktop.press(.keepMine, in: shown.key) != nil {
                    desktop.plan.finished(shown.key, failure: Bool.random(using: &generator) ? "no" : nil)
                }
            default:
                let pause = Duration.seconds(Int.random(in: 1...30, using: &generator))
                desktop.see(Samples.conflicts(open.sorted()), after: pause)
            }
        }
        // The played desktop itself refuses what is shown twice.
        desktop.see(Attention())
        #expect(desktop.shown.isEmpty)
        desktop.beginServer()
        desktop.see(Samples.conflicts([9]), after: NoticePlan.burstTime)
        #expect(desktop.shown.count == 1)
    }
}

/// Numbers that are the same in each run.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
