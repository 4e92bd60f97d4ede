import DocentInterfaces
import ExtensionHosting
import HostCore
import Testing
import Transfers

@testable import RemoteDocuments

/// What every failure means to each part of the host that decides by it. A row is changed only together with the
/// decision itself.
@Suite struct FailureDecisionTests {
    /// A decision that is yes or no.
    enum Decision {
        /// The same call may succeed later.
        case later
        /// A saved change waits for the provider.
        case waits
        /// The call is repeated at once.
        case atOnce
        /// A package is sent in parts.
        case inParts
        /// A move or deletion was not carried out.
        case nothingDone
        /// Signing in may help.
        case signIn
    }

    /// What is learned about the account.
    enum Account { case reached, unreachable, refused, nothing }

    /// What happens to a transfer.
    enum Next { case again, pause, fail }

    struct Row: Sendable {
        let failure: Failure
        let kind: ProviderFailureKind
        let decisions: Set<Decision>
        let account: Account
        let existence: Existence
        let verdict: UploadVerdict
        let unattended: Next
        let awaited: Next

        init(
            _ failure: Failure, _ kind: ProviderFailureKind, _ decisions: Set<Decision>, _ account: Account,
            _ existence: Existence, _ verdict: UploadVerdict, _ unattended: Next, _ awaited: Next
        ) {
            self.failure = failure
            self.kind = kind
            self.decisions = decisions
            self.account = account
            self.existence = existence
            self.verdict = verdict
            self.unattended = unattended
            self.awaited = awaited
        }
    }

    private static func provider(_ code: FailureCode, isDeadlock: Bool = false) -> Failure {
        let cause = Wire.ErrorDetail(
            domain: ProviderErrorNumber.domain, code: ProviderErrorNumber.deadlock, message: "the cycle")
        return ProviderFailures.translate(Failure(code, "text", causes: isDeadlock ? [cause] : []), provider: "p")
    }

    private static func host(_ code: FailureCode, as provider: FailureCode? = nil) -> Failure {
        var failure = Failure(code, "text")
        failure.providerCode = provider
        return failure
    }

    /// What a provider reports, translated as by a call.
    static let ofProviders: [Row] = [
        Row(provider(.noSuchItem), .missing, [.inParts, .nothingDone], .reached, .missing, .gone, .fail, .fail),
        Row(
            provider(.notAuthenticated), .notAuthenticated, [.later, .waits, .nothingDone, .signIn], .refused, .unknown,
            .retry, .pause, .fail),
        Row(
            provider(.serverUnreachable), .unreachable, [.later, .waits, .atOnce], .unreachable, .unknown, .retry,
            .again, .again),
        Row(provider(.busy), .busy, [.later, .waits, .atOnce], .reached, .unknown, .retry, .again, .again),
        Row(provider(.collision), .taken, [.inParts, .nothingDone], .reached, .unknown, .lasting, .fail, .fail),
        Row(
            provider(.versionOutOfDate), .outdated, [.inParts, .nothingDone], .reached, .unknown, .conflict, .fail,
            .fail),
        Row(provider(.insufficientQuota), .full, [.nothingDone], .reached, .unknown, .lasting, .fail, .fail),
        Row(provider(.anchorExpired), .expired, [.later], .reached, .unknown, .retry, .again, .fail),
        Row(
            provider(.notSupported), .unsupported, [.inParts, .nothingDone], .nothing, .unknown, .lasting, .fail, .fail),
        Row(provider(.notPermitted), .forbidden, [.nothingDone], .reached, .refused, .lasting, .fail, .fail),
        Row(provider(.invalidArgument), .invalid, [.nothingDone], .nothing, .refused, .lasting, .fail, .fail),
        Row(provider(.failed), .failed, [], .nothing, .unknown, .lasting, .fail, .fail),
    ]

    /// What the host itself reports.
    static let ofHost: [Row] = [
        Row(host(.notFound), .unknownItem, [], .nothing, .unknown, .gone, .fail, .fail),
        Row(host(.notPermitted), .forbidden, [.nothingDone], .nothing, .refused, .lasting, .fail, .fail),
        Row(
            host(.notAuthenticated), .notAuthenticated, [.later, .waits, .signIn], .refused, .unknown, .retry, .pause,
            .fail),
        Row(host(.unavailable), .unavailable, [.later, .waits, .atOnce], .nothing, .unknown, .retry, .again, .again),
        Row(host(.conflict), .conflicting, [.inParts], .nothing, .unknown, .lasting, .fail, .fail),
        Row(host(.cancelled), .cancelled, [.later, .waits], .nothing, .refused, .retry, .again, .again),
        Row(host(.deadlineExceeded), .silent, [.later, .waits], .nothing, .unknown, .retry, .again, .fail),
        Row(host(.invalidArgument), .invalid, [.nothingDone], .nothing, .refused, .lasting, .fail, .fail),
        Row(host(.noSpace), .failed, [], .nothing, .unknown, .lasting, .fail, .fail),
        Row(host(.notSupported), .unsupported, [.inParts, .nothingDone], .nothing, .unknown, .lasting, .fail, .fail),
        Row(host(.providerFailed), .failed, [], .nothing, .unknown, .lasting, .fail, .fail),
        Row(host(.failed), .failed, [], .nothing, .unknown, .lasting, .fail, .fail),
        Row(host(.claimLost), .failed, [], .nothing, .unknown, .lasting, .fail, .fail),
        Row(host(.deadlock), .deadlock, [.later], .nothing, .unknown, .retry, .again, .fail),
        Row(host(.held), .failed, [], .nothing, .unknown, .lasting, .fail, .fail),
    ]

    /// The rest: a claim that would wait for itself, a transfer without progress, codes that providers do not have.
    static let others: [Row] = [
        Row(
            provider(.failed, isDeadlock: true), .deadlock, [.later, .nothingDone], .nothing, .unknown, .retry, .again,
            .fail),
        Row(
            provider(.notAuthenticated, isDeadlock: true), .deadlock, [.later, .nothingDone, .signIn], .refused,
            .unknown, .retry, .again, .fail),
        Row(
            provider(.serverUnreachable, isDeadlock: true), .deadlock, [.later, .atOnce, .nothingDone], .nothing,
            .unknown, .retry, .again, .fail),
        Row(
            host(.unavailable, as: .deadlineExceeded), .silent, [.later, .waits, .atOnce], .nothing, .unknown, .retry,
            .again, .fail),
        Row(
            provider(.unavailable), .unavailable, [.later, .waits], .nothing, .unknown, .retry, .again, .again),
        Row(provider(.notFound), .unknownItem, [], .nothing, .unknown, .gone, .fail, .fail),
        Row(provider(.conflict), .conflicting, [.inParts], .nothing, .unknown, .lasting, .fail, .fail),
        Row(provider(.noSpace), .failed, [], .nothing, .unknown, .lasting, .fail, .fail),
        Row(provider(FailureCode("Moon")), .failed, [], .nothing, .unknown, .lasting, .fail, .fail),
    ]

    @Test("every code has a row")
    func complete() {
        #expect(Self.ofProviders.compactMap(\.failure.providerCode) == FailureCode.ofProviders)
        #expect(Self.ofHost.map(\.failure.code) == FailureCode.ofServices)
    }

    @Test("N9, HAZARDS 2, 3: what each failure means", arguments: ofProviders + ofHost + others)
    func meaning(_ row: Row) {
        let failure = row.failure
        #expect(failure.kind == row.kind)
        #expect(failure.kind.isTransient == row.decisions.contains(.later))
        #expect(failure.leavesSavedChangeWaiting == row.decisions.contains(.waits))
        #expect(failure.mayPassAtOnce == row.decisions.contains(.atOnce))
        #expect(failure.kind.mayPassInParts == row.decisions.contains(.inParts))
        #expect(failure.changedNothing == row.decisions.contains(.nothingDone))
        #expect(failure.asksForSignIn == row.decisions.contains(.signIn))
        #expect(Existence(failure) == row.existence)
        #expect(UploadVerdict(failure, isCreation: false) == row.verdict)
        let ofCreation: UploadVerdict = row.verdict == .gone ? .lasting : row.verdict
        #expect(UploadVerdict(failure, isCreation: true) == ofCreation)
    }

    @Test("HAZARDS 3: what each failure shows about its account", arguments: ofProviders + ofHost + others)
    func account(_ row: Row) {
        let account: Account =
            switch ProviderAccess.outcome(row.failure, hasGained: false, took: .zero) {
            case .reached: .reached
            case .unreachable: .unreachable
            case .refused: .refused
            case .locked, nil: .nothing
            }
        #expect(account == row.account)
    }

    @Test("HAZARDS 2: whether a transfer is tried again", arguments: ofProviders + ofHost + others)
    func transfers(_ row: Row) {
        let attempt = RetryPolicy.Attempt(
            failure: row.failure, failures: 1, hasGained: false, isDomainReady: true, chance: 0.5)
        #expect(Self.next(RetryPolicy().whenUnattended(attempt)) == row.unattended)
        #expect(Self.next(RetryPolicy().whenAwaited(attempt)) == row.awaited)
    }

    private static func next(_ decision: RetryPolicy.Decision) -> Next {
        switch decision {
        case .retry: .again
        case .pause: .pause
        case .fail: .fail
        }
    }
}
