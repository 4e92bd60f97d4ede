import DocentInterfaces

/// Actions on the service behind the provider.
extension CaseContext {
    /// The variables that the case adds to the environment of a service program.
    func serviceVariables(_ instance: any ProviderInstance) -> [String: String] {
        ["DOCENT_SERVICE_STORAGE": instance.visibleStorage, "DOCENT_SERVICE_HOME": directory + "/home"]
    }

    /// Runs `body` while the service is unreachable, and always makes it reachable again.
    func whileUnreachable<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await pauseService()
        do {
            let value = try await body()
            try await resumeService()
            return value
        } catch {
            try await resumeService()
            throw error
        }
    }

    /// Makes the service unreachable. The caller has to make it reachable again.
    func pauseService() async throws {
        try await onService("Making the service unreachable") { try await $0.pause() }
    }

    /// Makes the service reachable again, even in a cancelled task.
    func resumeService() async throws {
        try await onService("Making the service reachable again") { try await $0.resume() }
    }

    /// Cuts the connections to the service.
    ///
    /// - Returns: false if they cannot be cut.
    func cutService() async throws -> Bool {
        guard let service else { return false }
        do {
            try await service.cut()
            return true
        } catch ServiceProblem.lacking {
            return false
        } catch let problem as ServiceProblem {
            throw failure("Cutting the connections to the service", problem)
        }
    }

    /// Changes something in the service as another client would.
    func changeService(_ change: ServiceChange) async throws {
        try await onService(change.text) { try await $0.change(change) }
    }

    /// The names from the top folder to an item, joined by slashes.
    func servicePath(of identifier: String) async throws -> String {
        var names: [String] = []
        var next = identifier
        while next != Self.root, names.count < 100 {
            let item = try await item(next)
            names.insert(item.name, at: 0)
            next = item.parent
        }
        return names.joined(separator: "/")
    }

    // In a task of its own: if the service stayed unreachable, all later cases would fail.
    private func onService(_ did: String, _ body: @escaping @Sendable (TestedService) async throws -> Void) async throws
    {
        guard let service else { throw CaseStop.notTried("it needs --service") }
        step(did)
        do {
            try await Task { try await body(service) }.value
        } catch ServiceProblem.lacking(let reason) {
            throw CaseStop.notTried(PlainText.escaped(reason))
        } catch let problem as ServiceProblem {
            throw failure(did, problem)
        }
    }

    // This is no fault of the provider, but a case that did not do its work must not pass.
    private func failure(_ did: String, _ problem: ServiceProblem) -> CaseStop {
        report(did: did, expected: "a service program that carries it out", got: problem.text, requirement: .interface)
        return .reported
    }
}
