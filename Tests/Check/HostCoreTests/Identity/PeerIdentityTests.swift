import CLinux
import DocentInterfaces
import DocentTestSupport
import Foundation
import Glibc
import Rights
import Testing

@testable import HostCore
@testable import Varlink

/// Who a peer is, and that a reused process identifier does not change it (I2).
@Suite(.mayBlock) struct PeerIdentityTests {
    /// A child process of this test.
    private struct Sleeper {
        let processIdentifier: pid_t

        init() throws {
            var process: pid_t = 0
            let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("300"), nil]
            defer { for argument in arguments { free(argument) } }
            try #require(posix_spawn(&process, "/bin/sleep", nil, nil, arguments, [nil]) == 0)
            processIdentifier = process
        }

        func end() {
            kill(processIdentifier, SIGKILL)
            waitpid(processIdentifier, nil, 0)
        }
    }

    private static func spawn() throws -> Sleeper { try Sleeper() }

    private static func recognise(_ process: pid_t, _ descriptor: CInt?) throws -> RecognisedPeer {
        try PeerIdentity().recognise(
            PeerCredentials(
                processIdentifier: process, userIdentifier: getuid(), groupIdentifier: getgid(),
                processDescriptor: descriptor))
    }

    @Test("I2: a running process outside every sandbox is unconfined, with its executable")
    func unconfined() throws {
        let process = try Self.spawn()
        defer { process.end() }
        let descriptor = clinux_pidfd_open(process.processIdentifier, 0)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let peer = try Self.recognise(process.processIdentifier, descriptor)
        #expect(peer.principal.kind == .unconfined)
        #expect(peer.executable?.contains("/") == true)
    }

    @Test("I2: a reused process identifier names another process, and the peer is refused")
    func usedAgain() throws {
        let gone = try Self.spawn()
        let descriptor = clinux_pidfd_open(gone.processIdentifier, 0)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        gone.end()
        // What the kernel reported at the connection; the identifier now belongs to this very process.
        #expect { try Self.recognise(getpid(), descriptor) } throws: { error in
            (error as? Failure)?.code == .notPermitted && "\(error)".contains("has ended")
        }
    }

    @Test("I2: a process that has ended is refused, with a pidfd or without")
    func ended() throws {
        let gone = try Self.spawn()
        let descriptor = clinux_pidfd_open(gone.processIdentifier, 0)
        defer { close(descriptor) }
        gone.end()
        for descriptor in [descriptor, nil] {
            #expect { try Self.recognise(gone.processIdentifier, descriptor) } throws: {
                ($0 as? Failure)?.code == .notPermitted
            }
        }
    }

    @Test("I2: the directory of a process stays that process's, even if its identifier is reused")
    func directory() throws {
        let process = try Self.spawn()
        let directory = try #require(ProcessDirectory(process.processIdentifier))
        #expect(directory.namespaces != nil)
        process.end()
        #expect(directory.namespaces == nil)
        #expect(directory.text("mountinfo") == nil)
        #expect(directory.root() == nil)
    }

    @Test("I2: a client's name is shown with how far it can be trusted")
    func strength() {
        for kind in [Principal.Kind.run, .flatpak, .snap] { #expect(kind.strength == .enforced) }
        for kind in [Principal.Kind.unconfined, .unknown] { #expect(kind.strength == .stated) }
        #expect(Principal(kind: .snap, identifier: "foo").wire.strength == "enforced")
    }
}
