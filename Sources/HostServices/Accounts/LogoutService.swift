package import Access
package import DocentInterfaces
import ExtensionHosting
import ExtensionManifest
import FoundationEssentials
package import HostCore
package import Logging
import Records
package import RemoteDocuments
import Rights
package import Saving
package import Storage
import Transfers

/// Signs domains out (O7, E8). The order of steps leaves a domain after a kill either unchanged or closed, and the next
/// daemon completes the logout.
///
/// 1. Waiting changes are sent, as far as possible.
/// 2. The logout is recorded; from here on the domain is closed.
/// 3. Unsent changes are kept as versions, or discarded.
/// 4. The credential is deleted.
/// 5. Copies, placeholders and everything known of the items are removed.
/// 6. The end is recorded.
///
/// Kept versions, rights and bookmarks stay.
package struct LogoutService: Sendable {
    /// The default time for sending waiting changes, in seconds.
    static let standardTimeout = 60.0

    let domains: DomainService
    private let access: AccessControl
    private let writes: WriteService
    private let keeper: CredentialKeeper
    private let turns: SignInTurns
    private let crash: SignInCrashPoint
    private let logger: Logger
    private let clock: any HostClock
    private var closed: ClosedDomains { domains.access.monitor.closed }

    package init(
        domains: DomainService, access: AccessControl, writes: WriteService, keeper: CredentialKeeper,
        turns: SignInTurns, crash: @escaping SignInCrashPoint, logger: Logger, clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.domains = domains
        self.access = access
        self.writes = writes
        self.keeper = keeper
        self.turns = turns
        self.crash = crash
        self.logger = logger
    }

    /// The result of a logout.
    package struct Outcome: Sendable {
        package var domain: Wire.Domain
        package var kept: [Wire.Version]
        package var discarded: Int
        package var openDescriptors: Int
        /// Sentences on where the credential remains; nil if it was deleted.
        package var left: String?
        /// Where items are that were deleted and stay at the service, because it could not be asked to delete them.
        package var undeleted: [String] = []
    }

    // MARK: The logout

    /// Signs a domain out; complete when it returns.
    ///
    /// - Parameters:
    ///   - discards: discard changes that could not be sent, instead of keeping them.
    ///   - timeout: how long to send waiting changes, in seconds.
    ///   - leavesSecret: continue even if the credential cannot be deleted because its keyring cannot be opened.
    ///   - tell: called with the stage and, while sending, the number of changes left.
    /// - Throws: ``Failure``: `NotFound`; `Conflict` while the domain is being signed in or out; `Unavailable` if the
    ///   credential could not be deleted: the domain is closed then, and the logout continues once the keyring is
    ///   unlocked.
    package func logout(
        _ name: String, _ domain: String, discards: Bool, timeout: Double?, leavesSecret: Bool = false,
        tell: @escaping @Sendable (String, Int?) async throws -> Void
    ) async throws -> Outcome {
        let key = DomainKey(provider: try await domains.registry.provider(name).identifier, domain: domain)
        let row = try await row(key)
        return try await turns.run(key, "signed out") {
            if row.signOut == nil {
                try await drain(key, timeout ?? Self.standardTimeout, tell)
                // They could be taken back; but nobody can do that, or carry them out, once it is signed out.
                await domains.deletions.finishAll(of: key)
            }
            crash(.drained)
            let (stages, continuation) = AsyncStream.makeStream(of: String.self)
            // The logout is decided from here on and does not stop half-way if the caller disconnects.
            let work = Task {
                defer { continuation.finish() }
                let before = Set(try await versions(key).map(\.identifier))
                let open = try await close(row, key, discards)
                var outcome = try await carryOut(key, asking: true, leaving: leavesSecret) { continuation.yield($0) }
                outcome.openDescriptors = open
                outcome.kept.removeAll { before.contains($0.identifier) }
                return outcome
            }
            for await stage in stages { try? await tell(stage, nil) }
            return try await work.value
        }
    }

    private func versions(_ key: DomainKey) async throws -> [Wire.Version] {
        try await domains.remote.versions(
            location: nil, includingSuperseded: false, isUnresolved: false
        ).filter { DomainKey($0.reference.key) == key }
    }

    private func row(_ key: DomainKey) async throws -> ProviderDomain {
        let provider = try await domains.registry.provider(key.provider)
        let row = provider.domains.first { $0.identifier == key.domain }
        if let row, row.credential != nil || row.signOut != nil { return row }
        guard row != nil || key.domain.isEmpty else {
            throw Failure(
                .notFound, "\(key.provider) has no domain \"\(key.domain)\".",
                suggestion: "`docent domains` lists them.", provider: key.provider)
        }
        guard try await domains.access.features(key.provider).contains("signIn") else {
            throw Failure(
                .notSupported, "\(key.provider) takes no credential: there is nothing to sign out of.",
                suggestion: "docent domains remove", provider: key.provider)
        }
        return row
            ?? ProviderDomain(
                provider: key.provider, identifier: "", displayName: provider.description.displayName)
    }

    private func drain(
        _ key: DomainKey, _ seconds: Double, _ tell: (String, Int?) async throws -> Void
    ) async throws {
        let monitor = domains.access.monitor
        let deadline = clock.now + .seconds(min(max(seconds, 0), 86_400))
        monitor.probeNow { $0 == key }
        await domains.queue.retry { $0.key.account == key && $0.key.kind == .upload && $0.state != .failed }
        var last: Int?
        var stuckSince: ContinuousClock.Instant?
        while true {
            let left = try await domains.journal.unsent(provider: key.provider, domain: key.domain)
                .count { $0.state != .failed }
            guard left > 0, deadline > clock.now else { return }
            if left != last { try await tell("uploading", left) }
            last = left
            if monitor.state(key.provider, key.domain).waitsForSomebody {
                let since = stuckSince ?? clock.now
                stuckSince = since
                if clock.now - since > .seconds(3) { return }
            } else {
                stuckSince = nil
            }
            try await clock.sleep(for: .milliseconds(100))
        }
    }

    // Closes the domain to new accesses, then ends the current ones.
    private func close(_ known: ProviderDomain, _ key: DomainKey, _ discards: Bool) async throws -> Int {
        try await turns.commit(key) {
            // A token refresh may have changed the record in the meantime.
            let rows = try await domains.consents.domains(of: key.provider)
            var row = rows.first { $0.identifier == key.domain } ?? known
            let before = closed.state(key)
            row.signOut = discards ? .discarding : .signingOut
            closed.close(key, .signingOut)
            do {
                try await domains.consents.setDomain(row)
            } catch {
                if before == nil { closed.open(key) }
                throw error
            }
        }
        crash(.signingOutRecorded)
        domains.access.monitor.closingChanged()
        let leases = domains.changes.domainClosed(key)
        access.endWaitsInClosed()
        await writes.rightsEnded(nil, in: domains.changes.living, of: key)
        return leases
    }

    // MARK: The remaining steps

    /// Continues logouts that an earlier daemon began or that a locked keyring interrupted. Domains whose logout still
    /// cannot be completed stay closed. Never prompts to unlock a keyring.
    package func goOn() async {
        for row in (try? await domains.consents.domains()) ?? [] where row.signOut != nil {
            let key = DomainKey(provider: row.provider, domain: row.identifier)
            do {
                try await turns.run(key, "signed out") {
                    if row.signOut == .signedOut { return try await clearLate(key) }
                    _ = try await carryOut(key, asking: false) { _ in }
                }
            } catch {
                logger.notice(
                    "a domain has not been signed out yet",
                    metadata: [
                        "domain": "\(key.name)", "why": "\(FailureMapping.failure(error).message)",
                    ])
            }
        }
    }

    // A save may have been past its commit point when the domain was closed.
    private func clearLate(_ key: DomainKey) async throws {
        guard try await !domains.journal.unsent(provider: key.provider, domain: key.domain).isEmpty else { return }
        _ = try await domains.remote.settleUnsent(of: key, discards: false)
        try await domains.remote.removeCopies(of: key)
    }

    // Every step can be repeated.
    private func carryOut(
        _ key: DomainKey, asking: Bool, leaving: Bool = false, _ tell: (String) -> Void
    ) async throws -> Outcome {
        let row = try await domains.consents.domains(of: key.provider).first { $0.identifier == key.domain }
        guard let row, let signOut = row.signOut else { throw Failure(.notFound, "The domain was removed meanwhile.") }
        tell("keeping")
        await domains.queue.cancelAll(SignInWords.refusal(key, .signingOut)) { $0.key.account == key }
        let discarded = try await domains.remote.settleUnsent(of: key, discards: signOut == .discarding)
        let kept = try await versions(key)
        let undeleted = try await domains.deletions.abandon(key)
        crash(.unsentSettled)
        tell("deletingCredential")
        let (locked, left) = await deleteCredential(key, asking: asking, leaving: leaving)
        closed.setObstacle(locked?.message, to: key)
        if locked == nil { crash(.credentialDeleted) }
        await forgetInExtension(key)
        tell("removingCopies")
        try await domains.remote.removeCopies(of: key)
        crash(.copiesRemoved)
        if let locked { throw locked }
        try await record(key)
        crash(.signedOutRecorded)
        return Outcome(
            domain: try await domains.domain(key), kept: kept, discarded: discarded, openDescriptors: 0, left: left,
            undeleted: undeleted)
    }

    // A locked keyring does not stop the removal of the copies.
    private func deleteCredential(
        _ key: DomainKey, asking: Bool, leaving: Bool
    ) async -> (failure: Failure?, left: String?) {
        do {
            let left = try await turns.commit(key) {
                let row = try await domains.consents.domains(of: key.provider).first { $0.identifier == key.domain }
                return try await keeper.deleteAll(row?.credential, of: key, asking: asking, leaving: leaving)
            }
            return (nil, left)
        } catch let locked as LockedCredential {
            let failure = Failure(
                .unavailable,
                "\(key.name) is closed, but its credential has not been deleted yet: \(locked.failure.message)",
                suggestion:
                    "Unlock the keyring: the sign-out then finishes by itself. If the keyring is gone, repeat it with "
                    + "--leave-secret: the sign-out is finished, and you are told where the credential remains.",
                provider: key.provider)
            return (failure, nil)
        } catch {
            return (FailureMapping.failure(error), nil)
        }
    }

    private func forgetInExtension(_ key: DomainKey) async {
        await domains.access.forget(key)
        guard let connection = await domains.supervisor.running(key.provider), connection.features.contains("signIn")
        else { return }
        do {
            _ = try await connection.call(FileProviderInterface.SignOut.self, .init(domain: key.domain))
        } catch {
            // The process still knows the secret, so it is stopped.
            guard error.code != .notFound else { return }
            await domains.supervisor.stop(key.provider)
        }
    }

    private func record(_ key: DomainKey) async throws {
        try await turns.commit(key) {
            let row = try await domains.consents.domains(of: key.provider).first { $0.identifier == key.domain }
            guard var row else { return }
            row.signOut = .signedOut
            row.credential = nil
            try await domains.consents.setDomain(row)
            closed.close(key, .signedOut)
        }
        domains.access.monitor.closingChanged()
        try? await domains.tell(key, isFolder: false)
    }
}
