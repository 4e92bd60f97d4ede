import CommandConsole
import Documents
import FoundationEssentials
import Glibc
import ProcessLaunching

// The programs that run in the folder.
extension MergeFolder {
    // Git sets these variables for a repository.
    private static let ofRepositories = [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_CONFIG",
    ]
    private static let pause: Duration = .milliseconds(20)

    /// A program that runs here, with the files in the variables by which git names them.
    func launch(_ program: String, _ arguments: [String], descriptors: [ProgramLaunch.Source]) -> ProgramLaunch {
        var variables = ProcessInfo.processInfo.environment
        for name in Self.ofRepositories { variables[name] = nil }
        // No repository above this folder is looked for.
        variables["GIT_CEILING_DIRECTORIES"] = parent
        variables["BASE"] = self.path(of: .base)
        variables["LOCAL"] = self.path(of: .mine)
        variables["REMOTE"] = self.path(of: .theirs)
        variables["MERGED"] = self.path(of: .merged)
        // Git's scriptlets compare its date with that of the result.
        variables["BACKUP"] = path + "/backup"
        var launch = ProgramLaunch(program, arguments, environment: .exactly(variables), descriptors: descriptors)
        launch.searchesPath = true
        launch.folder = path
        return launch
    }

    /// Starts a program and waits for its end. If the task is cancelled, the program is ended too.
    ///
    /// - Returns: its exit code; of a signal, 128 and its number.
    /// - Throws: ``DocumentsError`` `unavailable` if it cannot be started; `CancellationError`.
    func end(of launch: ProgramLaunch) async throws -> CInt {
        let process: pid_t
        do {
            process = try launch.start()
        } catch {
            throw DocumentsError(
                .unavailable, "The program `\(launch.program)` cannot be started: \(error.reason).",
                suggestion: "Install it; `docent resolve --keep mine|theirs|both` needs no other program.")
        }
        var status: CInt = 0
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { break }
            guard ended == 0 || errno == EINTR else {
                throw DocumentsError(.failed, "The program `\(launch.program)` cannot be waited for.")
            }
            guard !Task.isCancelled else {
                kill(process, SIGTERM)
                // In a task of its own: this one no longer sleeps.
                await Task { while waitpid(process, nil, WNOHANG) == 0 { try? await Task.sleep(for: Self.pause) } }
                    .value
                throw CancellationError()
            }
            try? await Task.sleep(for: Self.pause)
        }
        try Task.checkCancellation()
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// A setting of git; nil if there is none.
    ///
    /// - Throws: ``DocumentsError``: `unavailable` without git; `failed` if its configuration cannot be read.
    func setting(_ name: String) async throws -> String? {
        let file = path + "/setting"
        let status = try await end(
            of: launch("git", ["config", "--get", name], descriptors: [.null, .appending(file), .own]))
        defer { unlink(file) }
        // 1: there is none. Any other error has been shown by git.
        guard status <= 1 else { throw DocumentsError(.failed, "The configuration of git cannot be read.") }
        guard status == 0 else { return nil }
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Makes what the tool begins with, as git does: the lines that both sides agree about, and marks where they do
    /// not. Of anything but text, what was saved here.
    ///
    /// - Returns: whether there is something to decide.
    func prepare() async throws -> Bool {
        let begun = path(of: .begun)
        let status = try await end(
            of: launch(
                "git",
                [
                    "merge-file", "-p", "-q", "-L", "mine", "-L", "base", "-L", "theirs", path(of: .mine),
                    path(of: .base), path(of: .theirs),
                ], descriptors: [.null, .appending(begun), .null]))
        // The number of conflicts, up to 127. Anything else: it is not text.
        if status > 127 {
            unlink(begun)
            try copy(.mine, to: .begun)
        }
        try copy(.begun, to: .merged)
        return status != 0
    }

    private func copy(_ file: File, to other: File) throws {
        let source = try LocalFile(reading: path(of: file))
        try write(other, source.descriptor)
    }
}
