import CLinux
import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import ExtensionHosting

@Suite("An extension in its sandbox", .needs(.programs, within: .seconds(300)))
struct SandboxEscapeTests {
    /// One escape, and the expected refusal.
    struct Attempt: Sendable, CustomTestStringConvertible {
        let name: String
        /// Errors that count as a refusal; empty for any error.
        let errors: [Int32]
        /// Whether the attempt has another result without the sandbox, also for an ordinary user. A kernel that refuses
        /// by itself then cannot make the test pass.
        let isControlled: Bool

        init(_ name: String, _ errors: [Int32] = [], controlled: Bool = true) {
            self.name = name
            self.errors = errors
            isControlled = controlled
        }

        var testDescription: String { name }

        func isRefused(_ outcome: Int32) -> Bool { outcome != 0 && (errors.isEmpty || errors.contains(outcome)) }
    }

    static let gone = [ENOENT, EACCES]
    static let attempts: [Attempt] = [
        Attempt("read-home", gone), Attempt("list-home", gone), Attempt("read-shadow", gone, controlled: false),
        Attempt("read-passwd", gone), Attempt("read-other-container", gone),
        Attempt("write-outside", [ENOENT, EACCES, EROFS]),
        Attempt("write-root", [EACCES, EROFS], controlled: false), Attempt("write-library", [EACCES, EROFS, ETXTBSY]),
        Attempt("replace-library", [EACCES, EROFS, EXDEV, EBUSY], controlled: false),
        Attempt("write-usr", [EACCES, EROFS], controlled: false),
        Attempt("make-device", [EACCES, EPERM], controlled: false),
        Attempt("make-fifo", [EACCES, EPERM], controlled: false),
        Attempt("read-init-environment", [EACCES, EPERM], controlled: false),
        Attempt("write-init-memory", [EACCES, EPERM], controlled: false),
        Attempt("init-root", [EACCES, EPERM], controlled: false),
        Attempt("core-pattern", [EACCES, EROFS, EPERM], controlled: false),
        Attempt("chmod-other", [EPERM]), Attempt("chmod-own", [EPERM]), Attempt("fchmodat2-own", [EPERM]),
        Attempt("chown-own", [EPERM]), Attempt("setuid-own", [EPERM]),
        Attempt("kill-other", [EPERM]), Attempt("kill-init", [EPERM], controlled: false),
        Attempt("tgkill-init", [EPERM], controlled: false), Attempt("queue-signal", [EPERM]),
        Attempt("prlimit-other", [EPERM]), Attempt("prlimit-init", [EPERM], controlled: false),
        Attempt("raise-limit", [EPERM], controlled: false),
        Attempt("process-vm-readv", [EPERM]), Attempt("process-vm-writev", [EPERM]), Attempt("ptrace", [EPERM]),
        Attempt("pidfd-open", [EPERM]), Attempt("pidfd-getfd", [EPERM]), Attempt("io-uring-setup", [EPERM]),
        Attempt("userfaultfd", [EPERM]), Attempt("bpf", [EPERM], controlled: false), Attempt("keyctl", [EPERM]),
        Attempt("lease", [EPERM]), Attempt("lease-high-bits", [EPERM]), Attempt("delegation", [EPERM]),
        Attempt("add-key", [EPERM]), Attempt("list-keys", gone), Attempt("list-key-users", gone),
        Attempt("perf-event-open", [EPERM]), Attempt("mount", [EPERM]),
        Attempt("open-tree", [EPERM]), Attempt("mount-setattr", [EPERM]),
        Attempt("open-tree-attr", [EPERM]), Attempt("unshare", [EPERM]), Attempt("setns", [EPERM]),
        Attempt("clone-user-namespace", [EPERM]), Attempt("clone3", [ENOSYS]), Attempt("personality", [EPERM]),
        Attempt("open-by-handle", [EPERM], controlled: false), Attempt("tiocsti", [EPERM]),
        Attempt("tiocsti-high-bits", [EPERM]), Attempt("tioclinux", [EPERM]), Attempt("fork", [EPERM]),
        Attempt("clone-process", [EPERM]), Attempt("execve", [EPERM]), Attempt("execveat", [EPERM]),
        Attempt("connect-bus", [EACCES]), Attempt("connect-daemon", [EACCES]), Attempt("connect-abstract", [EACCES]),
        Attempt("datagram-pair-abstract", [EACCES]), Attempt("tcp-connect", [EACCES]),
        Attempt("tcp-fastopen", [EACCES]),
        Attempt("tcp-fastopen-message", [EACCES]), Attempt("udp-send", [EACCES]), Attempt("netlink", [EACCES]),
        Attempt("socket-high-bits", [EACCES]), Attempt("vsock", [EACCES]),
        Attempt("packet", [EACCES]), Attempt("fastopen-flag-send", [EACCES]), Attempt("listen", [EACCES]),
    ]

    @Test("S1: an escape from the sandbox is refused", arguments: attempts)
    func isRefused(_ attempt: Attempt) async throws {
        let run = try await SandboxEscapeRun.confined.value
        let outcome = try #require(run.outcomes[attempt.name], "\(run.exit) \(run.errorText)")
        #expect(attempt.isRefused(outcome), "errno \(outcome)")
    }

    @Test("S1: the same escape works without the sandbox, so the sandbox is what prevents it", arguments: attempts)
    func isOpenOutside(_ attempt: Attempt) async throws {
        let run = try await SandboxEscapeRun.unsandboxed.value
        let outcome = try #require(run.outcomes[attempt.name], "\(run.exit) \(run.errorText)")
        if attempt.isControlled { #expect(!attempt.isRefused(outcome), "errno \(outcome)") }
    }

    @Test(
        "S1: the network entitlement gives no access to other programs",
        arguments: attempts.filter { !["tcp-connect", "udp-send", "fastopen-flag-send"].contains($0.name) })
    func isRefusedWithNetwork(_ attempt: Attempt) async throws {
        let run = try await SandboxEscapeRun.networked.value
        let outcome = try #require(run.outcomes[attempt.name], "\(run.exit) \(run.errorText)")
        if attempt.name.hasPrefix("tcp-fastopen") { return }
        #expect(attempt.isRefused(outcome), "errno \(outcome)")
    }

    @Test("S1: the network entitlement gives access to the network", arguments: ["tcp-connect", "udp-send"])
    func networkWorks(_ name: String) async throws {
        #expect(try await SandboxEscapeRun.networked.value.outcomes[name] == 0)
    }

    @Test("S1: nothing outside was changed")
    func nothingHappened() async throws {
        let run = try await SandboxEscapeRun.confined.value
        #expect(run.secretMode == 0o600)
        #expect(!run.madeOutside)
        #expect(run.madeInside)
        #expect(run.exit == .exited(0))
    }

    @Test("S1: every attempt of the plugin has an expectation")
    func allAreJudged() async throws {
        let run = try await SandboxEscapeRun.confined.value
        #expect(Set(run.outcomes.keys) == Set(Self.attempts.map(\.name)))
    }
}
