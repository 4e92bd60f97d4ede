import DocentInterfaces
import Synchronization

/// The providers of one extension process: one instance for each domain, created on first use.
final class FileProviderService: Sendable {
    private typealias Making = Task<any ReplicatedFileProvider, any Error>

    private struct State {
        /// The second parameter says whether the instance is only used to try a credential.
        var make: (@Sendable (FileProviderDomain, _ isTrial: Bool) throws -> any ReplicatedFileProvider)?
        var forms: [SignInForm] = []
        var domains: [String: FileProviderDomain] = [:]
        var providers: [String: Making] = [:]
        /// The credentials of the domains, in memory only, for instances that are created later.
        var credentials: [String: Credential] = [:]
    }

    let events = EventHub()
    let claims: ClaimHub
    let keychain: KeychainHub
    private let state = Mutex(State())

    init(claims: ClaimHub, keychain: KeychainHub) {
        self.claims = claims
        self.keychain = keychain
    }

    /// Takes the principal class and the domains. A later call adds, replaces and removes domains: the instance of a
    /// changed or removed domain is signed out, and a changed one is created anew with the same credential.
    ///
    /// - Returns: What the class can do.
    func initialize(_ parameters: FileProviderInterface.Initialize.Parameters) throws -> ProviderFeatures {
        let principal = try PrincipalClass(named: parameters.principalClass)
        let events = events
        let (claims, keychain) = (claims, keychain)
        let identifier = parameters.provider
        var features: ProviderFeatures
        var forms: [SignInForm] = []
        let make: @Sendable (FileProviderDomain, Bool) throws -> any ReplicatedFileProvider
        switch principal {
        case .replicated(let type):
            features = type.features
            if features.contains(.signIn) {
                features.insert(.authenticate)
                forms = type.signInForms
            }
            make = { [weak self] domain, isTrial in
                try type.init(
                    domain: domain,
                    host: FileProviderHost(
                        provider: identifier, domain: domain.identifier, events: events, claims: claims,
                        keychain: keychain, isTrial: isTrial
                    ) { self?.replace($0, domain.identifier) })
            }
        case .classic(let type):
            features = ClassicFileProvider.features
            make = {
                ClassicFileProvider(
                    type, identifier: identifier, domain: $0,
                    host: FileProviderHost(
                        provider: identifier, domain: $0.identifier, events: events, claims: claims,
                        keychain: keychain, isTrial: $1))
            }
        case .picker:
            throw FileProviderError(
                .invalidArgument,
                "\(parameters.principalClass ?? "") is a DocumentPickerExtension; "
                    + "com.apple.fileprovider-nonui needs a file provider.")
        }
        let domains = parameters.domains.map(FileProviderDomain.init)
        let obsolete = state.withLock { [forms] state in
            state.make = make
            state.forms = forms
            let known = state.domains
            state.domains = [:]
            for domain in domains { state.domains[domain.identifier] = domain }
            let changed = state.providers.filter { known[$0.key] != state.domains[$0.key] }
            for identifier in changed.keys { state.providers[identifier] = nil }
            state.credentials = state.credentials.filter { state.domains[$0.key] != nil }
            return Array(changed.values)
        }
        for making in obsolete {
            Task { if let provider = try? await making.value { await provider.signOut() } }
        }
        return features
    }

    /// The provider of a domain.
    ///
    /// - Throws: ``FileProviderError`` for a domain that the host has not announced, or what the author's `init`
    ///   throws.
    func provider(_ identifier: String) async throws -> any ReplicatedFileProvider {
        let making = try state.withLock { state in
            if let making = state.providers[identifier] { return making }
            guard let make = state.make else {
                throw FileProviderError(.invalidArgument, "Initialize has not been called.")
            }
            guard let domain = state.domains[identifier] else {
                throw FileProviderError(.invalidArgument, "There is no domain \"\(identifier)\".")
            }
            let credential = state.credentials[identifier]
            let making = Making {
                let provider = try make(domain, false)
                // A failure shows in the next call of the instance.
                if let credential { _ = try? await provider.signIn(credential) }
                return provider
            }
            state.providers[identifier] = making
            return making
        }
        do {
            return try await making.value
        } catch {
            state.withLock { if $0.providers[identifier] == making { $0.providers[identifier] = nil } }
            throw error
        }
    }

    /// The sign-in forms.
    ///
    /// - Throws: ``FileProviderError/Code/notSupported`` if the provider has no sign-in.
    func signInForms() throws -> [SignInForm] {
        let (forms, isReady) = state.withLock { ($0.forms, $0.make != nil) }
        guard isReady else { throw FileProviderError(.invalidArgument, "Initialize has not been called.") }
        guard !forms.isEmpty else { throw FileProviderError(.notSupported, "This provider has no sign-in.") }
        return forms
    }

    /// Creates an instance that the service does not keep.
    func makeTrial(_ domain: FileProviderDomain) throws -> any ReplicatedFileProvider {
        guard let make = state.withLock({ $0.make }) else {
            throw FileProviderError(.invalidArgument, "Initialize has not been called.")
        }
        return try make(domain, true)
    }

    /// Signs a domain in, and remembers the credential unless the service refused it.
    ///
    /// - Returns: The account's display name, if the service has one.
    func signIn(_ credential: Credential, domain: String) async throws -> String? {
        let provider = try await provider(domain)
        do {
            let name = try await provider.signIn(credential)
            remember(credential, domain)
            return name
        } catch let error as FileProviderError {
            if [.serverUnreachable, .busy].contains(error.code) { remember(credential, domain) }
            throw error
        }
    }

    /// Forgets the credential of a domain and signs its instance out.
    func signOut(domain: String) async throws {
        state.withLock { $0.credentials[domain] = nil }
        await (try provider(domain)).signOut()
    }

    // Only for a domain that is signed in: the answer may arrive after it was signed out.
    private func replace(_ credential: Credential, _ domain: String) {
        state.withLock { if $0.credentials[domain] != nil { $0.credentials[domain] = credential } }
    }

    private func remember(_ credential: Credential, _ domain: String) {
        guard !credential.isEmpty else { return }
        state.withLock { $0.credentials[domain] = credential }
    }
}
