package import DocentInterfaces

extension CaseContext {
    /// Expects a call to be answered with any error of the interface. Success, silence and the like are reported.
    ///
    /// - Returns: the error; nil when something was reported.
    /// - Throws: ``CallProblem`` when the transport cannot carry the call, or the validator itself has a problem.
    @discardableResult
    package func expectError<Value>(
        did: String, requirement: ProviderRequirement? = nil, _ call: () async throws -> Value
    ) async throws -> Failure? {
        try await expectRefusal(FailureCode.ofProviders, did: did, requirement: requirement, call)
    }
}
