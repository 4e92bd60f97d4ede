import Documents
import Foundation
import Glibc

/// A separate Docent for the benchmark: home, data, socket and manifests in a new directory.
final class Installation: Sendable {
    let root: String
    let settings: Settings
    let environment: [String: String]

    var home: String { root + "/home" }
    /// The folder that LocalFolder shows.
    var documents: String { home + "/Documents" }

    private init(_ settings: Settings, _ extra: [String: String]) throws {
        self.settings = settings
        root = "\(settings.directory)/docent-benchmark-\(UUID().uuidString.prefix(8))"
        environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": root + "/home",
            "XDG_DATA_HOME": root + "/home/.local/share", "XDG_RUNTIME_DIR": root + "/run",
            "DOCENT_MANIFEST_PATH": root + "/manifests", "DOCENT_LIBRARY_PATH": settings.plugins,
            "DOCENT_DAEMON": settings.daemon, "DOCENT_LOG_FILE": root + "/log",
            "DOCENT_IDLE_SECONDS": "600", "DOCENT_EXTENSION_IDLE_SECONDS": "600",
            "DOCENT_CHANGE_LIMIT": "off", "DOCENT_DELETION_GRACE_SECONDS": "0",
        ].merging(extra) { _, new in new }
        for folder in ["home/Documents", "run", "manifests"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
        chmod(root + "/run", 0o700)
    }

    /// Runs a benchmark with an installation that has one provider enabled, and removes it afterwards.
    static func with<Result>(
        _ settings: Settings, provider: String = "LocalFolder", environment: [String: String] = [:],
        _ body: (Installation) async throws -> Result
    ) async throws -> Result {
        let installation = try Installation(settings, environment)
        defer { installation.remove() }
        try installation.install(provider)
        try installation.docent("provider", "enable", "org.docent.\(provider)", "--yes")
        return try await body(installation)
    }

    /// Installs the two manifests of a provider. Those of LocalFolder can be installed under another name.
    func install(_ name: String) throws {
        let original = name == "WebDAV" ? name : "LocalFolder"
        for point in ["FileProvider", "Picker"] {
            let source = try String(
                contentsOfFile: "\(settings.manifests)/org.docent.\(original).\(point).plist", encoding: .utf8)
            try source.replacingOccurrences(of: "org.docent.\(original)", with: "org.docent.\(name)")
                .write(
                    toFile: "\(root)/manifests/org.docent.\(name).\(point).plist", atomically: false, encoding: .utf8)
        }
    }

    private func remove() {
        _ = try? docent("daemon", "stop", "--force")
        try? FileManager.default.removeItem(atPath: root)
    }

    // MARK: Using it

    /// Runs `docent` and returns the seconds that it took.
    @discardableResult
    func docent(_ arguments: String..., input: String = "/dev/null", output: String = "/dev/null") throws -> Double {
        try Program.run(settings.docent, arguments, environment: environment, input: input, output: output)
    }

    /// The identifier that the benchmarks' client states.
    static let clientIdentifier = "org.docent.Benchmarks"

    /// A client in this process.
    func client(_ identifier: String = clientIdentifier) -> DocumentsClient {
        var configuration = DocumentsClient.Configuration(clientIdentifier: identifier)
        configuration.environment = environment
        return DocumentsClient(configuration)
    }

    /// A location of LocalFolder.
    func location(_ path: String) -> DocumentLocation {
        DocumentLocation(provider: "org.docent.LocalFolder", path: path)
    }

    /// Writes a file of that size below the provider's folder, whole and without holes, and returns its path.
    func makeFile(_ name: String, size: Int) throws -> String {
        let path = "\(documents)/\(name)"
        try Self.makeFile(at: path, size: size)
        return path
    }

    /// Writes a file of that size, whole and without holes.
    static func makeFile(at path: String, size: Int) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Problem("\(path) cannot be made") }
        defer { close(descriptor) }
        var generator = SystemRandomNumberGenerator()
        let block = (0..<(min(size, 1 << 20) + 7) / 8).flatMap { _ in
            withUnsafeBytes(of: generator.next() as UInt64) { Array($0) }
        }
        var left = size
        while left > 0 {
            let written = write(descriptor, block, min(left, block.count))
            guard written > 0 else { throw Problem("\(path) cannot be written: \(String(cString: strerror(errno)))") }
            left -= written
        }
        fsync(descriptor)
    }

    // MARK: Its processes

    /// The process that holds the lock of the data directory.
    func daemonProcess() throws -> Int {
        let text = try String(contentsOfFile: home + "/.local/share/docent/docent.lock", encoding: .utf8)
        guard let process = text.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) else {
            throw Problem("the daemon does not run")
        }
        return process
    }

    /// The descendants of the daemon, including the extensions.
    func extensionProcesses() throws -> [Int] { try Self.descendants(of: daemonProcess()) }

    private static func descendants(of process: Int) -> [Int] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let children = tasks.flatMap { task in
            ((try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)) ?? "")
                .split(separator: " ").compactMap { Int($0) }
        }
        return children + children.flatMap(descendants)
    }

    /// A value of `/proc/PID/status` in MiB.
    static func memory(_ process: Int, _ key: String = "VmRSS") throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key + ":") }),
            let kibibytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Double($0) })
        else { throw Problem("process \(process) does not tell \(key)") }
        return kibibytes / 1024
    }
}
