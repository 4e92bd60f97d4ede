import DocentInterfaces
import Synchronization

/// The providers of one extension process: one instance for each domain, made when it is needed first (A10).
final class FileProviderService: Sendable {
    private typealias Making = Task<any ReplicatedFileProvider, any Error>

    private struct State {
        var make: (@Sendable (FileProviderDomain) throws -> any ReplicatedFileProvider)?
        var domains: [String: FileProviderDomain] = [:]
        var providers: [String: Making] = [:]
    }

    let events = EventHub()
    private let state = Mutex(State())

    /// Takes the principal class and the domains. Called again, it adds, replaces and drops domains.
    ///
    /// - Returns: What the class can do.
    func initialize(_ parameters: FileProviderInterface.Initialize.Parameters) throws -> ProviderFeatures {
        let principal = try PrincipalClass(named: parameters.principalClass)
        let events = events
        let identifier = parameters.provider
        let features: ProviderFeatures
        let make: @Sendable (FileProviderDomain) throws -> any ReplicatedFileProvider
        switch principal {
        case .replicated(let type):
            features = type.features
            make = { try type.init(domain: $0, host: FileProviderHost(domain: $0.identifier, events: events)) }
        case .classic(let type):
            features = ClassicFileProvider.features
            make = {
                ClassicFileProvider(
                    type, identifier: identifier, domain: $0,
                    host: FileProviderHost(domain: $0.identifier, events: events))
            }
        case .picker:
            throw FileProviderError(
                .invalidArgument,
                "\(parameters.principalClass ?? "") is a DocumentPickerExtension; "
                    + "com.apple.fileprovider-nonui needs a file provider.")
        }
        let domains = parameters.domains.map(FileProviderDomain.init)
        state.withLock { state in
            state.make = make
            let known = state.domains
            state.domains = [:]
            for domain in domains { state.domains[domain.identifier] = domain }
            state.providers = state.providers.filter { known[$0.key] == state.domains[$0.key] }
        }
        return features
    }

    /// The provider of a domain.
    ///
    /// - Throws: ``FileProviderError`` for a domain that the host did not tell of, or what the author's `init` throws.
    func provider(_ identifier: String) async throws -> any ReplicatedFileProvider {
        let making = try state.withLock { state in
            if let making = state.providers[identifier] { return making }
            guard let make = state.make else {
                throw FileProviderError(.invalidArgument, "Initialize has not been called.")
            }
            guard let domain = state.domains[identifier] else {
                throw FileProviderError(.invalidArgument, "There is no domain “\(identifier)”.")
            }
            let making = Making { try make(domain) }
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
}
