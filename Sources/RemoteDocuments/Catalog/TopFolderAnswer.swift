import DocentInterfaces

/// What a service says of the top folder of an account after one of its items failed: whether the whole account is concerned.
enum TopFolderAnswer: Hashable, Sendable {
    /// It answered, if only that it has no such folder or lets nobody see it.
    case answered
    case unreachable(message: String)
    case refused(message: String)
    /// No answer came in time, or none that says anything of the service.
    case nothing

    init(_ failure: Failure) {
        switch ProviderAccess.outcome(failure, hasGained: false, took: .zero) {
        case .reached: self = .answered
        case .unreachable(let message, _): self = .unreachable(message: message)
        case .refused(let message): self = .refused(message: message)
        case .locked, nil: self = .nothing
        }
    }

    /// What the call of an item says of its account in the light of this.
    ///
    /// - Parameter outcome: what it says by itself.
    /// - Returns: `reached` where the item alone is concerned.
    func verdict(on outcome: DomainMonitor.Outcome) -> DomainMonitor.Outcome {
        switch (self, outcome) {
        case (.answered, _): .reached
        // Two calls agree.
        case (.unreachable(let message), _): .unreachable(message: message, isSlow: true)
        case (.refused(let message), _): .refused(message: message)
        case (.nothing, .unreachable(let message, _)): .unreachable(message: message, isSlow: true)
        case (.nothing, _): outcome
        }
    }
}
