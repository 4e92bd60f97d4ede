import PortalDialog
import Testing

@Suite("The order of file dialogs")
struct DialogQueueTests {
    @Test("A second request of a program waits for the first, and others do not")
    func order() {
        var queue = DialogQueue()
        #expect(queue.add(1, caller: "a") == [.show(1), .report(1, others: 0)])
        #expect(queue.add(2, caller: "a") == [.report(1, others: 1)])
        #expect(queue.add(3, caller: "b") == [.show(3), .report(3, others: 0)])
        #expect(queue.add(4, caller: "a") == [.report(1, others: 2)])
        // One that waits is withdrawn.
        #expect(queue.remove(2) == [.report(1, others: 1)])
        #expect(queue.remove(1) == [.show(4), .report(4, others: 0)])
        #expect(queue.remove(4).isEmpty)
        #expect(queue.remove(3).isEmpty)
        #expect(queue.remove(3).isEmpty)
    }

    @Test("There are never more windows than fit on a screen, and never endless requests")
    func flood() {
        var queue = DialogQueue()
        let callers = 2 * DialogQueue.mostWindows
        var shown = 0
        for number in 0..<callers {
            shown += queue.add(number, caller: "\(number)").contains(.show(number)) ? 1 : 0
        }
        #expect(shown == DialogQueue.mostWindows)
        #expect(queue.remove(0).contains(.show(DialogQueue.mostWindows)))
        // One program takes few places, and all together not endlessly many.
        var refused = 0
        for number in 1000..<2000 { refused += queue.add(number, caller: "flood") == [.refuse(number)] ? 1 : 0 }
        #expect(refused == 1000 - DialogQueue.mostWaitingEach)
        #expect(queue.add(2000, caller: "other").isEmpty)
        for number in 3000..<4000 { _ = queue.add(number, caller: "\(number)") }
        #expect(queue.add(4000, caller: "last") == [.refuse(4000)])
        // A request that was refused is not known.
        #expect(queue.remove(4000).isEmpty)
    }
}
