package import Testing

/// The needs of a suite's tests, or of a single test. They wait until they are admitted; a test without this trait
/// never waits.
///
/// An admitted test runs on separate threads (``TestThreads``), where it may block, and has a time limit from then on.
/// A test's trait replaces its suite's.
package struct Needs: TestTrait, SuiteTrait, TestScoping {
    package let needs: Set<Need>
    package let limit: Duration

    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Needs? {
        guard testCase != nil, let last = test.traits.last(where: { $0 is Needs }) as? Needs else { return nil }
        return last == self ? self : nil
    }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // Equal inherited and own traits both get here.
        if Admission.current != nil { return try await function() }
        // It would also count the time that the test waits to be admitted.
        if test.timeLimit != nil { Issue.record("Use .needs(…, within:) for the time limit, not .timeLimit.") }
        try await Admission.shared.run(needs, limit: limit, name: "\(test.id)") {
            try await TimeLimit.run(limit) {
                try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
            }
        }
    }
}

extension Needs: Equatable {}

extension Trait where Self == Needs {
    /// The test is admitted when the machine has what it needs, and may then take this long.
    package static func needs(_ needs: Need..., within limit: Duration = .seconds(600)) -> Self {
        Needs(needs: Set(needs), limit: limit)
    }
}
