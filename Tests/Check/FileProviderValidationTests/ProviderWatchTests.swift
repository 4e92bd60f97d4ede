import Foundation
import Testing

@testable import FileProviderValidation

/// A provider that uses too much of the machine is killed in time.
struct ProviderWatchTests {
    /// A "provider" that is a shell script and answers nothing.
    private func run(_ script: String, _ change: (inout ValidationOptions) -> Void) async throws -> CaseResult {
        let testCase = try #require(ValidationCase.all.first { $0.name == "listing.root" })
        var options = ValidationOptions()
        // Detected long before.
        options.callDeadline = 50
        change(&options)
        let subject = ProviderSubject(identifier: "org.example.Script", displayName: "Script")
        let transport = WireTransport.spawned(
            "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
        return await CaseExecution(options, subject, transport).run(testCase)
    }

    @Test("a provider that eats memory is killed and reported, with its usage")
    func memory() async throws {
        let result = try await run("x=$(head -c 100000000 /dev/zero | tr '\\0' x); sleep 1000; echo $x") {
            $0.memoryLimit = 40 << 20
        }
        let finding = try #require(result.findings.first { $0.did.hasPrefix("Looking at what the provider holds") })
        #expect(finding.expected == "at most 40 MiB of memory" && finding.got.hasSuffix("it was killed"), "\(finding)")
        #expect(result.findings.contains { $0.got.contains("killed by SIGKILL (signal 9") }, "\(result.findings)")
    }

    /// Starts processes from threads of its own.
    private static let threads = """
        exec python3 -c 'import subprocess, threading, time
        def start():
            subprocess.Popen(["sleep", "1000"])
            time.sleep(1000)
        for i in range(12):
            threading.Thread(target=start).start()'
        """

    @Test(
        "a provider that starts processes endlessly is killed with them",
        arguments: ["for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 1000 & done; wait", threads])
    func processes(script: String) async throws {
        let result = try await run(script) { $0.processLimit = 8 }
        let finding = try #require(result.findings.first { $0.did.hasPrefix("Looking at what the provider holds") })
        #expect(finding.expected == "at most 8 processes at a time", "\(finding)")
    }

    @Test("a provider's disk usage counts subfolders and not holes")
    func disk() throws {
        let place = try ScratchPlace()
        defer { place.remove() }
        var options = ValidationOptions()
        options.diskLimit = 1 << 20
        try FileManager.default.createDirectory(atPath: place.provider + "/deep", withIntermediateDirectories: false)
        #expect(FileManager.default.createFile(atPath: place.provider + "/hole", contents: nil))
        #expect(truncate(place.provider + "/hole", 1 << 30) == 0)
        #expect(ProviderWatch.excess(in: place.provider, options) == nil)
        try Data(repeating: 7, count: 2 << 20).write(to: URL(fileURLWithPath: place.provider + "/deep/hog"))
        #expect(ProviderWatch.excess(in: place.provider, options)?.limit == "at most 1 MiB on disk")
    }

    @Test("a provider of ordinary size is not killed")
    func ordinary() async throws {
        let result = try await run("sleep 2") { _ in }
        #expect(!result.findings.contains { $0.did.hasPrefix("Looking at what") }, "\(result.findings)")
    }
}
