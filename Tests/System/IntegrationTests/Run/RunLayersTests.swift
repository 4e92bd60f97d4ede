import DocentTestSupport
import Foundation
import Glibc
import Testing

/// What closes the sandbox, what opens it, and what happens where it cannot be created (law 8, S6).
@Suite(.needs(.daemon)) struct RunLayersTests {
    private static let docent = Installation.binaries + "/docent"

    @Test("S6: a program that uses the SDK inside reads and writes granted documents, and is refused others")
    func sdkInside() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["a", "b", "c"] { try installation.write("hello", to: "\(name).txt") }
            try await installation.docent("grants", "add", "org.example.Boxed", "LocalFolder:/a.txt", "--read-only")
                .succeeded()
            try await installation.docent("grants", "add", "org.example.Boxed", "LocalFolder:/c.txt")
                .succeeded()
            let commands = [
                "1\tread\tgranted:a.txt", "2\twrite\tgranted:a.txt\tchanged", "3\twrite\tgranted:c.txt\tchanged",
                "4\tread\tgranted:b.txt", "5\tread\tLocalFolder:/b.txt", "6\tread\tLocalFolder:/",
            ]
            let probe = Installation.binaries + "/claim-probe"
            // Its input stays open until everything is answered: the probe exits at its end.
            let outcome = try await installation.sandboxed(
                "org.example.Boxed", ["--program-directory", Installation.binaries],
                """
                (printf '%s\\n' "$2"; for i in $(seq 900); do [ "$(cut -f1 ~/told | sort -u | wc -l)" -ge 7 ] && break; sleep 0.1; done) \
                | "$1" > ~/told; sort ~/told | cut -f1-3
                """, arguments: [probe, commands.joined(separator: "\n")])
            let lines = try outcome.succeeded().text.split(separator: "\n").map { $0.split(separator: "\t") }
            func words(_ id: String) -> [String] {
                (lines.first { $0.first.map(String.init) == id } ?? []).dropFirst().map(String.init)
            }
            #expect(words("1") == ["read", "hello"])
            #expect(words("2") == ["error", "NotPermitted"])
            #expect(words("3").first == "ok", "\(outcome.text)")
            #expect(words("4") == ["error", "NotFound"])
            #expect(words("5") == ["error", "NotPermitted"])
            #expect(words("6") == ["error", "NotPermitted"])
            #expect(
                ["a", "b", "c"].map { installation.read("\(installation.documents)/\($0).txt") }
                    == ["hello", "hello", "changed"])
        }
    }

    @Test("Law 8: without bubblewrap, or without namespaces, nothing runs, and the exit code is 5")
    func noSandbox() async throws {
        // Its daemon is started inside, so that it knows the namespaces of its clients.
        try await Installation.with { installation in
            let run = [Self.docent, "run", "--client", "org.example.Boxed", "--", "sh", "-c", "echo ran; echo > ~/ran"]
            let missing = try await installation.run(
                "/usr/bin/bwrap", ["--dev-bind", "/", "/", "--ro-bind", "/dev/null", "/usr/bin/bwrap"] + run)
            #expect(missing.status == 5, "\(missing.errors)")
            #expect(missing.errors.contains("apt install bubblewrap"), "\(missing.errors)")
            let forbidden = try await installation.run(
                "/usr/bin/bwrap", ["--dev-bind", "/", "/", "--unshare-user", "--disable-userns"] + run)
            #expect(forbidden.status == 5, "\(forbidden.errors)")
            #expect(forbidden.errors.contains("docent doctor"), "\(forbidden.errors)")
            for outcome in [missing, forbidden] { #expect(outcome.output.isEmpty) }
            #expect(
                !FileManager.default.fileExists(atPath: installation.privateHome("org.example.Boxed", "ran")))
        }
    }

    /// Authenticates to a bus like a client, and prints the answer.
    private static let login = #"""
        import os, socket
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(30)
        try:
            connection.connect(os.environ.get("DBUS_SESSION_BUS_ADDRESS", "").removeprefix("unix:path="))
            connection.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
            print(connection.recv(100).split()[0].decode())
        except OSError: print("no bus")
        print(sorted(os.listdir(os.environ["XDG_RUNTIME_DIR"])))
        """#

    @Test(
        "S6: --allow session-bus exposes only the bus's socket; without the option there is none",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")))
    func sessionBus() async throws {
        try await Installation.withLocalFolder { installation in
            let bus = installation.root + "/run/bus"
            try Data(
                """
                <busconfig><type>session</type><listen>unix:path=\(bus)</listen><auth>EXTERNAL</auth>
                <policy context="default"><allow send_destination="*"/><allow own="*"/></policy></busconfig>
                """.utf8
            ).write(to: URL(fileURLWithPath: installation.root + "/bus.conf"))
            let daemon = try ChildProcess(
                "/usr/bin/dbus-daemon", ["--config-file=\(installation.root)/bus.conf", "--nofork"],
                environment: installation.environment)
            defer {
                daemon.send(SIGKILL)
                daemon.waitUntilExit()
            }
            try await installation.eventually("the bus listens") { FileManager.default.fileExists(atPath: bus) }
            for (options, answer) in [
                (["--allow", "session-bus"], "OK\n['bus', 'docent']\n"), ([], "no bus\n['docent']\n"),
            ] {
                let outcome = try await installation.run(
                    Self.docent,
                    ["run", "--client", "org.example.Boxed"] + options + ["--", "python3", "-c", Self.login],
                    environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(bus),guid=0123"])
                #expect(try outcome.succeeded().text == answer, "\(outcome.errors)")
            }
        }
    }
}
