import DocentInterfaces
import Foundation
import HostTesting
import Testing

@testable import HostCore
@testable import Transfers

/// The decisions of the queue, in virtual time (N9–N11, law 5, HAZARDS 2, 16).
@Suite final class TransferSchedulerTests {
    private typealias Support = TransferSupport
    private let domains = StatedDomains()
    private var scheduler = TransferScheduler()

    private func plan(_ seconds: Double, limit: Int = 8) -> TransferScheduler.Plan {
        scheduler.plan(now: Support.at(seconds), limits: FixedLimit(limit: limit), domains: domains)
    }

    private func want(
        _ name: String, _ kind: TransferKind = .download, _ priority: TransferPriority = .background,
        waiter: Int? = nil,
        domain: String = "d", at seconds: Double = 0
    ) -> String {
        scheduler.want(
            Support.key(name, kind, domain: domain), name: name, priority: priority, waiter: waiter,
            now: Support.at(seconds))
    }

    private func end(
        _ identifier: String, _ code: FailureCode? = nil, ready: Bool = true, at seconds: Double = 0
    ) -> TransferScheduler.Ending {
        scheduler.ended(
            identifier, code.map { Support.failure($0) }, isDomainReady: ready, chance: 0.5, now: Support.at(seconds))
    }

    private func leave(_ waiter: Int, _ identifier: String) -> Bool { scheduler.leave(waiter, identifier) }

    private func state(_ identifier: String) -> TransferSnapshot.State? {
        scheduler.snapshot(identifier, now: Support.at(0), wall: .now, domains: domains)?.state
    }

    @Test("transfers with waiters run first, then pinned ones, then the rest; each group in order of arrival")
    func order() {
        let names = [
            want("b1"), want("p1", .download, .pinned), want("b2"), want("w1", waiter: 1), want("w2", waiter: 2),
        ]
        var begun: [String] = []
        for _ in 0..<5 {
            let started = plan(0, limit: 1).start
            begun += started
            _ = started.map { end($0) }
        }
        #expect(begun == [names[3], names[4], names[1], names[0], names[2]])
        #expect(scheduler.count == 0)
    }

    @Test("a request for another attempt during a running one does not wait for the delay of earlier failures")
    func retriedWhileRunning() throws {
        let identifier = want("a", .upload)
        var now = 0.0
        for _ in 0..<9 {
            #expect(plan(now).start == [identifier])
            _ = end(identifier, .deadlineExceeded, at: now)
            now += 400
        }
        #expect(plan(now).start == [identifier])
        let isRetried = scheduler.retry(identifier, now: Support.at(now))
        #expect(!isRetried && state(identifier) == .running, "the attempt continues")
        _ = end(identifier, .deadlineExceeded, at: now)
        #expect(plan(now).start.isEmpty)
        #expect(plan(now + 2).start == [identifier])
    }

    @Test("each account has its own limit, and transfers without waiters leave one slot free", arguments: [1, 2, 8])
    func bounds(_ limit: Int) {
        for number in 0..<20 {
            _ = want("a\(number)", .upload, domain: "a")
            _ = want("b\(number)", .download, .pinned, domain: "b")
        }
        #expect(plan(0, limit: limit).start.count == 2 * max(1, limit - 1))
        for number in 0..<20 { _ = want("w\(number)", waiter: number, domain: "a") }
        let more = plan(0, limit: limit).start
        #expect(more.count == (limit == 1 ? 0 : 1))
        #expect(plan(0, limit: limit).start.isEmpty)
    }

    @Test("a transfer that has waited long is no longer overtaken")
    func ageing() {
        let old = want("old", .upload)
        let running = want("w0", waiter: 0)
        #expect(plan(0, limit: 1).start == [running])
        _ = want("w1", waiter: 1, at: 40)
        _ = end(running, at: 41)
        #expect(plan(41, limit: 1).start == [old])
    }

    @Test("ten readers share one download; it ends when the last one leaves")
    func coalescing() {
        let identifiers = Set((0..<10).map { want("x", waiter: $0) })
        #expect(identifiers.count == 1)
        let identifier = identifiers.first ?? ""
        #expect(plan(0).start == [identifier])
        for waiter in 0..<9 { #expect(!leave(waiter, identifier)) }
        #expect(leave(9, identifier))
        #expect(end(identifier, .cancelled).isOver)
        #expect(scheduler.count == 0)
    }

    @Test("a download that is also pinned continues when its last waiter leaves; so does an upload")
    func wantedElsewhere() {
        let pinned = want("x", .download, .pinned)
        _ = want("x", waiter: 1)
        let upload = want("u", .upload, waiter: 2)
        #expect(Set(plan(0).start) == [pinned, upload])
        #expect(!leave(1, pinned))
        #expect(!leave(2, upload))
        #expect(scheduler.count == 2)
    }

    @Test("a reader that comes while a download is being cancelled gets a new attempt, not the cancellation")
    func joinsWhileEnding() {
        let identifier = want("x", waiter: 1)
        _ = plan(0)
        #expect(leave(1, identifier))
        #expect(want("x", waiter: 2) == identifier)
        #expect(end(identifier, .cancelled) == TransferScheduler.Ending())
        #expect(plan(0).start == [identifier])
        #expect(end(identifier).told == [2])
    }

    @Test(
        "law 6: a change that is saved during an upload is sent after it",
        arguments: [nil, FailureCode.failed])
    func again(_ code: FailureCode?) {
        let identifier = want("x", .upload)
        _ = plan(0)
        _ = want("x", .upload)
        #expect(!end(identifier, code).isOver)
        #expect(plan(0).start == [identifier])
        #expect(end(identifier).isOver)
    }

    @Test("a download with waiters is retried after 0.3, 1 and 3 seconds, and then its waiters get the error")
    func patience() {
        let identifier = want("x", waiter: 1)
        var now = 0.0
        for delay in [0.3, 1, 3] {
            #expect(plan(now).start == [identifier])
            #expect(end(identifier, .serverUnreachable, at: now).told.isEmpty)
            #expect(plan(now + delay - 0.01).start.isEmpty)
            #expect(plan(now).wake.map { abs(($0 - Support.at(now + delay)) / .seconds(1)) < 1e-3 } == true)
            now += delay + 1e-3
        }
        #expect(plan(now).start == [identifier])
        let ending = end(identifier, .serverUnreachable, at: now)
        #expect(ending.told == [1] && ending.isOver && ending.failure?.code == .unavailable)
        #expect(scheduler.count == 0)
    }

    @Test("HAZARDS 16: received bytes reset the number of attempts")
    func gains() {
        let identifier = want("x", waiter: 1)
        for attempt in 1...20 {
            #expect(plan(Double(attempt)).start == [identifier])
            let moment = Support.at(Double(attempt))
            scheduler.progressed(
                identifier,
                .init(completed: Int64(attempt), total: 100, lastSign: moment, lastGain: moment, most: Int64(attempt)))
            #expect(end(identifier, .serverUnreachable, at: Double(attempt)).told.isEmpty)
        }
    }

    @Test("a pinned download continues after its waiter got a temporary error")
    func pinnedGoesOn() {
        let identifier = want("x", .download, .pinned)
        _ = want("x", waiter: 1)
        _ = plan(0)
        let ending = end(identifier, .serverUnreachable, ready: false)
        #expect(ending.told == [1] && !ending.isOver)
        #expect(state(identifier) == .retrying)
        #expect(plan(1).start == [identifier])
    }

    @Test("a new waiter does not wait for the delay before a retry")
    func joinsDelayed() {
        let identifier = want("x", .download, .pinned)
        for second in [0.0, 1, 3, 7, 15] {
            _ = plan(second)
            _ = end(identifier, .serverUnreachable, at: second)
        }
        #expect(plan(16).start.isEmpty)
        _ = want("x", waiter: 1, at: 16)
        #expect(plan(16).start == [identifier])
    }

    @Test("an upload that cannot be sent is kept as failed until it is retried")
    func failed() {
        let identifier = want("x", .upload)
        _ = plan(0)
        #expect(!end(identifier, .insufficientQuota).isOver)
        #expect(state(identifier) == .failed)
        #expect(scheduler.count == 0)
        #expect(plan(1e6).start.isEmpty)
        let isRetried = scheduler.retry(identifier, now: Support.at(1e6))
        #expect(isRetried)
        #expect(plan(1e6).start == [identifier])
    }

    @Test("cancelling keeps an upload as failed and drops a download", arguments: [true, false])
    func cancelling(_ isRunning: Bool) {
        let upload = want("u", .upload)
        let download = want("d", waiter: 1)
        if isRunning { _ = plan(0) }
        let failure = Failure(.cancelled, "text")
        let (ofUpload, ofDownload) = (scheduler.cancel(upload, failure), scheduler.cancel(download, failure))
        #expect(ofUpload == ([], isRunning))
        #expect(ofDownload == ([1], isRunning))
        if isRunning {
            _ = end(upload, .cancelled)
            _ = end(download, .cancelled)
        }
        #expect(state(upload) == .failed)
        #expect(state(download) == nil)
    }

    @Test("while a domain is offline its uploads are paused; one probes it when it is time, and then all continue")
    func probing() {
        let uploads = (0..<5).map { want("u\($0)", .upload) }
        domains.setOffline(probe: Support.at(10))
        #expect(plan(0) == .init(start: [], stop: [], wake: Support.at(10)))
        #expect(uploads.allSatisfy { state($0) == .paused })
        #expect(plan(10).start == [uploads[0]])
        #expect(plan(10).start.isEmpty)
        domains.setOffline(probe: Support.at(12))
        _ = end(uploads[0], .serverUnreachable, ready: false, at: 10)
        #expect(plan(11).start.isEmpty)
        #expect(plan(12).start.count == 1)
        domains.set(.ready)
        #expect(Set(plan(12).start) == Set(uploads).subtracting([uploads[1]]))
    }

    @Test("a domain without a time for its next probe is probed at most once a second")
    func probesAreBounded() {
        let identifier = want("u", .upload)
        domains.setOffline(probe: Support.at(0))
        var begun = 0
        for step in 0..<100 {
            if !plan(Double(step) / 10).start.isEmpty {
                begun += 1
                _ = end(identifier, .serverUnreachable, ready: false, at: Double(step) / 10)
            }
        }
        #expect(begun <= 11 && begun >= 9)
    }

    @Test("a reader learns at once that a domain is offline, and other domains continue")
    func offlineReader() {
        _ = want("u", .upload)
        let reader = want("x", waiter: 1)
        let other = want("y", .upload, domain: "e")
        domains.setOffline(probe: Support.at(1000))
        #expect(Set(plan(0).start) == [reader, other])
        #expect(end(reader, .serverUnreachable, ready: false).told == [1])
    }

    @Test("law 5: an attempt without progress for a minute is stopped and retried")
    func stalls() {
        let identifier = want("x", .upload)
        #expect(plan(0).wake == Support.at(60))
        let moment = Support.at(50)
        scheduler.progressed(identifier, .init(completed: 1, total: 2, lastSign: moment, lastGain: moment, most: 1))
        #expect(plan(60).stop.isEmpty)
        #expect(plan(110).stop == [identifier])
        #expect(plan(111).stop.isEmpty)
        #expect(!end(identifier, .cancelled, at: 111).isOver)
        #expect(state(identifier) == .retrying)
    }

    @Test("signs of life without bytes do not keep an attempt alive for ever")
    func signsWithoutBytes() {
        let identifier = want("x", .upload)
        _ = plan(0)
        for second in stride(from: 10.0, to: 600, by: 10) {
            scheduler.progressed(
                identifier,
                .init(completed: 0, total: 2, lastSign: Support.at(second), lastGain: Support.at(0), most: 0))
            #expect(plan(second).stop.isEmpty)
        }
        #expect(plan(600).stop == [identifier])
    }

    @Test("ten thousand pinned documents all run, in turn")
    func many() {
        for number in 0..<10_000 { _ = want("x\(number)", .download, .pinned) }
        var done = 0
        while true {
            let started = plan(0).start
            if started.isEmpty { break }
            for identifier in started { _ = end(identifier) }
            done += started.count
        }
        #expect(done == 10_000)
    }
}
