/// The password of the encrypted file, from a credential of systemd or from a file that only the user can read. It is
/// read again each time and never stored.
struct MasterPassword: Sendable {
    /// Its name in `$CREDENTIALS_DIRECTORY`.
    static let credential = "docent.keyring-password"
    /// The variable with the path of the file.
    static let variable = "DOCENT_KEYRING_PASSWORD_FILE"
    private static let limit = 4096

    private let path: String?
    private let isOwn: Bool

    init(environment: [String: String]) {
        if let directory = environment["CREDENTIALS_DIRECTORY"], directory.hasPrefix("/"),
            PrivateFile.exists(directory + "/" + Self.credential)
        {
            (path, isOwn) = (directory + "/" + Self.credential, false)
        } else {
            (path, isOwn) = (environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }, true)
        }
    }

    /// Whether the user has provided a password.
    var isGiven: Bool { path != nil }

    /// Reads the first line of the file. Blocks.
    ///
    /// - Throws: why there is no password, as a part of a sentence.
    func read() throws(PrivateFile.Problem) -> Secret {
        guard let path else { throw PrivateFile.Problem(why: "it has no master password") }
        guard path.hasPrefix("/") else { throw PrivateFile.Problem(why: "\(Self.variable) is not an absolute path") }
        guard let password = try PrivateFile.read(path, limit: Self.limit, isOwn: isOwn)?.firstLine else {
            throw PrivateFile.Problem(why: "the master password file \(path) is missing")
        }
        let hasZero = password.withBytes { $0.contains(0) }
        guard password.count > 0, !hasZero else {
            throw PrivateFile.Problem(why: "the first line of \(path) is not a password")
        }
        return password
    }
}
