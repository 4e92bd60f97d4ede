import FileProvider
import Testing

@testable import LocalFolder

@Suite struct WatchPacerTests {
    private let start = ContinuousClock.now
    private let item = ItemIdentifier("a")

    @Test("A first change is reported at once, 1,000 changes soon after as one, a tenth of a second later")
    func coalesces() {
        var pacer = ChangePacer()
        #expect(pacer.note([item], now: start) == [item])
        var told = 0
        for number in 1...1_000 {
            told += pacer.note([item], now: start + .microseconds(50 * number)).count
        }
        #expect(told == 0)
        #expect(pacer.isHolding)
        #expect(pacer.due(now: start + .milliseconds(99)).isEmpty)
        #expect(pacer.due(now: start + .milliseconds(100)) == [item])
        #expect(!pacer.isHolding)
        #expect(pacer.due(now: start + .seconds(9)).isEmpty)
    }

    @Test("Items do not delay each other")
    func keepsItemsApart() {
        var pacer = ChangePacer()
        let other = ItemIdentifier("b")
        #expect(pacer.note([item], now: start) == [item])
        #expect(pacer.note([item, other], now: start + .milliseconds(10)) == [other])
    }

    @Test("A deleted item is not reported as changed afterwards")
    func drops() {
        var pacer = ChangePacer()
        _ = pacer.note([item], now: start)
        _ = pacer.note([item], now: start + .milliseconds(1))
        pacer.drop([item])
        #expect(pacer.due(now: start + .seconds(1)).isEmpty)
    }
}
