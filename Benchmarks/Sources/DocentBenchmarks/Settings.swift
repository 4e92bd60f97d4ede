import Foundation

/// The options on the command line.
struct Settings: Sendable {
    /// Where Docent is installed.
    var prefix = "/usr/local"
    /// The directory for files; everything created there is removed.
    var directory = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    /// Whether to write JSON.
    var isJSON = false
    /// How often each comparison is repeated.
    var rounds = 7
    /// Size of the large file in bytes.
    var largeSize = 1 << 30
    /// The number of files in the large folder.
    var folderSize = 100_000
    /// The number of documents in the large folder of a server.
    var remoteFolderSize = 10_000
    /// Directory of the scripts that start servers.
    var servers = "Tests/Servers"
    /// Whether to measure only some ratios, with small documents and folders, in about a minute.
    var isQuick = false
    /// Names of the benchmarks to run; all when empty.
    var only: Set<String> = []

    static let usage = """
        usage: DocentBenchmarks [--prefix DIR] [--directory DIR] [--servers DIR] [--rounds N] [--mebibytes N]
                                [--files N] [--remote-files N] [--only NAME]… [--quick] [--json]
        names: open read view cold cat providers many-providers import list memory coordinated-read contention held-claims
               download upload many remote-list first-byte remote-memory remote-view
               rights grant bookmark versions validate

        """

    /// Reads the arguments after the program's name.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if name == "--json" {
                isJSON = true
                continue
            }
            if name == "--quick" {
                isQuick = true
                (rounds, largeSize, folderSize, remoteFolderSize) = (5, 64 << 20, 10_000, 1000)
                continue
            }
            guard let value = rest.popFirst() else { throw Problem(Self.usage) }
            switch name {
            case "--prefix": prefix = value
            case "--directory": directory = value
            case "--servers": servers = value
            case "--rounds": rounds = try Self.number(value, atLeast: 5)
            case "--mebibytes": largeSize = try Self.number(value, atLeast: 1) << 20
            case "--files": folderSize = try Self.number(value, atLeast: 1)
            case "--remote-files": remoteFolderSize = try Self.number(value, atLeast: 1)
            case "--only": only.insert(value)
            default: throw Problem(Self.usage)
            }
        }
        for program in [docent, daemon] where !FileManager.default.isExecutableFile(atPath: program) {
            throw Problem("\(program) is missing; `make bench` installs what it measures.")
        }
    }

    /// The benchmarks of a quick run: ratios that are stable with small sizes.
    private static let quick: Set<String> = [
        "open", "read", "import", "list", "coordinated-read", "download", "upload",
    ]

    /// Whether to run the benchmark of this name.
    func includes(_ name: String) -> Bool {
        only.isEmpty ? !isQuick || Self.quick.contains(name) : only.contains(name)
    }

    /// The command line program.
    var docent: String { prefix + "/bin/docent" }
    /// The daemon's program.
    var daemon: String { prefix + "/libexec/docent/docentd" }
    /// The program that measures rights inside the daemon's module; `make bench` builds it.
    var rightsProgram: String {
        ProcessInfo.processInfo.environment["DOCENT_RIGHTS_BENCHMARK"] ?? prefix + "/libexec/docent/rights-benchmark"
    }
    /// Directory of the plugins.
    var plugins: String { prefix + "/lib/docent/providers" }
    /// Directory of the plugins' manifests.
    var manifests: String { prefix + "/share/docent/manifests" }

    /// The Python in whose directory rclone is.
    var python: String {
        ProcessInfo.processInfo.environment["DOCENT_TEST_PYTHON"] ?? "/var/tmp/docent-test-venv/bin/python"
    }
    /// The program rclone.
    var rclone: String { String(python.dropLast(python.split(separator: "/").last?.count ?? 0)) + "rclone" }

    private static func number(_ text: String, atLeast least: Int) throws -> Int {
        guard let number = Int(text), number >= least else { throw Problem("\"\(text)\" must be \(least) or more.") }
        return number
    }
}
