import FileProvider
import FoundationEssentials
import HTTPTransport
import Synchronization

/// The tokens of one sign-in. Renews the access token a little before it expires, and when the server takes it no
/// longer; whoever needs one meanwhile waits for the same renewal. A refresh token that came instead of another is
/// saved before it is used in its turn. Thread-safe.
final class OAuthSession: Sendable {
    private struct State {
        var credential: OAuthCredential
        /// Refresh tokens that these came from, the last few: another instance of the domain finds this session by
        /// them.
        var ancestors: [String] = []
        var work: Task<Void, any Error>?
        /// Came, and could not be saved yet.
        var isUnsaved = false
        /// Whether the server has taken the access token before: what it never took, another will not better.
        var wasTaken = true
        /// Why there will be no other tokens.
        var end: FileProviderError?
        /// When it is tried again after it failed, while the access token is still good; seconds since 1970.
        var notBefore = 0.0
    }

    private let client: OAuthClient
    private let save: @Sendable (Credential) async throws -> Void
    private let now: @Sendable () -> Double
    private let state: Mutex<State>

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - save: keeps a credential in place of the one before, durably. `notAuthenticated` ends the session. It is
    ///     also called with what is kept already, before a renewal.
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

    /// What it consists of now.
    var credential: OAuthCredential { state.withLock { $0.credential } }

    /// Whether a credential is this session's, or one that it came from.
    func descends(from credential: OAuthCredential) -> Bool {
        guard let refresh = credential.refresh else { return false }
        return state.withLock { state in
            state.credential.tokenEndpoint == credential.tokenEndpoint && state.credential.client == credential.client
                && (state.credential.refresh == refresh || state.ancestors.contains(refresh)) && state.end == nil
        }
    }

    /// A token to show to the server.
    ///
    /// - Throws: `FileProviderError`: `notAuthenticated` when a person has to sign in again, `serverUnreachable` while
    ///   the identity server does not answer; what `save` throws, when there is no token that is good without it.
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
            ?? FileProviderError(.serverUnreachable, "The identity server gives tokens that have expired already.")
    }

    /// A token in place of one that the server does not take; nil if there is none that it could like better.
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

    /// The server took a token.
    func wasTaken(_ token: String) {
        state.withLock { if $0.credential.access == token { $0.wasTaken = true } }
    }

    /// Another sign-in has taken the place of this one: nothing of it is saved any more.
    func retire() {
        state.withLock {
            $0.end = $0.end ?? FileProviderError(.notAuthenticated, "Somebody has signed in anew. Try again.")
        }
    }

    private func renew(_ old: OAuthCredential) async throws {
        let task: Task<Void, any Error>? = state.withLock { state in
            if let work = state.work { return work }
            guard state.credential == old else { return nil }
            // Its own task: one who gives up must not cut short what others wait for, nor lose tokens that are on their
            // way.
            let task = Task { try await self.run(old) }
            state.work = task
            return task
        }
        try await task?.value
    }

    private func run(_ old: OAuthCredential) async throws {
        defer { state.withLock { $0.work = nil } }
        do {
            // Whether anything can be saved is found out before the old refresh token is used up.
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
            // A host that keeps nothing: it is kept in memory, as long as that lasts.
        }
        state.withLock { state in
            if state.credential == fresh { state.isUnsaved = false }
        }
    }
}
