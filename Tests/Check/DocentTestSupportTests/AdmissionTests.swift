import Synchronization
import Testing

@testable import DocentTestSupport

@Suite struct AdmissionTests {
    private static func queue(_ capacity: Int, _ needs: Set<Need>...) -> AdmissionQueue {
        var queue = AdmissionQueue(capacity: capacity)
        for need in needs { _ = queue.add(need) }
        return queue
    }

    @Test("no more runs at a time than the capacity, and a test that ends admits the next")
    func capacity() {
        var queue = Self.queue(4, [.daemon], [.daemon], [.daemon])
        #expect(queue.admit() == [1, 2])
        #expect(queue.admit() == [])
        queue.remove(1)
        #expect(queue.admit() == [3])
    }

    @Test("the heaviest go first, and a light one never overtakes a heavy one that waits for room")
    func heaviestFirst() {
        var queue = Self.queue(6, [.programs], [.processor], [.processor, .daemon], [.daemon])
        #expect(queue.admit() == [3])
        queue.remove(3)
        #expect(queue.admit() == [2, 4])
        #expect(queue.admit() == [])
        queue.remove(4)
        #expect(queue.admit() == [1])
    }

    @Test("among equally heavy ones the one that may take longest goes first, and otherwise the one that came first")
    func longestFirst() {
        var queue = AdmissionQueue(capacity: 2)
        for limit in [600, 1800, 600, 1800] { _ = queue.add([.daemon], limit: .seconds(limit)) }
        var order: [Int] = []
        for _ in 0..<4 {
            order += queue.admit()
            queue.remove(order.last ?? 0)
        }
        #expect(order == [2, 4, 1, 3])
    }

    @Test("light ones fill the room beside a heavy one, and a waiting heavy one is next when it ends")
    func filling() {
        var queue = Self.queue(
            8, [.processor, .daemon], [.processor, .daemon], [.daemon], [.daemon], [.programs])
        #expect(queue.admit() == [1, 3])
        queue.remove(3)
        #expect(queue.admit() == [4])
        queue.remove(1)
        #expect(queue.admit() == [2])
        queue.remove(4)
        #expect(queue.admit() == [5])
    }

    @Test("a heavy one that does not fit beside a light one is not overtaken again and again")
    func noStarvation() {
        var queue = Self.queue(6, [.daemon], [.processor, .daemon])
        queue.remove(2)
        #expect(queue.admit() == [1])
        _ = queue.add([.processor, .daemon])
        _ = queue.add([.daemon])
        #expect(queue.admit() == [])
        queue.remove(1)
        #expect(queue.admit() == [3])
        queue.remove(3)
        #expect(queue.admit() == [4])
    }

    @Test(
        "while processors are idle the lightest are admitted too, as many more each time, never beside an exclusive one"
    )
    func room() {
        var queue = Self.queue(2, [.daemon], [.daemon], [.programs], [.userLimits])
        #expect(queue.admit() == [1])
        queue.makeRoom(idleShare: 0.1)
        #expect(queue.admit() == [])
        queue.makeRoom(idleShare: 0.5)
        #expect(queue.admit() == [3])
        queue.makeRoom(idleShare: 0.5)
        #expect(queue.admit() == [2])
        for number in 1...3 { queue.remove(number) }
        #expect(queue.admit() == [4])
        _ = queue.add([.programs])
        queue.makeRoom(idleShare: 1)
        #expect(queue.admit() == [])
    }

    @Test("a test beyond the capacity uses none of it, is replaced when it ends, and their number is limited")
    func beyondCapacity() {
        var queue = Self.queue(2, [.daemon], [.programs], [.programs], [.daemon], [.programs])
        #expect(queue.admit() == [1])
        queue.makeRoom(idleShare: 0.5)
        #expect(queue.admit() == [2])
        queue.remove(2)
        #expect(queue.admit() == [3])
        queue.remove(1)
        #expect(queue.admit() == [4])
        queue.remove(3)
        #expect(queue.admit() == [5])
        for _ in 0..<20 { _ = queue.add([.programs]) }
        for _ in 0..<20 {
            queue.makeRoom(idleShare: 1)
            _ = queue.admit()
        }
        #expect(queue.running.count == AdmissionQueue.most * 2)
    }

    @Test("a test that keeps a processor busy never runs beyond the capacity")
    func busy() {
        var queue = Self.queue(8, [.daemon, .server, .validator], [.daemon, .server, .validator])
        _ = queue.add([.daemon, .server, .validator])
        _ = queue.add([.processor])
        #expect(queue.admit() == [1, 2])
        for _ in 0..<10 {
            queue.makeRoom(idleShare: 1)
            #expect(queue.admit() == [])
        }
    }

    @Test("while processors are busy, a test beyond the capacity is not replaced; unused room does not grow")
    func lessRoom() {
        var queue = Self.queue(2, [.daemon], [.programs], [.programs], [.programs])
        _ = queue.admit()
        for _ in 0..<10 { queue.makeRoom(idleShare: 0.5) }
        #expect(queue.room == 1)
        #expect(queue.admit() == [2])
        queue.makeRoom(idleShare: 0)
        queue.remove(2)
        #expect(queue.admit() == [])
        queue.makeRoom(idleShare: 0)
        #expect(queue.room == 0)
    }

    @Test("the share of idle processor time")
    func idleShare() {
        let before = ProcessorTime(idle: 100, all: 400)
        #expect(ProcessorTime(idle: 150, all: 600).idleShare(since: before) == 0.25)
        #expect(before.idleShare(since: before) == 0)
        #expect(ProcessorTime.now().all > 0)
    }

    @Test("a test that needs the user's limits runs alone, after all others")
    func exclusive() {
        var queue = Self.queue(8, [.userLimits], [.daemon], [.programs])
        #expect(queue.admit() == [2, 3])
        queue.remove(2)
        #expect(queue.admit() == [])
        queue.remove(3)
        #expect(queue.admit() == [1])
        _ = queue.add([.programs])
        #expect(queue.admit() == [])
        queue.remove(1)
        #expect(queue.admit() == [4])
    }

    @Test("a need above the capacity counts as the whole capacity")
    func tooMuch() {
        var queue = Self.queue(3, [.processor, .daemon, .server], [.programs])
        #expect(queue.admit() == [1])
        queue.remove(1)
        #expect(queue.admit() == [2])
    }

    /// The number of running tests, now and at most.
    private final class Meter: Sendable {
        struct Reading { var now = 0, most = 0, runs = 0 }
        private let reading = Mutex(Reading())

        func begin(_ load: Int) {
            reading.withLock { reading in
                reading.now += load
                reading.most = max(reading.most, reading.now)
                reading.runs += 1
            }
        }

        func end(_ load: Int) { reading.withLock { $0.now -= load } }

        var result: Reading { reading.withLock(\.self) }
    }

    @Test("tests that wait for room all run, never more than fit")
    func allRun() async throws {
        let admission = Admission(capacity: 4)
        let meter = Meter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                let need = number % 3 == 0 ? Need.processor : .daemon
                group.addTask {
                    try await admission.run([need], name: "\(number)") {
                        meter.begin(need.load)
                        await Task.yield()
                        meter.end(need.load)
                    }
                }
            }
            try await group.waitForAll()
        }
        // Tests beyond the capacity were admitted because processors were idle.
        #expect(meter.result.most <= AdmissionQueue.most * 4 * Need.processor.load && meter.result.runs == 60)
    }

    @Test("a body that throws frees its place")
    func throwing() async throws {
        struct Trouble: Error {}
        let admission = Admission(capacity: 2)
        await #expect(throws: Trouble.self) {
            try await admission.run([.daemon], name: "first") { throw Trouble() }
        }
        try await admission.run([.daemon], name: "second") {}
    }

    @Test("a test fails if it uses what it did not declare")
    func undeclared() {
        withKnownIssue { Admission.expect(.daemon) }
        Admission.$current.withValue([.server]) {
            withKnownIssue { Admission.expect(.daemon) }
            Admission.expect(.server)
            Admission.expect(.programs)
        }
    }

    @Test("building a package keeps a processor busy")
    func builds() {
        #expect(Outcome.isBuild(["/usr/bin/env", "swift", "build", "--package-path", "x"]))
        #expect(Outcome.isBuild(["/opt/swift/usr/bin/swift", "test"]) && Outcome.isBuild(["env", "cargo", "test"]))
        #expect(!Outcome.isBuild(["/usr/bin/docent", "provider", "build"]) && !Outcome.isBuild(["swift", "format"]))
        #expect(!Outcome.isBuild(["cargo", "build"]))
    }
}
