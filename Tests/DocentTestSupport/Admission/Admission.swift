import Foundation

/// Limits how many tests run at the same time: a test waits here until its needs fit beside those that are running.
///
/// A waiting test is suspended and occupies no thread.
package actor Admission {
    /// Two processors give eight units; `DOCENT_TEST_CAPACITY` overrides this.
    package static let shared = Admission(
        capacity: ProcessInfo.processInfo.environment["DOCENT_TEST_CAPACITY"].flatMap { Int($0) }
            ?? 4 * ProcessInfo.processInfo.activeProcessorCount)

    /// The needs admitted for this task; the test may start only what it declared.
    @TaskLocal package static var current: Set<Need>?

    private var queue: AdmissionQueue
    private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    private var isLookingForRoom = false

    package init(capacity: Int) { queue = AdmissionQueue(capacity: capacity) }

    /// Runs `body` once `needs` fit beside the running tests.
    ///
    /// - Parameter limit: how long it may take.
    /// - Throws: what `body` throws.
    package func run(
        _ needs: Set<Need>, limit: Duration = .zero, name: String, _ body: @Sendable () async throws -> Void
    ) async throws {
        let asked = ContinuousClock.now
        let number = queue.add(needs, limit: limit)
        await withCheckedContinuation { continuation in
            waiters[number] = continuation
            admit()
        }
        let begun = ContinuousClock.now
        RunningTests.begin(name)
        defer {
            RunningTests.end(name)
            TestTimings.note(name, waited: begun - asked, took: ContinuousClock.now - begun)
            queue.remove(number)
            admit()
        }
        try await Self.$current.withValue(needs) { try await body() }
    }

    private func admit() {
        for number in queue.admit() { waiters.removeValue(forKey: number)?.resume() }
        guard !waiters.isEmpty, !isLookingForRoom else { return }
        isLookingForRoom = true
        Task { await lookForRoom() }
    }

    /// While tests are waiting, starts more or fewer than the capacity allows, by how idle processors are.
    private func lookForRoom() async {
        var before = ProcessorTime.now()
        while !waiters.isEmpty {
            // Shorter measurements vary so much that one after the other finds room, until all time-outs are too short.
            try? await Task.sleep(for: .seconds(1))
            let after = ProcessorTime.now()
            queue.makeRoom(idleShare: after.idleShare(since: before))
            for number in queue.admit() { waiters.removeValue(forKey: number)?.resume() }
            before = after
        }
        isLookingForRoom = false
    }
}
