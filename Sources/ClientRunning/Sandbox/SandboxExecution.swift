import Documents
import Glibc

/// The program in its sandbox, from start to end, with its own terminal if the user has one.
struct SandboxExecution {
    let sandbox: String
    var profile: ClientSandboxProfile
    let command: [String]
    let passed: PassedDocuments
    /// The client whose requests are put to the user, and the client that answers them; nil if the user is not asked.
    let asks: (client: String, administrator: DocumentsClient)?
    /// The value of `TERM` that this command was started with.
    let terminalName: String?

    /// - Parameter ready: called when the sandbox has everything that it shows, unless it has ended before.
    /// - Returns: the program's exit code.
    /// - Throws: ``DocumentsError`` `unavailable` if there can be no sandbox.
    func run(ready: @escaping @Sendable () async -> Void) async throws -> CInt {
        let model = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].first { isatty($0) == 1 }
        let terminal = try model.map(PseudoTerminal.init(like:))
        // The program's own terminal replaces the user's, wherever that was.
        let plain = try PlainStreams()
        let streams = zip([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO], plain.descriptors).map { stream, descriptor in
            if let terminal, isatty(stream) == 1 { return terminal.other }
            return descriptor
        }
        var profile = profile
        var command = command
        profile.hasTerminal = terminal != nil && isatty(STDIN_FILENO) == 1 && access(Self.sessionProgram, X_OK) == 0
        if profile.hasTerminal { command = [Self.sessionProgram, "--ctty"] + command }
        let kind = QuestionScreen.Kind(terminalName)
        let pump = terminal.map {
            TerminalPump(
                $0, input: isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : -1,
                output: isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO, kind: kind)
        }
        let prompt = asks.flatMap {
            PickPrompt(client: $0.client, administrator: $0.administrator, pump: pump, kind: kind)
        }
        let asking = Task { await prompt?.run() }
        // The program may ask immediately.
        await prompt?.waitUntilListening()
        let process: SandboxProcess
        do {
            process = try await SandboxProcess.start(
                .init(
                    sandbox: sandbox, options: profile.options, command: command, streams: streams,
                    network: profile.allowances.contains(.network)))
        } catch {
            asking.cancel()
            pump?.finish()
            throw error
        }
        plain.handOver()
        SignalForwarding.watch { signal in
            if signal == SIGWINCH { pump?.resize() } else { process.send(signal) }
        }
        let starting = Task { if await process.hasProgram() { await ready() } }
        let watch = StagedWatch(passed.staged) { ClientRun.tell($0) }
        // In a separate task: this one may be cancelled, and still has to see the program's end.
        let ending = await Task { await process.ending() }.value
        asking.cancel()
        await asking.value
        await starting.value
        pump?.finish()
        await plain.finish()
        await watch.end()
        guard let code = ending.code else {
            throw DocumentsError(
                .unavailable, "The sandbox cannot be created here, so the program did not run.",
                suggestion: "bubblewrap said why above; `docent doctor` says what it needs.")
        }
        return code
    }

    /// Makes the program's terminal that of its session, so that an interrupt key reaches only the program.
    private static let sessionProgram = "/usr/bin/setsid"
}
