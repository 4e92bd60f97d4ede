import DocentInterfaces
import Testing

@testable import ExtensionHosting
@testable import RemoteDocuments

/// What the failure of one item means for its account (HAZARDS 3).
@Suite struct TopFolderAnswerTests {
    private static let gone = DomainMonitor.Outcome.unreachable(message: "500", isSlow: false)
    private static let refused = DomainMonitor.Outcome.refused(message: "401")

    private static func name(_ outcome: DomainMonitor.Outcome) -> String {
        switch outcome {
        case .reached: "reached"
        case .unreachable(let message, let isSlow): "unreachable \(message)\(isSlow ? " at once" : "")"
        case .refused(let message): "refused \(message)"
        case .locked: "locked"
        }
    }

    @Test(
        "one bad document does not take the account offline: its top folder decides",
        arguments: [
            (.answered, gone, "reached"), (.unreachable(message: "cut"), gone, "unreachable cut at once"),
            (.refused(message: "no"), gone, "refused no"), (.nothing, gone, "unreachable 500 at once"),
            (.nothing, refused, "refused 401"),
        ] as [(TopFolderAnswer, DomainMonitor.Outcome, String)])
    func verdicts(_ answer: TopFolderAnswer, _ outcome: DomainMonitor.Outcome, _ expected: String) {
        #expect(Self.name(answer.verdict(on: outcome)) == expected)
    }

    @Test("only failures that may concern one item lead to a look at the top folder; a refused credential does not")
    func looks() {
        #expect(Self.gone.mayConcernItemAlone && !Self.refused.mayConcernItemAlone)
        #expect(!DomainMonitor.Outcome.reached.mayConcernItemAlone)
        #expect(!DomainMonitor.Outcome.locked(message: "").mayConcernItemAlone)
    }

    @Test(
        "a service that refuses its top folder, or is busy, counts as reached",
        arguments: [
            (.noSuchItem, .answered), (.notPermitted, .answered), (.busy, .answered),
            (.serverUnreachable, .unreachable(message: "text")), (.notAuthenticated, .refused(message: "text")),
            (.failed, .nothing),
        ] as [(FailureCode, TopFolderAnswer)])
    func answers(_ code: FailureCode, _ expected: TopFolderAnswer) {
        let failure = ProviderFailures.translate(Failure(code, "text"), provider: "p")
        #expect(TopFolderAnswer(failure) == expected)
    }
}
