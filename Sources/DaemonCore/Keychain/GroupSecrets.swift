import DocentInterfaces
import Keyring
import Rights

/// The secrets of the access groups on the credential ladder. The caller has checked which group may be used.
/// Thread-safe; every call has a deadline.
///
/// An item has an empty provider attribute because the providers of a group share it. Lookups use group, domain and
/// account, so they also find items that another program stored that way.
struct GroupSecrets: Sendable {
    /// The maximum per group, so that no extension fills the user's keyring (T4).
    let maximumItems: Int
    /// The maximum size of a `list` answer in bytes (T4).
    private static let maximumListing = 700_000

    let ladder: CredentialLadder
    let groups: KeychainGroupStore

    init(ladder: CredentialLadder, groups: KeychainGroupStore, maximumItems: Int = 1000) {
        self.maximumItems = maximumItems
        self.ladder = ladder
        self.groups = groups
    }

    /// Stores a secret, replacing an existing one.
    ///
    /// - Parameter allowingSealedFile: whether the user allowed the last rung for the requesting provider.
    /// - Throws: ``Failure`` `Unavailable` if the keyring is locked or absent, `NoSpace` above ``maximumItems``.
    func store(
        _ secret: Secret, _ place: KeychainRequest.Place, in group: String, label: String?, allowingSealedFile: Bool
    ) async throws {
        let key = Self.key(place, group)
        let rung = try await usableRung(of: group, allowingSealedFile)
        let items = try await list(group, on: rung)
        guard items.count < maximumItems || items.contains(key) else {
            throw Failure(
                .noSpace,
                "The keychain group \(group) has \(items.count) secrets; at most \(maximumItems) are possible.")
        }
        // Recorded before the secret is stored: lookups use this rung from now on.
        if try await groups.rung(of: group) == nil { try await groups.setRung(rung.rawValue, of: group) }
        do throws(KeyringError) {
            try await ladder.store(secret, for: key, label: label ?? "\(place.account) (\(group))", on: rung)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Returns a secret; nil if there is none.
    func secret(_ place: KeychainRequest.Place, in group: String, allowingSealedFile: Bool) async throws -> Secret? {
        let rung = try await usableRung(of: group, allowingSealedFile)
        do throws(KeyringError) {
            return try await ladder.secret(for: Self.key(place, group), on: rung)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Deletes a secret; returns false if there was none.
    func delete(_ place: KeychainRequest.Place, in group: String, allowingSealedFile: Bool) async throws -> Bool {
        let rung = try await usableRung(of: group, allowingSealedFile)
        do throws(KeyringError) {
            return try await ladder.delete(CredentialQuery(Self.key(place, group)), on: rung)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Lists the items of a group without their secrets, as many as fit into a message.
    func items(in group: String, allowingSealedFile: Bool) async throws -> [Wire.KeychainItem] {
        let rung = try await usableRung(of: group, allowingSealedFile)
        var size = 0
        return try await list(group, on: rung).sorted { ($0.domain, $0.account) < ($1.domain, $1.account) }.prefix {
            key in
            size += group.utf8.count + 6 * (key.domain.utf8.count + key.account.utf8.count) + 64
            return size <= Self.maximumListing
        }.map { Wire.KeychainItem(group: group, domain: $0.domain, account: $0.account) }
    }

    private func list(_ group: String, on rung: CredentialRung) async throws(Failure) -> [CredentialKey] {
        do throws(KeyringError) {
            return try await ladder.list(CredentialQuery(accessGroup: group, provider: ""), on: rung)
        } catch {
            throw Self.failure(error)
        }
    }

    // Uses only the rung that the group is on. Never prompts for a password.
    private func usableRung(of group: String, _ allowingSealedFile: Bool) async throws -> CredentialRung {
        let rung: CredentialRung
        if let text = try await groups.rung(of: group) {
            guard let known = CredentialRung(rawValue: text) else {
                throw Failure(.unavailable, "The secrets of \(group) are in a place that this version does not know.")
            }
            rung = known
        } else {
            let storage = await ladder.storage(allowingSealedFile: allowingSealedFile)
            guard let chosen = storage.rung, storage.isWritable || storage.isLocked else {
                throw Failure(
                    .unavailable, "There is no keyring in which secrets can be stored: \(storage.reason)",
                    suggestion: storage.remedy)
            }
            rung = chosen
        }
        switch await ladder.state(of: rung) {
        case .usable: return rung
        case .locked: throw Self.failure(.locked)
        case .absent(let why):
            throw Failure(
                .unavailable, "The keyring with the secrets of \(group) is not available: \(why).",
                suggestion: "`docent doctor` shows more.")
        }
    }

    private static func key(_ place: KeychainRequest.Place, _ group: String) -> CredentialKey {
        CredentialKey(accessGroup: group, provider: "", domain: place.domain, account: place.account)
    }

    private static func failure(_ error: KeyringError) -> Failure {
        switch error {
        case .invalidKey: Failure(.invalidArgument, error.description)
        case .cancelled: Failure(.cancelled, error.description)
        default: Failure(.unavailable, error.description, suggestion: "Unlock the keyring, and try again.")
        }
    }
}
