import FileProvider
import Synchronization

/// The account of the domain. The service knows one person.
final class Account: Sendable {
    /// The only user name.
    static let username = "tester"
    /// The only secret, password or token.
    static let secret = "open sesame"

    private let isNeeded: Bool
    private let credential = Mutex<Credential?>(nil)

    /// - Parameter isNeeded: Whether nothing else works before signing in.
    init(isNeeded: Bool) { self.isNeeded = isNeeded }

    /// - Throws: `notAuthenticated` if signing in is required and has not happened.
    func check() throws {
        if isNeeded, credential.withLock({ $0 == nil }) {
            throw FileProviderError(.notAuthenticated, "Nobody is signed in.")
        }
    }

    /// Checks a credential; an empty one asks for the current account.
    func signIn(_ new: Credential, script: FaultScript, host: FileProviderHost) throws -> String? {
        if script.strikes("declared.signIn") { throw Trouble.notSupported }
        guard !new.isEmpty else { return credential.withLock { $0 }.map { _ in Self.username } }
        if script.strikes("signIn.secretInLog") { host.log("Trying \"\(new.secret ?? "")\".") }
        let isRight = new.secret == Self.secret && (new.username ?? Self.username) == Self.username
        guard isRight || script.strikes("signIn.anything") else {
            if script.strikes("signIn.wrongError") { throw FileProviderError(.failed, "The service is broken.") }
            let secret = script.strikes("signIn.secretInError") ? " \"\(new.secret ?? "")\"" : ""
            throw FileProviderError(.notAuthenticated, "The service does not know this name and secret\(secret).")
        }
        credential.withLock { $0 = new }
        return Self.username
    }

    /// Forgets the credential.
    func signOut(script: FaultScript) {
        if !script.strikes("signIn.kept") { credential.withLock { $0 = nil } }
    }
}
