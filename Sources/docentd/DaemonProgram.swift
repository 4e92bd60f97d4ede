import ArgumentParser
import DaemonCore
import Dispatch
import Foundation
import HostCore
import Logging

/// The daemon: parses its arguments and wires the parts together.
@main
struct DaemonProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docentd",
        abstract: "The Docent daemon: finds document providers, runs them in sandboxes, and guards who may read what.",
        discussion: """
            `docent` and programs that use Docent start it on demand; it exits when there is nothing to do. \
            Under systemd it gets its socket from docent.socket.

            Environment: DOCENT_MANIFEST_PATH, DOCENT_LIBRARY_PATH, DOCENT_IDLE_SECONDS (60; 0: never), \
            DOCENT_EXTENSION_IDLE_SECONDS (60), DOCENT_PROVIDER_DEADLINE_SECONDS (60), DOCENT_RESUME_SECONDS (60), \
            DOCENT_LOG_LEVEL (info).
            """,
        version: "docentd \(DaemonControl.version)")

    @Option(
        help: ArgumentHelp(
            "Write a byte to this descriptor when clients can connect, and close it.", visibility: .hidden))
    var readyDescriptor: Int32?

    func run() async throws {
        // Descriptors in flight are charged to the user, and we have many (T4).
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        umask(0o077)
        ProcessHygiene.begin()
        // The reader of the readiness byte may have gone; a file over the size limit is an error like a full disk.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        var logger = Logger(label: "docentd") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = environment["DOCENT_LOG_LEVEL"].flatMap { Logger.Level(rawValue: $0) } ?? .info
        let problems = DaemonConfiguration.problems(in: environment)
        guard problems.isEmpty else {
            for problem in problems { logger.critical("cannot start", metadata: ["why": "\(problem)"]) }
            tell(problems.joined(separator: "; "))
            throw ExitCode(1)
        }
        let configuration = DaemonConfiguration(environment: environment, ownProgram: Self.ownProgram)
        let daemon: Daemon?
        do {
            daemon = try await Daemon.make(
                configuration: configuration, givenSocket: Self.givenSocket(environment), logger: logger,
                crash: CrashSwitch.crashPoint(environment),
                signInCrash: CrashSwitch.signInCrashPoint(environment))
        } catch {
            KnownSecrets().redacting(logger).critical("cannot start", metadata: ["why": "\(error)"])
            tell("\(error)")
            throw ExitCode(1)
        }
        guard let daemon else {
            logger.notice("another daemon is running")
            return
        }
        let signals = [SIGTERM, SIGINT].map { Self.whenSignalled($0) { daemon.requestStop() } }
        defer { for source in signals { source.cancel() } }
        try await daemon.run { [readyDescriptor] in
            guard let readyDescriptor else { return }
            var byte: UInt8 = 1
            write(readyDescriptor, &byte, 1)
            close(readyDescriptor)
        }
    }

    /// Calls a function when the process gets a signal, which then does not end it. Programs that it starts have the
    /// signal's default action.
    private static func whenSignalled(
        _ number: CInt, _ body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: body)
        source.activate()
        return source
    }

    /// Reports to the starting process why the daemon does not start.
    private func tell(_ reason: String) {
        guard let readyDescriptor else { return }
        _ = reason.utf8CString.dropLast().prefix(2_000).withUnsafeBytes {
            write(readyDescriptor, $0.baseAddress, $0.count)
        }
    }

    private static var ownProgram: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// The listening socket from the service manager: descriptor 3 (sd_listen_fds).
    private static func givenSocket(_ environment: [String: String]) -> CInt? {
        guard environment["LISTEN_PID"] == String(getpid()), environment["LISTEN_FDS"] == "1" else { return nil }
        return 3
    }
}
