import CConfinement
import CLinux
import Documents
import Glibc

/// What a client's sandbox closes besides namespaces: what is inherited from the user's session, and system calls that
/// reach around namespaces.
enum ClientConfinement {
    /// Gives the calling thread, and everything that it starts from now on, a new session keyring, the default
    /// personality, and no raised priority.
    ///
    /// - Throws: ``DocumentsError`` `unavailable` if the session's keys cannot be left behind.
    static func leaveSession() throws(DocumentsError) {
        let result = confinement_leave_session_keyring()
        guard result == 0 else {
            throw DocumentsError(
                .unavailable,
                "The keys of your session cannot be hidden from the program: \(String(cString: strerror(-result))).",
                suggestion: result == -EDQUOT
                    ? "You have as many keys as the kernel allows; /proc/keys lists them, kernel.keys.maxkeys is the limit."
                    : "keyctl(2) says what can prevent a session keyring.")
        }
        confinement_reset_thread()
    }

    /// The system call filter, as a file in memory. The caller closes it.
    ///
    /// - Parameter network: whether it allows network sockets.
    /// - Throws: ``DocumentsError`` `unavailable`.
    static func filter(network: Bool) throws(DocumentsError) -> CInt {
        let file = clinux_memory_file("docent-filter", 0)
        guard file >= 0 else { throw failure(-file) }
        let result = confinement_write_client_filter(file, network ? 1 : 0)
        guard result == 0, lseek(file, 0, SEEK_SET) == 0 else {
            let code = result == 0 ? errno : -result
            close(file)
            throw failure(code)
        }
        return file
    }

    private static func failure(_ code: CInt) -> DocumentsError {
        DocumentsError(
            .unavailable, "The filter of system calls cannot be created: \(String(cString: strerror(code))).",
            suggestion: "Close some programs, and try again.")
    }
}
