import Glibc

/// Replaces the program of this process. The new one keeps its number, environment, terminal and descriptors that are
/// not close-on-exec; its exit code is that of this process.
package enum ProgramReplacement {
    /// Runs a program in place of this one. A closed pipe ends it again, which this process may have prevented.
    ///
    /// - Parameter arguments: without the name of the program.
    /// - Throws: ``LaunchFailure`` if it cannot be executed; this program then goes on.
    package static func become(_ program: String, _ arguments: [String]) throws(LaunchFailure) -> Never {
        let words = try CTexts([program] + arguments)
        let before = signal(SIGPIPE, SIG_DFL)
        execv(program, words.pointers)
        let code = errno
        signal(SIGPIPE, before)
        throw LaunchFailure(code: code)
    }
}
