package import Documents
package import Foundation
import Glibc
import Testing

/// A separate Docent installation for one test: home, data, socket and manifests in a new directory, with the programs
/// of this build.
///
/// The programs are taken from `DOCENT_TEST_BINARIES`, or from beside the test program, where `swift test` puts them.
package final class Installation: Sendable {
    package let root: String
    package let environment: [String: String]

    package var home: String { root + "/home" }
    /// The folder that LocalFolder presents.
    package var documents: String { home + "/Documents" }
    package var manifests: String { root + "/manifests" }
    package var data: String { home + "/.local/share/docent" }
    package var socket: String { root + "/run/docent/docent.sock" }
    package var log: String { root + "/log" }
    /// The folder for what people type, such as a password file: the only place where a secret may be.
    package var given: String { root + "/given" }

    package static let binaries: String = {
        if let given = ProcessInfo.processInfo.environment["DOCENT_TEST_BINARIES"] { return given }
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        // Without XCTest, swift-testing runs in a helper of the toolchain; the bundle's path is then an argument.
        if FileManager.default.isExecutableFile(atPath: folder + "/docentd") { return folder }
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
        return bundle.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    }()

    private init(extra: [String: String], localFolder: Bool) throws {
        root = "/tmp/docent-test-\(UUID().uuidString.prefix(8))"
        var environment = ["PATH": "\(Self.binaries):/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]
        environment["HOME"] = root + "/home"
        environment["XDG_DATA_HOME"] = root + "/home/.local/share"
        environment["XDG_RUNTIME_DIR"] = root + "/run"
        environment["XDG_DATA_DIRS"] = "/usr/local/share:/usr/share"
        environment["DOCENT_MANIFEST_PATH"] = root + "/manifests"
        environment["DOCENT_LIBRARY_PATH"] = Self.binaries
        environment["DOCENT_DAEMON"] = Self.binaries + "/docentd"
        environment["DOCENT_LOG_FILE"] = root + "/log"
        environment["DOCENT_LOG_LEVEL"] = "debug"
        environment["DOCENT_IDLE_SECONDS"] = "60"
        // Tests change more documents in a minute than people do.
        environment["DOCENT_CHANGE_LIMIT"] = "off"
        // Tests look at the server after they have deleted something there.
        environment["DOCENT_DELETION_GRACE_SECONDS"] = "0"
        environment["TMPDIR"] = root + "/tmp"
        self.environment = environment.merging(extra) { _, new in new }
        for folder in ["home/Documents", "run", "manifests", "tmp", "given"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
        chmod(root + "/run", 0o700)
        if localFolder {
            for name in ["org.docent.LocalFolder.FileProvider.plist", "org.docent.LocalFolder.Picker.plist"] {
                try FileManager.default.copyItem(
                    atPath: "\(Repository.root)/manifests/\(name)", toPath: "\(manifests)/\(name)")
            }
        }
    }

    /// Runs `body` with a new installation, then ends its daemon and removes it.
    package static func with<Result>(
        environment: [String: String] = [:], localFolder: Bool = true,
        _ body: (Installation) async throws -> Result
    ) async throws -> Result {
        let installation = try Installation(extra: environment, localFolder: localFolder)
        do {
            let result = try await body(installation)
            await installation.remove()
            return result
        } catch {
            await installation.remove()
            throw error
        }
    }

    /// The same, with LocalFolder enabled.
    package static func withLocalFolder<Result>(
        environment: [String: String] = [:], _ body: (Installation) async throws -> Result
    ) async throws -> Result {
        try await with(environment: environment) { installation in
            try await installation.docent("provider", "enable", "org.docent.LocalFolder", "--yes").succeeded()
            return try await body(installation)
        }
    }

    private func remove() async {
        // Any program of the installation may have started a daemon.
        if FileManager.default.fileExists(atPath: "\(data)/docent.lock") { Admission.expect(.daemon) }
        if let daemon = daemonProcess { kill(daemon, SIGKILL) }
        for hit in SecretScan.hits(below: root, except: given) { Issue.record("\(hit)") }
        // A daemon that was about to exit may have created another file.
        for _ in 0..<50 {
            try? FileManager.default.removeItem(atPath: root)
            guard FileManager.default.fileExists(atPath: root) else { return }
            // Also when the test was cancelled. Extensions notice the end of the daemon through their lifelines.
            await Task.detached { try? await Task.sleep(for: .milliseconds(20)) }.value
        }
    }

    // MARK: Programs

    /// Runs `docent` with these arguments.
    package func docent(
        _ arguments: String..., input: Data? = nil, environment extra: [String: String] = [:]
    ) async throws -> Outcome {
        try await run(Self.binaries + "/docent", arguments, input: input, environment: extra)
    }

    /// Runs any program in this installation's environment.
    package func run(
        _ program: String, _ arguments: [String], input: Data? = nil, environment extra: [String: String] = [:]
    ) async throws -> Outcome {
        try await Outcome.run(
            program, arguments, input: input, environment: environment.merging(extra) { _, new in new }, folder: home)
    }

    /// A client of this installation, in this process.
    package func client(_ identifier: String = "org.docent.tests") -> DocumentsClient {
        var configuration = DocumentsClient.Configuration(clientIdentifier: identifier)
        configuration.environment = environment
        return DocumentsClient(configuration)
    }

    /// Starts a daemon directly and returns its process. It runs until it exits or is killed.
    package func startDaemon(environment extra: [String: String] = [:]) throws -> ChildProcess {
        Admission.expect(.daemon)
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        return try ChildProcess(
            Self.binaries + "/docentd", environment: environment.merging(extra) { _, new in new }, errors: .file(log))
    }

    /// The process that holds the lock of the data directory, if one does. The kernel's list of locks says so: the
    /// number in the lock file may be that of any process by now.
    package var daemonProcess: pid_t? {
        let lock = try? FileManager.default.attributesOfItem(atPath: "\(data)/docent.lock")
        guard let number = lock?[.systemFileNumber] as? Int, let locks = read("/proc/locks") else { return nil }
        // "3: FLOCK  ADVISORY  WRITE 16132 fe:00:16319640 0 EOF"; one that waits has an arrow before its kind.
        for words in locks.split(separator: "\n").map({ $0.split(separator: " ") })
        where words.count > 5 && words[1] == "FLOCK" && words[5].hasSuffix(":\(number)") {
            return pid_t(words[4])
        }
        return nil
    }

    /// Waits until a condition is true; fails after a long time.
    package func eventually(_ what: String, within seconds: Double = 120, _ condition: () async throws -> Bool)
        async throws
    {
        let deadline = Date().addingTimeInterval(seconds)
        while try await !condition() {
            guard Date() < deadline else { throw Problem("never came true: \(what)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    // MARK: Files

    /// Writes a file in the folder that LocalFolder presents, and makes the folders above it.
    package func write(_ text: String, to name: String) throws {
        let place = URL(fileURLWithPath: "\(documents)/\(name)")
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
    }

    /// Reads a file; nil when it does not exist.
    package func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}

/// The reason why a test cannot continue.
package struct Problem: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
