import Foundation
import Glibc
import Testing

@testable import FileProviderValidation

@Suite struct ChildProgramTests {
    private static func start(_ script: String) throws -> ChildProgram {
        try ChildProgram(
            "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"], passing: [])
    }

    @Test("the last output of a program is available when its end is known")
    func lastWords() async throws {
        for _ in 0..<30 {
            let child = try Self.start("head -c 60000 /dev/zero | tr '\\0' x >&2; echo last >&2; exit 3")
            #expect(await child.waitForEnd(atMost: .seconds(60)) == .init(code: 3))
            #expect(child.errorText.hasSuffix("last"))
        }
    }

    @Test("the end is known even if a descendant keeps standard error, and its output is kept")
    func descendant() async throws {
        let child = try Self.start("(sleep 1; echo later >&2) & kill -9 $$")
        #expect(await child.waitForEnd(atMost: .seconds(60)) == .init(signal: SIGKILL))
        let deadline = ContinuousClock.now + .seconds(60)
        while child.errorText != "later", .now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        #expect(child.errorText == "later")
    }

    @Test("many at a time take one thread each, and no end is lost")
    func many() async {
        // In its own process, where no other threads exist.
        await #expect(processExitsWith: .success) {
            let children = try (0..<100).map { _ in try Self.start("exec sleep 600") }
            let words = try Self.start("echo x >&2")
            _ = await words.waitForEnd(atMost: .seconds(60))
            let threads = Self.threads
            for child in children { child.kill() }
            for child in children where await child.waitForEnd(atMost: .seconds(60)) != .init(signal: SIGKILL) {
                exit(1)
            }
            exit(threads < 150 ? 0 : 2)
        }
    }

    private static var threads: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.count ?? 0
    }
}
