import DocentTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

@testable import ProcessLaunching

/// The processes that a process started, as it liked.
@Suite(.mayBlock) struct ProcessTreeTests {
    /// A shell that starts a chain of 12 others.
    private static let chain = "f() { if [ $1 -gt 0 ]; then (f $(($1 - 1))) & wait; else sleep 600; fi; }; f 12"

    @Test("the tree contains what other threads started, and what is deep below")
    func whole() throws {
        let started = Mutex<pid_t>(0)
        Thread.detachNewThread {
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", Self.chain]
            try? shell.run()
            started.withLock { $0 = shell.processIdentifier }
            // A thread that ends leaves its children to another one.
            shell.waitUntilExit()
        }
        let end = ContinuousClock.now + .seconds(60)
        while started.withLock({ $0 == 0 }), .now < end { usleep(1_000) }
        let shell = started.withLock { $0 }
        try #require(shell > 0)
        defer { for one in ProcessTree.descendants(of: shell) + [shell] { kill(one, SIGKILL) } }
        while ProcessTree.descendants(of: shell).count < 12, .now < end { usleep(1_000) }
        let below = ProcessTree.descendants(of: shell)
        #expect(below.count >= 12)
        #expect(Set(ProcessTree.descendants(of: getpid())).isSuperset(of: below + [shell]))
    }
}
