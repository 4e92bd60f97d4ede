import DocentInterfaces
import Documents
import FoundationEssentials
import Glibc
import Varlink

/// Starts the daemon and asks for its status.
enum DaemonProcess {
    /// The status that a running daemon reports; nil if none answers.
    static func status() async throws(DocumentsError) -> AdministrationInterface.Status.Reply? {
        let client = DocumentsClient.administrator(startsDaemon: false, acceptsAny: true)
        do {
            return try await client.call(AdministrationInterface.Status.self, .init()).value
        } catch {
            // Any other error comes from a daemon that is running.
            guard error.code == .unavailable else { throw error }
            return nil
        }
    }

    /// Starts a daemon and waits until it answers.
    ///
    /// - Throws: ``DocumentsError`` `unavailable`, with the last output of a daemon that failed to start.
    @discardableResult
    static func start(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws(DocumentsError) -> AdministrationInterface.Status.Reply {
        if let socket = environment["DOCENT_SOCKET"], !socket.isEmpty {
            throw DocumentsError(
                .unavailable, "DOCENT_SOCKET names \(socket), and no daemon is started for a socket that was given.",
                suggestion: "Unset DOCENT_SOCKET, or ask whoever set it.")
        }
        var failure = DocumentsError(
            .unavailable, "The Docent daemon did not start.",
            suggestion: "Run `docent daemon start --foreground` to see why.")
        do throws(DocumentsError) {
            // Starts a second daemon if the first was killed while it started.
            if try DaemonLauncher.start(environment: environment) == .killed {
                try DaemonLauncher.start(environment: environment)
            }
            if let status = try await status() { return status }
        } catch { failure = error }
        // A program that fails before its own code runs reports the reason on standard error.
        guard environment["DOCENT_LOG_FILE"] == nil, failure.message.contains("it ended with"),
            DaemonLauncher.program(environment: environment) != nil,
            let reason = reason(environment)
        else { throw failure }
        throw DocumentsError(failure.code, "\(failure.message) It said: \(reason)", suggestion: failure.suggestion)
    }

    /// Starts the daemon once more with a log, and returns the log's last lines; nil if there are none.
    private static func reason(_ environment: [String: String]) -> String? {
        var template = Array("/tmp/docent-log-XXXXXX".utf8CString)
        let log = mkstemp(&template)
        guard log >= 0 else { return nil }
        defer {
            close(log)
            unlink(template)
        }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        _ = try? DaemonLauncher.start(
            environment: environment.merging(["DOCENT_LOG_FILE": path]) { _, new in new }, seconds: 5)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = pread(log, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        return lines.isEmpty ? nil : lines.suffix(3).joined(separator: "\n")
    }
}
