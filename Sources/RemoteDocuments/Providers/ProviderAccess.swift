package import DocentInterfaces
package import ExtensionHosting
import ExtensionManifest
package import HostCore
import Rights
import Transfers
package import Varlink

/// Calls the providers of accounts: signs in where needed, reports the outcome of each call to ``DomainMonitor``, and
/// fails immediately where an offline account cannot answer.
package struct ProviderAccess: Sendable {
    package let registry: ProviderRegistry
    package let supervisor: ExtensionSupervisor
    package let monitor: DomainMonitor
    /// Which secret each domain was signed in with.
    package let signIns: SignIns
    /// The space of the domains.
    package let spaces = AccountSpaces()
    /// Running lookups of top folders.
    private let looks = SharedCalls<DomainKey, TopFolderAnswer>()

    package init(
        registry: ProviderRegistry, supervisor: ExtensionSupervisor, monitor: DomainMonitor,
        signIns: SignIns
    ) {
        self.registry = registry
        self.supervisor = supervisor
        self.monitor = monitor
        self.signIns = signIns
    }

    // MARK: Calling

    /// Calls a method of a provider.
    ///
    /// - Parameters:
    ///   - isForced: asks even an offline account, instead of failing immediately.
    ///   - descriptors: called for each attempt: a call is repeated once after signing in again.
    /// - Throws: ``Failure``; its `providerCode` is the provider's own code.
    package func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, provider: String, domain: String,
        isForced: Bool = false, descriptors: () throws -> DescriptorList = { DescriptorList() }
    ) async throws -> Method.Reply {
        try await callFully(
            method, parameters, provider: provider, domain: domain, isForced: isForced, descriptors: descriptors
        ).reply.value
    }

    /// The same, with the returned descriptors and the connection that was used.
    package func callFully<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, provider: String, domain: String,
        isForced: Bool = false, descriptors: () throws -> DescriptorList = { DescriptorList() }
    ) async throws -> (reply: Reply<Method.Reply>, connection: ExtensionConnection) {
        try await perform(provider, domain, isForced) { connection, _ in
            (try await connection.call(method, parameters, descriptors: try descriptors()), connection)
        }
    }

    /// Calls a method that reports progress, which extends its deadline.
    ///
    /// - Parameter progress: receives each reply as it arrives, including the last one.
    package func callWithProgress<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, provider: String, domain: String,
        isForced: Bool = false, descriptors: () throws -> DescriptorList = { DescriptorList() },
        _ progress: (Method.Reply) -> Void = { _ in }
    ) async throws -> Method.Reply {
        try await perform(provider, domain, isForced) { connection, call in
            try await connection.callWithProgress(method, parameters, descriptors: try descriptors()) { reply in
                call.hasGained = call.hasGained || ProgressBytes.hasGained(reply, parameters)
                progress(reply)
            }.value
        }
    }

    /// The features that a provider declared. Starts its process.
    package func features(_ provider: String) async throws -> Set<String> {
        let known = try await registry.usable(provider)
        return try await supervisor.connection(known, .fileProvider).features
    }

    /// Why a provider cannot be asked now: it is not installed, not enabled, or broken. Nil when it can.
    ///
    /// - Returns: `Unavailable` with the reason, whatever the original code: it says nothing about a document (HAZARDS:
    ///   unreachable is not deleted), and waiting changes keep waiting.
    package func obstacle(_ provider: String) async -> Failure? {
        do {
            _ = try await registry.usable(provider)
            return nil
        } catch let failure as Failure {
            return Failure(.unavailable, failure.message, suggestion: failure.suggestion, provider: provider)
        } catch {
            return Failure(.unavailable, "The installed providers cannot be read: \(error)", provider: provider)
        }
    }

    // MARK: Signing in

    /// Signs a domain in now, after reading its credential again.
    ///
    /// - Returns: the account name that the service shows.
    @discardableResult
    package func signIn(_ provider: String, _ domain: String) async throws -> String? {
        let (known, account) = try await account(provider, domain)
        guard let account else { return nil }
        return try await observe(known.identifier, domain) { _ in
            let connection = try await supervisor.connection(known, .fileProvider)
            guard connection.features.contains("signIn") else {
                throw Failure(
                    .notSupported, "\(known.identifier) takes no credential.",
                    suggestion: "Add the domain without one.", provider: known.identifier)
            }
            return try await signIns.signIn(account, connection)
        }
    }

    /// Forgets the state of a domain: its settings or its credential have changed, or it is gone.
    package func forget(_ domain: DomainKey) async {
        await signIns.forget(domain)
        await spaces.forget(domain)
        monitor.reset(domain.provider, domain.domain)
    }

    // MARK: The path of each call

    /// What is recorded during a call.
    private final class Call {
        var hasGained = false
        /// Whether the domain was signed in when the call failed: then only one item may be affected.
        var concernsItem = false
    }

    private func account(_ provider: String, _ domain: String) async throws -> (KnownProvider, ProviderDomain?) {
        let known = try await registry.usable(provider)
        // Checked before anything that was learned about the domain is used.
        try monitor.closed.require(DomainKey(provider: known.identifier, domain: domain))
        let account = known.domains.first { $0.identifier == domain }
        guard account != nil || domain.isEmpty else {
            throw Failure(
                .notFound, "\(known.identifier) has no domain \"\(domain)\".",
                suggestion: "`docent domains` lists them.", provider: known.identifier)
        }
        return (known, account)
    }

    private func perform<Result>(
        _ provider: String, _ domain: String, _ isForced: Bool,
        _ body: (ExtensionConnection, Call) async throws -> Result
    ) async throws -> Result {
        let (known, account) = try await account(provider, domain)
        try monitor.admit(known.identifier, domain, isForced: try await isFree(known, account, isForced))
        return try await observe(known.identifier, domain) { call in
            let connection = try await supervisor.connection(known, .fileProvider)
            guard let account, account.credential != nil, connection.features.contains("signIn") else {
                call.concernsItem = true
                return try await body(connection, call)
            }
            let generation = try await signIns.ensure(account, connection)
            do {
                call.concernsItem = true
                return try await body(connection, call)
            } catch let failure as Failure {
                guard failure.asksForSignIn, !call.hasGained else { throw failure }
                call.concernsItem = false
                try await signIns.renew(account, connection, after: generation)
                call.concernsItem = true
                return try await body(connection, call)
            }
        }
    }

    // A password file with a new password is tried at once.
    private func isFree(_ known: KnownProvider, _ account: ProviderDomain?, _ isForced: Bool) async throws -> Bool {
        guard !isForced, let account,
            case .notAuthenticated = monitor.state(known.identifier, account.identifier)
        else { return isForced }
        return await signIns.hasNewSecret(account)
    }

    private func observe<Result>(
        _ provider: String, _ domain: String, _ body: (Call) async throws -> Result
    ) async throws -> Result {
        let call = Call()
        let begun = ContinuousClock.now
        do {
            let result = try await body(call)
            monitor.note(.reached, provider, domain)
            return result
        } catch let locked as LockedCredential {
            monitor.note(.locked(message: locked.failure.message), provider, domain)
            throw locked.failure
        } catch {
            var failure = FailureMapping.failure(error)
            if failure.asksForSignIn {
                failure.suggestion = SignInWords.suggestion(
                    DomainKey(provider: provider, domain: domain), after: failure.suggestion)
            }
            guard var outcome = Self.outcome(failure, hasGained: call.hasGained, took: .now - begun) else {
                throw failure
            }
            let isClosed = monitor.closed.state(DomainKey(provider: provider, domain: domain)) != nil
            if call.concernsItem, outcome.mayConcernItemAlone, !isClosed {
                outcome = await lookAtTopFolder(provider, domain).verdict(on: outcome)
                if case .reached = outcome, failure.reach == .unreachable {
                    failure.suggestion = Self.itemSuggestion
                }
            }
            monitor.note(outcome, provider, domain)
            throw failure
        }
    }

    /// The suggestion for an item that fails although its service answers.
    static let itemSuggestion =
        "The service answers other requests: only this item is affected. Try again later, or ask whoever runs it."

    /// How long an item's failure waits for the lookup of its top folder.
    private static let lookPatience: Duration = .seconds(5)

    // One lookup serves all items that fail at the same time.
    private func lookAtTopFolder(_ provider: String, _ domain: String) async -> TopFolderAnswer {
        let (registry, supervisor) = (registry, supervisor)
        let answer = try? await looks.value(
            for: DomainKey(provider: provider, domain: domain), patience: Self.lookPatience
        ) {
            let connection = try await supervisor.connection(try await registry.usable(provider), .fileProvider)
            do {
                _ = try await connection.call(
                    FileProviderInterface.Children.self, .init(domain: domain, parent: ".root", page: nil))
                return .answered
            } catch {
                return TopFolderAnswer(FailureMapping.failure(error))
            }
        }
        return answer ?? .nothing
    }

    /// What a failure shows about the account; nil for nothing.
    static func outcome(_ failure: Failure, hasGained: Bool, took: Duration) -> DomainMonitor.Outcome? {
        if failure.asksForSignIn { return .refused(message: failure.message) }
        switch failure.reach {
        case .reached: return .reached
        // A connection that was cut after it delivered something did reach the service.
        case .unreachable where hasGained: return nil
        case .unreachable: return .unreachable(message: failure.message, isSlow: took > .seconds(2))
        case .unknown: return nil
        }
    }
}
