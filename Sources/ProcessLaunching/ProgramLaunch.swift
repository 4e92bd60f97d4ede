import CLinux
import Glibc

/// A program to start, and exactly what it gets from this process. All programs of Docent are started here, except by
/// C code that must act between fork and exec (docs/contributing/modules.md).
///
/// Guaranteed for each program:
/// - It has the descriptors of ``descriptors`` and no others, whether those of this process are close-on-exec or not.
/// - Its environment is exactly ``environment``.
/// - No signal is blocked, and each has its default action, except for the two that the C library uses itself.
/// - No shell is involved: a text reaches it unchanged, as one argument. Its name is its path as given here.
///
/// Limits, core dumps, the user and the process group (unless ``startsSession``) are inherited.
package struct ProgramLaunch: Sendable {
    /// Where a descriptor of the program comes from.
    package enum Source: Sendable, Hashable {
        /// `/dev/null`: for reading as number 0, for writing as any other.
        case null
        /// What this process has under the same number, if anything.
        case own
        /// A copy of this descriptor of this process, whose owner does not change.
        case copy(CInt)
        /// A file to append to, created with the permissions 0600 if there is none.
        case appending(String)
    }

    /// The variables that the program gets.
    package enum Environment: Sendable, Hashable {
        /// Those of this process.
        case own
        /// These alone.
        case exactly([String: String])
    }

    /// A path, or with ``searchesPath`` a name.
    package var program: String
    /// Its arguments, without its name.
    package var arguments: [String]
    package var environment: Environment
    /// The index is the number that the descriptor has in the program.
    package var descriptors: [Source]
    /// Looks the program up on this process's PATH if its name has no slash.
    package var searchesPath = false
    /// Gives it a session of its own: without a terminal, and without the signals that a terminal sends.
    package var startsSession = false
    /// Its working directory; nil for that of this process.
    package var folder: String?

    package init(
        _ program: String, _ arguments: [String], environment: Environment, descriptors: [Source]
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.descriptors = descriptors
    }

    /// Starts it. The caller has to wait for the process.
    ///
    /// - Throws: ``LaunchFailure`` if it cannot be executed, if a descriptor cannot be made, or with `EINVAL` if a text
    ///   contains a null byte, because the program would see only its beginning.
    package func start() throws(LaunchFailure) -> Int32 {
        let words = try CTexts([program] + arguments)
        let variables: CTexts? =
            switch environment {
            case .own: nil
            case .exactly(let variables): try CTexts(variables.map { $0.key + "=" + $0.value })
            }
        let copies = try DescriptorCopies(descriptors)
        defer { withExtendedLifetime((words, variables, copies)) {} }

        var actions = posix_spawn_file_actions_t()
        try LaunchFailure.check(posix_spawn_file_actions_init(&actions))
        defer { posix_spawn_file_actions_destroy(&actions) }
        try describe(copies, &actions)
        var attributes = posix_spawnattr_t()
        try LaunchFailure.check(posix_spawnattr_init(&attributes))
        defer { posix_spawnattr_destroy(&attributes) }
        try describe(&attributes)

        var process: pid_t = 0
        let spawn = searchesPath ? posix_spawnp : posix_spawn
        try LaunchFailure.check(
            spawn(&process, program, &actions, &attributes, words.pointers, variables?.pointers ?? environ))
        return process
    }

    private func describe(
        _ copies: DescriptorCopies, _ actions: inout posix_spawn_file_actions_t
    ) throws(LaunchFailure) {
        for (index, source) in descriptors.enumerated() {
            let number = CInt(index)
            switch source {
            case .null:
                let flags = number == STDIN_FILENO ? O_RDONLY : O_WRONLY
                try LaunchFailure.check(posix_spawn_file_actions_addopen(&actions, number, "/dev/null", flags, 0))
            case .own: continue
            case .copy:
                try LaunchFailure.check(posix_spawn_file_actions_adddup2(&actions, copies.numbers[index], number))
            case .appending(let path):
                let flags = O_WRONLY | O_CREAT | O_APPEND
                try LaunchFailure.check(posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600))
            }
        }
        try LaunchFailure.check(clinux_spawn_closing_from(&actions, CInt(descriptors.count)))
        // Last, so that the paths above are relative to this process's directory.
        if let folder { try LaunchFailure.check(clinux_spawn_in_folder(&actions, folder)) }
    }

    private func describe(_ attributes: inout posix_spawnattr_t) throws(LaunchFailure) {
        var signals = sigset_t()
        sigemptyset(&signals)
        try LaunchFailure.check(posix_spawnattr_setsigmask(&attributes, &signals))
        sigfillset(&signals)
        try LaunchFailure.check(posix_spawnattr_setsigdefault(&attributes, &signals))
        let flags = CInt(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        try LaunchFailure.check(
            posix_spawnattr_setflags(&attributes, Int16(flags | (startsSession ? CLINUX_SPAWN_SETSID : 0))))
    }
}
