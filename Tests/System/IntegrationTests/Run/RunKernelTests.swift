import DocentTestSupport
import Foundation
import Testing

/// Access from a program in `docent run` that bypasses namespaces and descriptors: with its credentials, and with
/// kernel calls that respect neither. The attacks are those of `Tests/Programs/HostileClient/kernel.py`, in a session
/// that has a key.
@Suite(.needs(.daemon)) struct RunKernelTests {
    @Test("S6: keys of the user's session cannot be read, found, changed or listed, and no key can be created")
    func keys() async throws {
        try await Installation.withLocalFolder { installation in
            let inside = try await Self.attack(installation, inside: [])
            inside.expect("key search", ["EPERM"])
            inside.expect("key request", ["EPERM"])
            for attack in ["key read", "key update", "key link", "key add", "key join"] {
                inside.expect(attack, ["EPERM"])
            }
            inside.expect("key list", ["EACCES"])
            inside.expect("key afterwards", ["secret"])
            inside.expect("uring", ["ENOSYS"])
            inside.expect("log", ["EPERM"])
            inside.expect("typing", ["EPERM"])
            #if arch(x86_64)
            inside.expect("lease", ["EPERM"])
            let narrow = inside.filter { $0.attack.hasPrefix("narrow") }
            #expect(
                narrow.allSatisfy { ["EPERM", "EAFNOSUPPORT", "ENOSYS"].contains($0.came) }, "\(narrow)")
            #endif
            // The control: any other program of the user in the same session.
            let outside = try await Self.attack(installation, inside: nil)
            for attack in ["key search", "key read", "key update", "key link", "key add", "key list"] {
                outside.expect(attack, ["worked"])
            }
            outside.expect("key afterwards", ["stolen"])
        }
    }

    @Test(
        "S6: only local sockets can be created, with the network also those of the internet and the list of addresses",
        arguments: [
            ([], [1]), (["--allow", "network"], [1, 2, 10, 16]),
        ] as [(options: [String], families: Set<Int>)])
    func sockets(options: [String], families: Set<Int>) async throws {
        try await Installation.withLocalFolder { installation in
            let inside = try await Self.attack(installation, inside: options)
            for family in 0..<64 {
                let line = try #require(inside.first { $0.attack == "socket \(family)" })
                // A machine may have no IPv6.
                let expected: Set =
                    families.contains(family) ? ["made", family == 10 ? "EAFNOSUPPORT" : "made"] : ["EAFNOSUPPORT"]
                #expect(expected.contains(line.came), "\(line)")
                let pair = try #require(inside.first { $0.attack == "pair \(family)" })
                #expect(pair.came == (family == 1 ? "made" : "EAFNOSUPPORT"), "\(pair)")
            }
            inside.expect("netlink protocol", [families.contains(16) ? "EPROTONOSUPPORT" : "EAFNOSUPPORT"])
        }
    }

    @Test("S6: the program inherits no capability, signal disposition, personality or session, and no priority")
    func inherited() async throws {
        try await Installation.withLocalFolder { installation in
            let inside = try await Self.attack(installation, inside: [])
            for (attack, came) in [
                ("CapInh", "0"), ("CapPrm", "0"), ("CapEff", "0"), ("CapAmb", "0"), ("SigBlk", "0"),
                ("NoNewPrivs", "1"), ("Seccomp", "2"), ("securebits", "0"), ("personality", "0x0"),
                ("hangup", "SIG_DFL"), ("session", "own"), ("group", "own"), ("limit", "0"),
            ] { inside.expect("inherited " + attack, [came]) }
            // The control: the session has all of it, as far as an ordinary user can.
            let outside = try await Self.attack(installation, inside: nil)
            for (attack, came) in [
                ("SigBlk", "512"), ("personality", "0x40000"), ("hangup", "SIG_IGN"), ("session", "foreign"),
                ("group", "foreign"),
            ] { outside.expect("inherited " + attack, [came]) }
        }
    }

    @Test("S6: what restricts the user's session restricts the program as well, which may open 4,096 files")
    func restricted() async throws {
        try await Installation.withLocalFolder { installation in
            let inside = try await Self.attack(installation, inside: [])
            let outside = try await Self.attack(installation, inside: nil)
            // The control: the session has changed each of them.
            for (attack, came) in [("policy", "3"), ("disk", "16391"), ("umask", "0027"), ("queues", "4096 8192")] {
                outside.expect("inherited " + attack, [came])
            }
            #expect(outside.answers("inherited nice").allSatisfy { Int($0) ?? 0 >= 5 })
            #expect(outside.answers("inherited killer").allSatisfy { Int($0) ?? 0 >= 300 })
            #expect(outside.answers("inherited affinity").allSatisfy { !$0.contains(",") })
            for attack in ["policy", "disk", "umask", "queues", "nice", "killer", "affinity"] {
                inside.expect("inherited " + attack, outside.answers("inherited " + attack))
            }
            let files = inside.answers("inherited files").flatMap { $0.split(separator: " ") }.compactMap { Int($0) }
            #expect(files.count == 2 && files.allSatisfy { $0 <= 4096 }, "\(files)")
        }
    }

    @Test(
        "S6: the session keyring is new, so the kernel itself finds no key of the user in it",
        .enabled(if: FileManager.default.isReadableFile(atPath: "/proc/keys")))
    func newKeyring() async throws {
        try await Installation.withLocalFolder { installation in
            let before = try SessionKeyrings.current()
            let ready = installation.privateHome("org.example.Boxed", "ready")
            let go = installation.privateHome("org.example.Boxed", "go")
            let run = try installation.startSandboxed(
                "org.example.Boxed", [], "echo > ~/ready; while [ ! -e ~/go ]; do sleep 0.05; done",
                errors: installation.root + "/errors")
            try await installation.eventually("the program runs") { FileManager.default.fileExists(atPath: ready) }
            let made = try SessionKeyrings.current().subtracting(before)
            #expect(!made.isEmpty)
            _ = FileManager.default.createFile(atPath: go, contents: nil)
            run.waitUntilExit()
            try await installation.eventually("it ended with the program") {
                try !SessionKeyrings.current().isSuperset(of: made)
            }
        }
    }

    /// Runs the attacks in a session with a key; nil runs them outside every sandbox.
    private static func attack(_ installation: Installation, inside options: [String]?) async throws -> [HostileLine] {
        let folder = installation.root + "/plans"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let plan = folder + "/\(UUID().uuidString).json"
        try JSONSerialization.data(withJSONObject: ["group": "kernel", "scratch": "/tmp/docent-kernel-\(UUID())"])
            .write(to: URL(fileURLWithPath: plan))
        let program = ["/usr/bin/python3", HostileStage.programs + "/hostile.py", plan]
        var command = ["/usr/bin/python3", HostileStage.programs + "/session.py", plan]
        if let options {
            command +=
                [
                    Installation.binaries + "/docent", "run", "--client", "org.example.hostile", "--no-picks",
                    "--program-directory", HostileStage.programs, "--program-directory", folder,
                    "--setenv", "PYTHONDONTWRITEBYTECODE=1",
                ] + options + ["--"]
        }
        let outcome = try await installation.run(
            command[0], Array(command.dropFirst()) + program, environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        return try outcome.succeeded().text.split(separator: "\n").map {
            try JSONDecoder().decode(HostileLine.self, from: Data($0.utf8))
        }
    }
}
