import ArgumentParser
import CommandConsole
import Documents
import FoundationEssentials
import Glibc

/// Runs one command line: parses it, performs it, reports errors, and returns the exit code.
package enum CommandRunner {
    /// Runs the arguments. SIGINT, SIGTERM and SIGHUP cancel the running command.
    package static func run(_ arguments: [String]) async -> CInt {
        signal(SIGPIPE, SIG_IGN)
        SuspendedDaemon.watch(ProcessInfo.processInfo.environment)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in gate { break }
            return await perform(arguments)
        }
        // Nothing runs before the handlers are installed.
        Interruption.watch { task.cancel() }
        opening.finish()
        return await task.value.rawValue
    }

    private static func perform(_ arguments: [String]) async -> ExitStatus {
        var isVerbose = false
        do {
            if let shell = CompletionScript.shell(of: arguments) {
                try StandardOutput.write(CompletionScript.text(for: shell))
                return .done
            }
            try HelpRequest.check(arguments, of: Docent.self)
            var command = try await Docent.asyncParseAsRoot(arguments)
            if let ours = command as? any DocentCommand { isVerbose = ours.report.verbose }
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return .done
        } catch { return report(error, isVerbose: isVerbose) }
    }

    private static func report(_ error: any Error, isVerbose: Bool) -> ExitStatus {
        switch error {
        case let silent as SilentExit: return silent.status
        case let failure as DocumentsError:
            StandardError.write(ErrorReport.text(failure, isVerbose: isVerbose))
            return ExitStatus(failure.code)
        case is CancellationError:
            StandardError.write("docent: Interrupted.\n")
            return .cancelled
        default: return reportParsing(error)
        }
    }

    /// Reports what the parser throws: a request for help or the version, or a usage error.
    private static func reportParsing(_ error: any Error) -> ExitStatus {
        let message = Docent.fullMessage(for: error)
        guard Docent.exitCode(for: error) != .success else {
            if !message.isEmpty { try? StandardOutput.write(message + "\n") }
            return .done
        }
        StandardError.write(ErrorReport.usage(message))
        return Docent.exitCode(for: error) == .validationFailure ? .usage : .failed
    }
}
