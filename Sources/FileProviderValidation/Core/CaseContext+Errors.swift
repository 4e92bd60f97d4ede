package import DocentInterfaces

extension CaseContext {
    /// Expects a call to be answered with an error of the interface, whichever; success, silence and the like are
    /// reported.
    ///
    /// - Returns: the error; nil when something was reported.
    /// - Throws: ``CallProblem`` when the transport cannot carry the call, or the validator has trouble of its own.
    @discardableResult
    package func expectError<Value>(
        did: String, requirement: ProviderRequirement? = nil, _ call: () async throws -> Value
    ) async throws -> Failure? {
        try await expectRefusal(FailureCode.ofProviders, did: did, requirement: requirement, call)
    }
}
