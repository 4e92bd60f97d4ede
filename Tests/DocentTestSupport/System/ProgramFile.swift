import Foundation

/// Writes scripts that are then run as programs.
package enum ProgramFile {
    /// Writes an executable file, in another process.
    ///
    /// The kernel does not run a file that any process has open for writing (`ETXTBSY`). If this process wrote it, a
    /// program that another test starts at the same moment would have a copy of that descriptor until it is running;
    /// a shell would then pass over the file and run the next one of that name.
    package static func write(_ text: String, to path: String) async throws {
        try await Outcome.run(shell, arguments(path), input: Data(text.utf8), environment: [:], folder: "/").succeeded()
    }

    /// The same, for tests that block.
    package static func writeBlocking(_ text: String, to path: String) throws {
        try Outcome.runBlocking(shell, arguments(path), input: Data(text.utf8), environment: [:]).succeeded()
    }

    private static let shell = "/bin/sh"

    private static func arguments(_ path: String) -> [String] {
        ["-c", #"/bin/cat >"$1" && /bin/chmod 755 "$1""#, "sh", path]
    }
}
