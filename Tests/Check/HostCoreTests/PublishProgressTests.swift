import Synchronization
import Testing

@testable import HostCore

/// The progress of an export or a move.
@Suite struct PublishProgressTests {
    private static func told(_ body: (PublishProgress) -> Void) -> [PublishProgress.Report] {
        let reports = Mutex<[PublishProgress.Report]>([])
        body(PublishProgress { report in reports.withLock { $0.append(report) } })
        return reports.withLock { $0 }
    }

    @Test("C3: few of many reports are passed on, but always the first and the last of each stage")
    func thinned() {
        let told = Self.told { progress in
            for stage in [PublishProgress.Stage.copying, .checking, .publishing] {
                for completed in 0...1_000 { progress.note(stage, UInt64(completed), of: 1_000) }
            }
        }
        for stage in [PublishProgress.Stage.copying, .checking, .publishing] {
            let completed = told.filter { $0.stage == stage }.map(\.completed)
            #expect(completed.first == 0 && completed.last == 1_000, "\(completed)")
            #expect(completed.count < 100, "\(completed.count)")
        }
        #expect(told.allSatisfy { $0.total == 1_000 })
    }

    @Test("C3: a report that was held back is passed on a moment later, if no other comes", .timeLimit(.minutes(2)))
    func lastBeforePause() async {
        let (reports, continuation) = AsyncStream.makeStream(of: PublishProgress.Report.self)
        let progress = PublishProgress { continuation.yield($0) }
        for completed in 0...50 { progress.note(.publishing, UInt64(completed), of: 100) }
        for await report in reports where report.completed == 50 { break }
        progress.note(.publishing, UInt64(100), of: 100)
        for await report in reports where report.completed == 100 { break }
    }

    @Test("C3: a restarted stage counts from its start")
    func again() {
        let told = Self.told { progress in
            progress.note(.publishing, UInt64(100), of: 100)
            progress.note(.copying, UInt64(0), of: 100)
            progress.note(.copying, UInt64(100), of: 100)
        }
        #expect(told.map(\.completed) == [100, 0, 100])
        #expect(told.map(\.stage) == [.publishing, .copying, .copying])
    }

    @Test("C6: an unknown total is reported as unknown")
    func unknownTotal() {
        let told = Self.told { $0.note(.publishing, 5, of: nil) }
        #expect(told.map(\.completed) == [5] && told.first?.total == nil)
    }
}
