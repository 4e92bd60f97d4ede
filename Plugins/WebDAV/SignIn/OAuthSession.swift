import FileProvider
import FoundationEssentials
import HTTPTransport
import Synchronization

/// The tokens of one sign-in. Renews the access token shortly before it expires, and when the server no longer accepts
/// it. Tasks that need a token meanwhile wait for the same renewal. A new refresh token is saved before it is used.
/// Thread-safe.
final class OAuthSession: Sendable {
    private struct State {
        var credential: OAuthCredential
        /// The last few refresh tokens before this one. Another instance of the domain finds this session by them.
        var ancestors: [String] = []
        var work: Task<Void, any Error>?
        /// The tokens are new and not saved yet.
        var isUnsaved = false
        /// Whether the server has accepted the current access token. If it never did, a new one will not help.
        var wasTaken = true
        /// Why no more tokens can be had.
        var end: FileProviderError?
        /// When to try again after a failure, while the access token is still valid; in seconds since 1970.
        var notBefore = 0.0
    }

    private let client: OAuthClient
    private let save: @Sendable (Credential) async throws -> Void
    private let now: @Sendable () -> Double
    private let state: Mutex<State>

    /// - Parameters:
    ///   - now: The current time in seconds since 1970.
    ///   - save: Durably replaces the stored credential. `notAuthenticated` ends the session. Before a renewal it is
    ///     also called with the credential that is already stored.
    init(
        _ credential: OAuthCredential, _ client: OAuthClient,
        now: @escaping @Sendable () -> Double = OAuthSession.clock,
        save: @escaping @Sendable (Credential) async throws -> Void
    ) {
        self.client = client
        self.save = save
        self.now = now
        state = Mutex(State(credential: credential))
    }

    static let clock: @Sendable () -> Double = { Date.now.timeIntervalSince1970 }

    var credential: OAuthCredential { state.withLock { $0.credential } }

    /// Whether a credential is this session's current one or an earlier one.
    func descends(from credential: OAuthCredential) -> Bool {
        guard let refresh = credential.refresh else { return false }
        return state.withLock { state in
            state.credential.tokenEndpoint == credential.tokenEndpoint && state.credential.client == credential.client
                && (state.credential.refresh == refresh || state.ancestors.contains(refresh)) && state.end == nil
        }
    }

    /// A token for the server.
    ///
    /// - Throws: `FileProviderError`: `notAuthenticated` when the user has to sign in again, `serverUnreachable` when
    ///   the identity server does not answer; errors of `save`, when no valid token is left.
    func token() async throws -> String {
        var failure: (any Error)?
        for _ in 0..<3 {
            let time = now()
            let (credential, isGood) = try state.withLock { state in
                if let end = state.end { throw end }
                let isExpired = (state.credential.expires ?? .infinity) <= time
                let isDue =
                    state.isUnsaved
                    || (state.credential.refresh != nil && (state.credential.renewal ?? .infinity) <= time)
                if isExpired, let failure { throw failure }
                return (state.credential, !isExpired && (!isDue || state.notBefore > time))
            }
            if isGood { return credential.access }
            do {
                try await renew(credential)
            } catch {
                try Task.checkCancellation()
                failure = error
                state.withLock { $0.notBefore = time + 10 }
            }
        }
        throw failure
            ?? FileProviderError(.serverUnreachable, "The identity server issues tokens that have already expired.")
    }

    /// A token to replace one that the server refused; nil if no other token can help.
    func token(insteadOf rejected: String) async throws -> String? {
        for _ in 0..<3 {
            let (credential, isWorthIt) = try state.withLock { state in
                if let end = state.end { throw end }
                return (state.credential, state.wasTaken && state.credential.refresh != nil)
            }
            guard credential.access == rejected else { return try await token() }
            guard isWorthIt else { return nil }
            do {
                try await renew(credential)
            } catch {
                let isRenewed = state.withLock { state in
                    state.notBefore = now() + 10
                    return state.end == nil && state.credential.access != rejected
                }
                guard isRenewed else { throw error }
            }
        }
        return nil
    }

    /// Records that the server accepted a token.
    func wasTaken(_ token: String) {
        state.withLock { if $0.credential.access == token { $0.wasTaken = true } }
    }

    /// Ends the session because another sign-in replaced it. Nothing of it is saved any more.
    func retire() {
        state.withLock {
            $0.end = $0.end ?? FileProviderError(.notAuthenticated, "Somebody has signed in again. Try again.")
        }
    }

    private func renew(_ old: OAuthCredential) async throws {
        let task: Task<Void, any Error>? = state.withLock { state in
            if let work = state.work { return work }
            guard state.credential == old else { return nil }
            // In a task of its own: a cancelled caller must not interrupt a renewal for which others wait, or lose
            // tokens that are on their way.
            let task = Task { try await self.run(old) }
            state.work = task
            return task
        }
        try await task?.value
    }

    private func run(_ old: OAuthCredential) async throws {
        defer { state.withLock { $0.work = nil } }
        do {
            // Checks that saving works before the old refresh token is used up.
            let isUnsaved = state.withLock { $0.isUnsaved }
            try await keep(old)
            guard !isUnsaved else { return }
            let fresh = try await ask(old)
            state.withLock { state in
                if let refresh = state.credential.refresh { state.ancestors = [refresh] + state.ancestors.prefix(7) }
                state.credential = fresh
                state.isUnsaved = true
                state.wasTaken = false
                state.notBefore = 0
            }
            try await keep(fresh)
        } catch let error as FileProviderError where error.code == .notAuthenticated {
            state.withLock { $0.end = error }
            throw error
        }
    }

    private func ask(_ old: OAuthCredential) async throws -> OAuthCredential {
        guard let refresh = old.refresh else {
            throw FileProviderError(.notAuthenticated, "The sign-in has expired. Sign in again.")
        }
        let reply = try await client.post(
            [("grant_type", "refresh_token"), ("refresh_token", refresh)], to: old.tokenEndpoint, as: old.identity)
        return old.replacing(with: try OAuthTokens(reply), now: now())
    }

    private func keep(_ fresh: OAuthCredential) async throws {
        if let end = state.withLock({ $0.end }) { throw end }
        do {
            try await save(fresh.credential())
        } catch let error as FileProviderError where error.code == .notSupported {
            // The host stores no credentials, so the tokens stay in memory only.
        }
        state.withLock { state in
            if state.credential == fresh { state.isUnsaved = false }
        }
    }
}
