import DocentInterfaces
import Glibc
package import HostCore
package import Keyring
package import Rights
import Synchronization

/// Reads the secrets of domains, anew each time. Only session secrets are kept. Thread-safe; a secret never appears in
/// a message or the log.
package final class CredentialSource: Sendable {
    /// The largest size of a secret, in bytes.
    package static let limit = 64 * 1024

    private let directory: String?
    private let ladder: CredentialLadder?
    private let session = Mutex<[DomainKey: Secret]>([:])

    /// - Parameters:
    ///   - environment: the daemon's environment, for `CREDENTIALS_DIRECTORY`.
    ///   - ladder: where logins store secrets (O6); nil where there is no such place.
    package init(environment: [String: String], ladder: CredentialLadder? = nil) {
        directory = environment["CREDENTIALS_DIRECTORY"]
        self.ladder = ladder
    }

    /// The message for an account whose secret was removed from its keyring.
    package static let missingText = "Its secret is not in the keyring any more."

    // MARK: Memory

    /// Keeps the secret of a domain in memory; nil removes it.
    package func remember(_ secret: Secret?, for domain: DomainKey) { session.withLock { $0[domain] = secret } }

    /// The secret of a domain that is kept in memory.
    package func remembered(_ domain: DomainKey) -> Secret? { session.withLock { $0[domain] } }

    /// Whether the daemon's exit would lose a secret. The daemon then does not exit when idle.
    package var holdsSecrets: Bool { session.withLock { !$0.isEmpty } }

    // MARK: Reading

    /// The current secret that a domain signs in with.
    ///
    /// - Throws: ``Failure`` `NotAuthenticated`, which says what is wrong with the secret's place and what to do;
    ///   ``LockedCredential``.
    package func secret(_ reference: CredentialReference, for domain: DomainKey) async throws -> Secret {
        switch reference.source {
        case .keyring: return try await stored(reference, domain)
        case .file:
            guard let path = reference.path, path.hasPrefix("/") else {
                throw Self.unusable("The path of the password file is not absolute.", domain)
            }
            return try Self.firstLine(of: path, isOwn: true, domain)
        case .systemd:
            guard let directory, directory.hasPrefix("/") else {
                throw Failure(
                    .notAuthenticated, "The daemon was not started with systemd credentials.",
                    suggestion: "Start docentd as a unit with LoadCredential=.", provider: domain.provider)
            }
            guard let name = reference.name, !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
                throw Self.unusable("The name of the systemd credential is not valid.", domain)
            }
            return try Self.firstLine(of: directory + "/" + name, isOwn: false, domain)
        case .session:
            guard let secret = session.withLock({ $0[domain] }) else {
                throw Failure(
                    .notAuthenticated, "Its password was only kept in memory, and the daemon has been restarted since.",
                    suggestion: SignInWords.suggestion(domain), provider: domain.provider)
            }
            return secret
        }
    }

    /// Whether a secret stored by a login is certainly gone: its keyring is usable and does not have it. Does not read
    /// the secret, and shows no prompt.
    package func isMissing(_ reference: CredentialReference?, for domain: DomainKey) async -> Bool {
        guard let ladder, let reference, reference.source == .keyring,
            let rung = reference.rung.flatMap(CredentialRung.init), await ladder.state(of: rung) == .usable
        else { return false }
        let key = CredentialKey.domain(domain, account: reference.username)
        guard let found = try? await ladder.list(CredentialQuery(key), on: rung) else { return false }
        return found.isEmpty
    }

    private func stored(_ reference: CredentialReference, _ domain: DomainKey) async throws -> Secret {
        guard let ladder, let rung = reference.rung.flatMap(CredentialRung.init) else {
            throw Self.unusable("The place of its secret is not known.", domain)
        }
        do throws(KeyringError) {
            if let secret = try await ladder.secret(for: .domain(domain, account: reference.username), on: rung) {
                return secret
            }
        } catch {
            throw LockedCredential(error, domain)
        }
        throw Self.unusable(Self.missingText, domain)
    }

    /// - Parameter isOwn: whether the file must be inaccessible to everyone but the user; systemd protects its own
    ///   files.
    private static func firstLine(of path: String, isOwn: Bool, _ domain: DomainKey) throws(Failure) -> Secret {
        let shown = path.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "The file" : path
        // Opening a FIFO must not hang. The checks apply to the opened file.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            throw unusable("\(shown) cannot be read: \(String(cString: strerror(errno))).", domain)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unusable("\(shown) is not a regular file.", domain)
        }
        if isOwn {
            guard status.st_uid == geteuid() else { throw unusable("\(shown) belongs to another user.", domain) }
            guard status.st_mode & 0o077 == 0 else {
                throw Failure(
                    .notAuthenticated, "Others may read or change \(shown).", suggestion: "chmod 600 \(shown)",
                    provider: domain.provider)
            }
        }
        guard status.st_size <= limit else { throw unusable("\(shown) is too large for a password.", domain) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        defer { bytes.withUnsafeMutableBytes { memory in memory.baseAddress.map { explicit_bzero($0, memory.count) } } }
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                read(file, $0.baseAddress?.advanced(by: length), $0.count - length)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unusable("\(shown) cannot be read.", domain) }
            guard count > 0 else { break }
            length += count
        }
        guard length <= limit else { throw unusable("\(shown) is too large for a password.", domain) }
        var line = bytes.prefix(length).prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        guard !line.isEmpty, !line.contains(0), String(validating: line, as: UTF8.self) != nil else {
            throw unusable("The first line of \(shown) is not a password.", domain)
        }
        return Secret(line)
    }

    private static func unusable(_ message: String, _ domain: DomainKey) -> Failure {
        Failure(
            .notAuthenticated, message, suggestion: SignInWords.suggestion(domain), provider: domain.provider)
    }
}
