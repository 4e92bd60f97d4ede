import DocentInterfaces

/// Whether a failure of one item concerns the whole account, judged by the service's answer for the account's top
/// folder.
enum TopFolderAnswer: Hashable, Sendable {
    /// It answered, even if only that the folder does not exist or that access is denied.
    case answered
    case unreachable(message: String)
    case refused(message: String)
    /// No answer arrived in time, or the answer does not say anything about the service.
    case nothing

    init(_ failure: Failure) {
        switch ProviderAccess.outcome(failure, hasGained: false, took: .zero) {
        case .reached: self = .answered
        case .unreachable(let message, _): self = .unreachable(message: message)
        case .refused(let message): self = .refused(message: message)
        case .locked, nil: self = .nothing
        }
    }

    /// The outcome for the account, given the outcome of a call for one item.
    ///
    /// - Parameter outcome: the outcome of the item's call by itself.
    /// - Returns: `reached` when only the item is concerned.
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
