import DocentInterfaces
import ExtensionHosting
import ExtensionManifest
import FoundationEssentials
import HostCore
import Keyring
import Rights

/// Decides and carries out the keyring requests of extensions (O6). Thread-safe.
struct KeychainService: Sendable {
    typealias Answer = FileProviderInterface.KeychainAnswered.Parameters
    typealias Request = FileProviderInterface.Keychain.Reply
    /// Stores a refreshed credential of a domain: provider, domain, kind, user name, secret.
    typealias Save = @Sendable (String, String, CredentialReference.Kind, String?, Secret) async throws -> Void

    private let registry: ProviderRegistry
    private let secrets: GroupSecrets
    private let turns = GroupTurns()
    private let save: Save

    init(registry: ProviderRegistry, ladder: CredentialLadder, groups: KeychainGroupStore, save: @escaping Save) {
        self.registry = registry
        secrets = GroupSecrets(ladder: ladder, groups: groups)
        self.save = save
    }

    /// The answer to a request. A refusal is an answer too.
    func answer(_ request: Request, to caller: KeychainCaller) async -> Answer {
        do {
            return try await perform(request, caller)
        } catch {
            let failure = FailureMapping.failure(error)
            return Answer(
                request: request.request, code: failure.code.rawValue,
                message: [failure.message, failure.suggestion].compactMap(\.self).joined(separator: " "))
        }
    }

    private func perform(_ message: Request, _ caller: KeychainCaller) async throws -> Answer {
        // Checked on every request: consent may have been withdrawn (S3).
        let provider = try await registry.usable(caller.provider)
        let request = try KeychainRequest(message)
        if case .save(let domain, let kind, let username, let secret) = request {
            guard caller.point == .fileProvider else {
                throw Failure(.notPermitted, "A picker cannot save a credential.", provider: caller.provider)
            }
            try await save(caller.provider, domain, kind, username, secret)
            return Answer(request: message.request)
        }
        let group = try await group(message.group, provider, caller)
        let isAgreed = provider.domains.contains { $0.credential?.rung == CredentialRung.sealedFile.rawValue }
        let secrets = secrets
        var answer = Answer(request: message.request)
        switch request {
        case .store(let place, let secret, let label):
            try await turns.run(group) {
                try await secrets.store(secret, place, in: group, label: label, allowingSealedFile: isAgreed)
            }
        case .lookUp(let place):
            let secret = try await secrets.secret(place, in: group, allowingSealedFile: isAgreed)
            answer.secret = secret.map { $0.withBytes { Data($0) }.base64EncodedString() }
        case .delete(let place):
            guard try await secrets.delete(place, in: group, allowingSealedFile: isAgreed) else {
                throw Failure(.notFound, "There is no such secret in \(group).", provider: caller.provider)
            }
        case .list: answer.items = try await secrets.items(in: group, allowingSealedFile: isAgreed)
        case .save: break
        }
        return answer
    }

    /// - Throws: ``Failure`` `NotPermitted`.
    private func group(_ asked: String?, _ provider: KnownProvider, _ caller: KeychainCaller) async throws -> String {
        let description = provider.description
        guard description.digest == caller.digest,
            let manifest = caller.point == .picker ? description.picker : description.fileProvider
        else {
            throw Failure(
                .notPermitted, "\(caller.provider) changed since this process was started.", provider: caller.provider)
        }
        if let asked, provider.withheld.contains(ProviderRequest(.keychainGroup, asked)) {
            throw Failure(
                .notPermitted, "The user has not agreed yet that \(caller.provider) uses the keychain group \(asked).",
                suggestion: "To agree: docent provider enable \(caller.provider)", provider: caller.provider
            )
        }
        let group = try KeychainRight.group(
            asked, of: manifest.entitlements.keychainAccessGroups, provider: caller.provider)
        guard try await secrets.groups.admits(caller.provider, to: group, at: Self.now) else {
            throw Failure(
                .notPermitted, "The user has not agreed that \(caller.provider) joins the keychain group \(group).",
                provider: caller.provider)
        }
        return group
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
