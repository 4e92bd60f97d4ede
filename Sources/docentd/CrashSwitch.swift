import Foundation
import Storage

/// Ends the process with SIGKILL after a numbered step of W, for tests of recovery:
/// `DOCENT_TEST_CRASH_AFTER=committed`.
enum CrashSwitch {
    static func crashPoint(_ environment: [String: String]) -> CrashPoint {
        guard let name = environment["DOCENT_TEST_CRASH_AFTER"], let wanted = WriteStep(rawValue: name) else {
            return { _ in }
        }
        return { step in
            if step == wanted { kill(getpid(), SIGKILL) }
        }
    }

    /// The same, after a step of a login or a logout.
    static func signInCrashPoint(_ environment: [String: String]) -> SignInCrashPoint {
        guard let name = environment["DOCENT_TEST_CRASH_AFTER"], let wanted = SignInCheckpoint(rawValue: name) else {
            return { _ in }
        }
        return { step in
            if step == wanted { kill(getpid(), SIGKILL) }
        }
    }
}
