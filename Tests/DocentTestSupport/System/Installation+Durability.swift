import DocentInterfaces
package import Documents
package import Foundation
import Glibc
import Varlink

/// Support for durability tests: daemons that end themselves, and checks of what is left.
extension Installation {
    /// The numbered steps of a write at which a daemon can be ended.
    package static let writeSteps = [
        "opened", "frozen", "durable", "linked", "committed", "renamed", "published", "recorded", "uploadRecorded",
        "uploaded",
    ]

    /// Whether a write that was ended after this step must be completed.
    package static func isCommitted(after step: String) -> Bool {
        (writeSteps.firstIndex(of: step) ?? 0) >= (writeSteps.firstIndex(of: "committed") ?? 0)
    }

    /// A text that shows whether it is complete.
    package static func content(_ word: String, lines: Int = 20_000) -> String {
        (0..<lines).map { "\(word) \($0)\n" }.joined()
    }

    /// Stops the running daemon cleanly.
    package func stopDaemon() async throws { try await docent("daemon", "stop", "--force").succeeded() }

    /// Restarts the daemon and waits until it answers.
    package func restartDaemon(environment extra: [String: String] = [:]) async throws -> ChildProcess {
        try await stopDaemon()
        return try await readyDaemon(environment: extra)
    }

    /// Starts a daemon, which ends itself after a step if one is given, and waits until it answers.
    package func readyDaemon(crashAfter step: String? = nil, environment extra: [String: String] = [:]) async throws
        -> ChildProcess
    {
        var environment = extra
        if let step { environment["DOCENT_TEST_CRASH_AFTER"] = step }
        let daemon = try startDaemon(environment: environment)
        try await eventually("the daemon answers") { answers || !daemon.isRunning }
        return daemon
    }

    /// Whether the socket accepts connections.
    package var answers: Bool { (try? VarlinkConnection.connect(path: socket)) != nil }

    /// Waits for a process to end.
    package func waitForEnd(of process: ChildProcess) async throws {
        try await eventually("process \(process.processIdentifier) ends") { !process.isRunning }
    }

    /// Kills a daemon.
    package func killDaemon(_ process: ChildProcess) async throws {
        process.send(SIGKILL)
        try await waitForEnd(of: process)
    }

    /// The remaining files in Staging and Uploads.
    package var leftovers: [String] {
        ["Staging", "Uploads"].flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(data)/\(folder)")) ?? []).map {
                "\(folder)/\($0)"
            }
        }
    }

    /// The contents of all kept versions, without what saves and restored versions replaced.
    package var versions: [String] { kept { !$0.hasPrefix(".docent-saves-") } }

    /// The contents that saves and restored versions replaced.
    package var replacedContents: [String] { kept { $0.hasPrefix(".docent-saves-") } }

    private func kept(_ isWanted: (String) -> Bool) -> [String] {
        let folder = data + "/Versions"
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter(isWanted).compactMap { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
            return isFolder.boolValue ? nil : read("\(folder)/\(name)")
        }
    }

    /// The names in the provider's folder, including Docent's temporary files.
    package var documentNames: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: documents)) ?? []).sorted()
    }

    /// Creates a file outside every provider.
    package func makeSource(_ text: String, name: String = "source.txt") throws -> String {
        let path = "\(home)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// A client that never starts a daemon.
    package func passiveClient(_ identifier: String = "org.docent.tests") -> DocumentsClient {
        var configuration = DocumentsClient.Configuration(clientIdentifier: identifier)
        configuration.environment = environment
        configuration.startsDaemon = false
        return DocumentsClient(configuration)
    }

    /// Starts a program with a pipe as its input.
    package func spawn(
        _ arguments: [String], program: String = Installation.binaries + "/docent",
        environment extra: [String: String] = [:]
    ) throws -> (process: ChildProcess, input: FileHandle) {
        // The program may be killed while it is being written to.
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let process = try ChildProcess(
            program, arguments, environment: environment.merging(extra) { _, new in new }, folder: home,
            input: .descriptor(pipe.fileHandleForReading.fileDescriptor))
        try? pipe.fileHandleForReading.close()
        return (process, pipe.fileHandleForWriting)
    }

    /// The daemon's status from `docent daemon status --json`.
    package func status() async throws -> DaemonStatus {
        try await docent("daemon", "status", "--json").succeeded().json(DaemonStatus.self)
    }

    /// The process that runs the file provider's code, if any: the innermost one below the process in the status.
    package func extensionProcess() async throws -> pid_t? {
        let running = try await status().extensions
            .first { $0.point == "com.apple.fileprovider-nonui" && $0.state == "running" }
        guard var process = running?.processIdentifier else { return nil }
        while let children = read("/proc/\(process)/task/\(process)/children"),
            let inner = children.split(separator: " ").last.flatMap({ pid_t($0) })
        {
            process = inner
        }
        return process
    }

    /// Kills every process below the daemon, as a provider dies.
    ///
    /// - Throws: ``Problem`` if there is none.
    package func killProviders() throws {
        let processes = ProcessMemory.descendants(of: daemonProcess)
        guard !processes.isEmpty else { throw Problem("no provider is running") }
        for process in processes { kill(process, SIGKILL) }
    }

    /// Stops a process and waits until none of its threads is running. On a busy machine a thread may continue for a
    /// while after `kill` has returned.
    package func halt(_ process: pid_t) async throws {
        kill(process, SIGSTOP)
        try await eventually("\(process) has stopped") {
            guard let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") else {
                return false
            }
            return tasks.allSatisfy { task in
                let line = read("/proc/\(process)/task/\(task)/stat") ?? ""
                return line.split(separator: ")").last?.split(separator: " ").first == "T"
            }
        }
    }
}

/// The part of `docent daemon status --json` that the tests use.
package struct DaemonStatus: Decodable {
    package struct Extension: Decodable {
        package var provider: String
        package var point: String
        package var state: String
        package var processIdentifier: pid_t?
        package var crashes: Int
    }

    package var processIdentifier: pid_t
    package var pendingOperations: Int
    package var extensions: [Extension]
}

/// Writes all of a text to a descriptor.
package func writeAll(_ text: String, to descriptor: CInt) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { throw Problem("write: \(String(cString: strerror(errno)))") }
        rest = rest.dropFirst(count)
    }
}
