import Dispatch
import Glibc

/// The rung of the service manager: `$CREDENTIALS_DIRECTORY/docent.PROVIDER.DOMAIN` (LoadCredential=, SetCredential=),
/// which is filled before the daemon starts. Read-only. The name has no access group and account, so only a domain's
/// own secret (see ``CredentialKey/domainGroup(of:)``) can be stored there.
struct SystemdRung: CredentialStore {
    private static let prefix = "docent."
    static let limit = 64 * 1024

    /// The directory; nil when the daemon has none.
    let directory: String?
    private let deadline: Duration
    private let queue = DispatchQueue(label: "org.docent.keyring.systemd")

    init(environment: [String: String], deadline: Duration) {
        directory = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        self.deadline = deadline
    }

    func state() async -> RungState {
        guard let directory else { return .absent("the service manager gave the daemon no credentials") }
        let names = try? await perform { Self.names(in: directory) }
        return names?.isEmpty == false
            ? .usable : .absent("the service manager gave the daemon no credential named docent.PROVIDER.DOMAIN")
    }

    func store(_ secret: Secret, for key: CredentialKey, label: String) async throws(KeyringError) {
        throw .readOnly("systemd credentials can only be changed in the daemon's unit (LoadCredential=).")
    }

    func secret(for key: CredentialKey) async throws(KeyringError) -> Secret? {
        guard let directory else { throw .unavailable("The service manager gave the daemon no credentials.") }
        guard let name = Self.name(of: key) else { return nil }
        return try await perform { () throws(KeyringError) in
            do throws(PrivateFile.Problem) {
                return try PrivateFile.read(directory + "/" + name, limit: Self.limit, isOwn: false)?.firstLine
            } catch {
                throw .unavailable("\(error.why).")
            }
        }
    }

    func delete(_ query: CredentialQuery) async throws(KeyringError) -> Bool {
        throw .readOnly("systemd credentials can only be removed from the daemon's unit (LoadCredential=).")
    }

    /// Only for a query with a provider, because the name does not show where the provider ends and the domain begins.
    func list(_ query: CredentialQuery) async throws(KeyringError) -> [CredentialKey] {
        guard let directory else { throw .unavailable("The service manager gave the daemon no credentials.") }
        guard let provider = query.provider else { return [] }
        return try await perform {
            Self.names(in: directory).compactMap { name in
                let domain: Substring
                if name == Self.prefix + provider {
                    domain = ""
                } else if name.hasPrefix(Self.prefix + provider + ".") {
                    domain = name.dropFirst(Self.prefix.count + provider.count + 1)
                } else {
                    return nil
                }
                let key = CredentialKey(
                    accessGroup: CredentialKey.domainGroup(of: provider), provider: provider, domain: String(domain),
                    account: query.account ?? "")
                return query.means(key) ? key : nil
            }
        }
    }

    func unlock() async throws(KeyringError) {}

    /// The name of a domain's own secret; nil when a credential cannot have that name.
    static func name(of key: CredentialKey) -> String? {
        guard key.accessGroup == CredentialKey.domainGroup(of: key.provider), !key.provider.isEmpty else { return nil }
        let name = prefix + key.provider + (key.domain.isEmpty ? "" : "." + key.domain)
        // The rules of systemd's credential_name_valid().
        guard name.utf8.count <= 255, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            !name.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") })
        else { return nil }
        return name
    }

    private static func names(in directory: String) -> [String] {
        guard let folder = opendir(directory) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name.hasPrefix(prefix), name != MasterPassword.credential { names.append(name) }
        }
        return names
    }

    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable () throws(KeyringError) -> Value
    ) async throws(KeyringError) -> Value {
        try await BoundedCall.run(on: queue, deadline: deadline) { _ in
            do throws(KeyringError) {
                return .success(try work())
            } catch {
                return .failure(error)
            }
        }
    }
}

extension Secret {
    /// The bytes before the first line end; files written by hand usually end with one.
    var firstLine: Secret {
        withBytes { bytes in
            var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            return Secret(copying: UnsafeRawBufferPointer(rebasing: line))
        }
    }
}
