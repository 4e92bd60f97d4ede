package import Testing

/// Tests that block their thread because the tested code does. They run on separate threads (``TestThreads``).
package struct MayBlock: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> MayBlock? { testCase == nil ? nil : self }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
    }
}

extension Trait where Self == MayBlock {
    /// The test may block its thread. A test with declared needs always may.
    package static var mayBlock: Self { MayBlock() }
}
