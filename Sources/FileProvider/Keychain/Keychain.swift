import DocentInterfaces
import FoundationEssentials

/// The secrets that the extensions of an access group share, in the user's keyring.
///
/// An extension never reaches the keyring itself. It asks the host, which decides by the extension's manifest
/// (`keychain-access-groups`). The groups of other extensions are refused and not revealed. Safe to use from any
/// thread; every call is answered within a minute or fails.
public struct Keychain: Sendable {
    /// The largest size of a secret in bytes.
    public static let maximumSecretLength = 64 << 10

    let hub: KeychainHub
    /// The domain that is used unless another one is named.
    let domain: String

    /// Stores a secret, replacing one with the same group, domain and account.
    ///
    /// - Parameters:
    ///   - secret: Any bytes, at most ``maximumSecretLength``.
    ///   - account: Its name, at most 1024 bytes.
    ///   - group: One of the manifest's groups; nil for the first of them.
    ///   - domain: The account of the provider; nil for the one that this host serves. Providers that share a secret
    ///     name the same one, usually the empty one.
    ///   - label: What keyring programs show to the user.
    /// - Throws: ``FileProviderError``: `notPermitted` for a group that is not this extension's, `keychainUnavailable`
    ///   while the keyring is locked or missing, `insufficientQuota` when the group is full, `invalidArgument`.
    public func store(
        _ secret: some Sequence<UInt8>, account: String, group: String? = nil, domain: String? = nil,
        label: String? = nil
    ) async throws(FileProviderError) {
        let bytes = Data(secret)
        guard bytes.count <= Self.maximumSecretLength else {
            throw FileProviderError(
                .invalidArgument, "A secret has at most \(Self.maximumSecretLength) bytes; this one has \(bytes.count)."
            )
        }
        var request = request("store", group, domain, account)
        request.secret = bytes.base64EncodedString()
        request.label = label
        _ = try await hub.ask(request)
    }

    /// Reads a secret.
    ///
    /// - Returns: The secret; nil when there is none.
    /// - Throws: ``FileProviderError``, as ``store(_:account:group:domain:label:)``.
    public func secret(
        account: String, group: String? = nil, domain: String? = nil
    ) async throws(FileProviderError) -> [UInt8]? {
        guard let text = try await hub.ask(request("lookUp", group, domain, account)).secret else { return nil }
        guard let bytes = Data(base64Encoded: text) else {
            throw FileProviderError(.failed, "The host's answer is not a valid secret.")
        }
        return Array(bytes)
    }

    /// Deletes a secret.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``FileProviderError``, as ``store(_:account:group:domain:label:)``.
    @discardableResult
    public func delete(
        account: String, group: String? = nil, domain: String? = nil
    ) async throws(FileProviderError) -> Bool {
        do {
            _ = try await hub.ask(request("delete", group, domain, account))
            return true
        } catch {
            if error.code == .noSuchItem { return false }
            throw error
        }
    }

    /// Lists the secrets of a group in all domains, without their values, in no particular order.
    ///
    /// - Throws: ``FileProviderError``, as ``store(_:account:group:domain:label:)``.
    public func items(group: String? = nil) async throws(FileProviderError) -> [KeychainItem] {
        let answer = try await hub.ask(.init(kind: "list", request: "", group: group))
        return (answer.items ?? []).map {
            KeychainItem(group: $0.group, domain: $0.domain, account: $0.account, label: $0.label)
        }
    }

    private func request(
        _ kind: String, _ group: String?, _ domain: String?, _ account: String
    ) -> KeychainHub.Message {
        .init(kind: kind, request: "", group: group, domain: domain ?? self.domain, account: account)
    }
}
