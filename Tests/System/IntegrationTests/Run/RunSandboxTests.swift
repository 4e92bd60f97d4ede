import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The view and the abilities of a program in `docent run` (S4 to S6, T4, D2).
@Suite(.needs(.daemon)) struct RunSandboxTests {
    @Test(
        "S6: the program sees its own empty home and no file of the user; it cannot change the system, or use a network, session bus or new namespace"
    )
    func closed() async throws {
        try await Installation.withLocalFolder { installation in
            try await TestStep.run("the file tree") { try await Self.fileTree(installation) }
            try await TestStep.run("the read-only system") { try await Self.readOnlySystem(installation) }
            try await TestStep.run("closed sockets") { try await Self.closedSockets(installation) }
            try await TestStep.run("nested namespaces") { try await Self.nestedNamespaces(installation) }
        }
    }

    /// It sees its own empty home instead of the user's, and no container, socket or file of the user.
    private static func fileTree(_ installation: Installation) async throws {
        try installation.write("hello", to: "a.txt")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: installation.home + "/private.txt"))
        let seen = try await installation.sandboxed(
            "org.example.Tree", [],
            """
            pwd; ls -A "$HOME"; echo --; find / -xdev -name '*.sock' 2>/dev/null; echo --
            for path in "$@"; do [ -e "$path" ] && echo "sees $path"; done; find / -name a.txt -o -name private.txt \
            -o -name docent.sqlite 2>/dev/null | grep -v '^/proc/\\|^/opt/\\|^/usr/'; true
            """,
            arguments: [
                installation.documents, installation.data, installation.socket, installation.manifests, "/home",
                "/root",
                "/etc/shadow", "/etc/ssh", "/sys", "/mnt", "/var/lib", "/dev/mem", "/run/dbus", "/run/systemd",
            ]
        ).succeeded()
        #expect(seen.text == "\(installation.home)\n--\n--\n", "\(seen.text)")
    }

    /// The system is visible and cannot be changed, nor can the root, and there is no capability.
    private static func readOnlySystem(_ installation: Installation) async throws {
        let outcome = try await installation.sandboxed(
            "org.example.System", [],
            """
            for path in / /usr /etc /usr/bin /opt "$XDG_RUNTIME_DIR/docent"; do touch "$path/docent-probe" 2>/dev/null && echo "wrote $path"; done
            rm -f "$DOCENT_SOCKET" 2>/dev/null; [ -S "$DOCENT_SOCKET" ] || echo "removed the socket"
            echo x > /tmp/a && echo x > /var/tmp/a && echo x > ~/a && cat /tmp/a /var/tmp/a ~/a
            grep CapEff /proc/self/status; ulimit -Hn; cat /etc/passwd | wc -l; id -u
            """
        ).succeeded()
        #expect(outcome.text == "x\nx\nx\nCapEff:\t0000000000000000\n4096\n2\n\(getuid())\n", "\(outcome.text)")
    }

    /// There is no network and no session bus, not even in the abstract name space.
    private static func closedSockets(_ installation: Installation) async throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        let name = "docent-test-\(UUID().uuidString)"
        try await installation.run("/usr/bin/env", ["true"]).succeeded()
        let outcome = try await installation.sandboxed(
            "org.example.Sockets", [],
            """
            echo "bus: $DBUS_SESSION_BUS_ADDRESS"; ls "$XDG_RUNTIME_DIR"
            python3 -c '
            import socket
            for name, address in ((socket.AF_INET, ("127.0.0.1", \(Self.port(listener: name)))), (socket.AF_INET, ("192.0.2.1", 80))):
                try: probe = socket.socket(name); probe.settimeout(5); probe.connect(address); print("connected", address)
                except OSError as error: print("closed")
            '
            """, environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(installation.root)/bus"]
        ).succeeded()
        #expect(outcome.text == "bus: \ndocent\nclosed\nclosed\n", "\(outcome.text)")
    }

    /// No namespace can be created, and read-only mounts stay read-only.
    private static func nestedNamespaces(_ installation: Installation) async throws {
        try installation.write("hello", to: "b.txt")
        let outcome = try await installation.sandboxed(
            "org.example.Spaces", [],
            """
            for program in unshare bwrap mount; do command -v $program >/dev/null || echo "no $program"; done
            for attempt in 'unshare -U true' 'unshare -Ur true' 'unshare -Urm true' 'unshare -Urn true' 'unshare -m true' \\
                'bwrap --dev-bind / / true' 'mount -t tmpfs none /tmp' 'mount -o remount,rw /usr' \\
                "unshare -Urm mount -o remount,bind,rw /usr" "cat '$1'"; do
                sh -c "$attempt" >/dev/null 2>&1 && echo "could: $attempt"
            done; echo end
            """, arguments: [installation.documents + "/b.txt"])
        #expect(try outcome.succeeded().text == "end\n", "\(outcome.errors)")
    }

    @Test("S6: the home persists per client, is private to this user, and another client has another one")
    func homes() async throws {
        try await Installation.withLocalFolder { installation in
            try await installation.sandboxed("org.example.One", [], "echo kept > ~/note").succeeded()
            #expect(try await installation.sandboxed("org.example.One", [], "cat ~/note").succeeded().text == "kept\n")
            #expect(try await installation.sandboxed("org.example.Two", [], "ls -A ~").succeeded().text.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: installation.home + "/note"))
            var status = stat()
            #expect(stat(installation.privateHome("org.example.One", ""), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o700)
        }
    }

    /// A listening port of this machine; its listener lives as long as the test process.
    private static func port(listener: String) -> UInt16 {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = bind(server, generic, length)
                _ = listen(server, 8)
                _ = getsockname(server, generic, &length)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
    }

    @Test(
        "I1, D2: the command line inside is the confined client: ungranted access is refused, and it starts no daemon")
    func commandLineInside() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            for verb in ["cat LocalFolder:/a.txt", "ls LocalFolder:/", "grants", "daemon stop", "providers"] {
                let outcome = try await installation.sandboxed("org.example.Boxed", [], "docent \(verb)")
                #expect(outcome.status == 3, "\(verb): \(outcome.errors)")
                #expect(outcome.output.isEmpty)
            }
            let outcome = try await installation.sandboxed(
                "org.example.Boxed", [],
                "DOCENT_SOCKET= XDG_RUNTIME_DIR=/tmp docent ls LocalFolder:/; pgrep docentd; true")
            #expect(outcome.output.isEmpty, "\(outcome.text)")
        }
    }

    @Test("S6, I2: a plain varlink client inside is that client, whatever it states")
    func varlinkInside() async throws {
        try await Installation.withLocalFolder { installation in
            let program =
                SandboxedPython.client + """
                    print(opened["kind"], opened["identifier"])
                    print(kind(call("org.docent.Picker.ListProviders", {})), kind(call("org.docent.Administration.Status", {})))
                    """
            let outcome = try await installation.run(
                Installation.binaries + "/docent",
                ["run", "--client", "org.example.Boxed", "--", "python3", "-c", program])
            #expect(try outcome.succeeded().text == "run org.example.Boxed\nNotPermitted NotPermitted\n")
        }
    }

    @Test(
        "The exit code is the program's, or 128 plus its signal; only listed variables are passed on, a program of the user is shown alone, and wrong usage is reported before anything runs"
    )
    func programs() async throws {
        try await Installation.withLocalFolder { installation in
            try await TestStep.run("exit codes") { try await Self.exitCodes(installation) }
            try await TestStep.run("refusals") { try await Self.refusals(installation) }
            try await TestStep.run("environment") { try await Self.environment(installation) }
            try await TestStep.run("own program") { try await Self.ownProgram(installation) }
        }
    }

    private static func exitCodes(_ installation: Installation) async throws {
        let codes: [(text: String, code: Int32)] = [
            ("exit 0", 0), ("exit 42", 42), ("kill -9 $$", 137), ("kill -TERM $$", 143),
        ]
        for (number, (text, code)) in codes.enumerated() {
            let outcome = try await installation.sandboxed("org.example.Exit\(number)", [], text)
            #expect(outcome.status == code, "\(text): \(outcome.errors)")
        }
    }

    /// A missing program or program name is reported before anything runs, and so is wrong usage.
    private static func refusals(_ installation: Installation) async throws {
        let boxed = ["--client", "org.example.Refused"]
        try Data("no program".utf8).write(to: URL(fileURLWithPath: installation.home + "/plain"))
        let refused: [(arguments: [String], status: Int32)] = [
            (boxed + ["--", "no-such-program"], 2), (boxed + ["--", "./plain"], 3),
            (["--client", "../x", "--", "true"], 64), (boxed, 64),
            (boxed + ["--allow", "all", "--", "true"], 64),
            (boxed + ["--document", "LocalFolder:/none.txt", "--", "true"], 2),
        ]
        for (arguments, status) in refused {
            let outcome = try await installation.run(Installation.binaries + "/docent", ["run"] + arguments)
            #expect(outcome.status == status, "\(arguments)")
        }
    }

    /// Only listed environment variables are passed on, and those of --setenv.
    private static func environment(_ installation: Installation) async throws {
        let outcome = try await installation.sandboxed(
            "org.example.Variables", ["--setenv", "GIVEN=a=b"], "echo \"$GIVEN,$SECRET,$LC_TIME,$DOCENT_DAEMON\"",
            environment: ["SECRET": "s", "LC_TIME": "C"])
        #expect(try outcome.succeeded().text == "a=b,,C,\n")
    }

    /// It is shown alone; --program-directory shows its directory, read-only.
    private static func ownProgram(_ installation: Installation) async throws {
        let folder = installation.home + "/tools"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await ProgramFile.write(
            "#!/bin/sh\nls -A \"$(dirname \"$0\")\"; echo x > \"$(dirname \"$0\")/helper\"", to: folder + "/tool")
        try Data("help".utf8).write(to: URL(fileURLWithPath: folder + "/helper"))
        let docent = Installation.binaries + "/docent"
        let alone = try await installation.run(docent, ["run", "--client", "org.example.A", "--", "tools/tool"])
        #expect(alone.text == "tool\n")
        let both = try await installation.run(
            docent, ["run", "--client", "org.example.B", "--program-directory", "tools", "--", "tools/tool"])
        #expect(both.text == "helper\ntool\n")
        #expect(installation.read(folder + "/helper") == "help")
    }

    @Test("A signal reaches the program, which can handle it; its children end with it")
    func signals() async throws {
        try await Installation.withLocalFolder { installation in
            for number in [SIGTERM, SIGINT, SIGHUP] {
                let client = "org.example.Signal\(number)"
                let ready = installation.privateHome(client, "ready")
                let run = try installation.startSandboxed(
                    client, [], "trap 'exit 9' TERM INT HUP; sleep 1000 & echo > ~/ready; while :; do sleep 0.1; done",
                    errors: installation.root + "/errors-\(number)")
                try await installation.eventually("the program for signal \(number) runs") {
                    FileManager.default.fileExists(atPath: ready)
                }
                run.send(number)
                run.waitUntilExit()
                #expect(run.terminationReason == .exit, "signal \(number)")
                #expect(run.terminationStatus == 9, "signal \(number)")
            }
        }
    }

    @Test("S5: kill -9 of docent run ends all processes in the sandbox")
    func killed() async throws {
        try await Installation.withLocalFolder { installation in
            let beat = installation.privateHome("org.example.Boxed", "beat")
            let run = try installation.startSandboxed(
                "org.example.Boxed", [], "(while :; do echo x >> ~/beat; sleep 0.05; done) & wait",
                errors: installation.root + "/errors")
            try await installation.eventually("the program runs") { FileManager.default.fileExists(atPath: beat) }
            run.send(SIGKILL)
            run.waitUntilExit()
            func size() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: beat)).count }
            try await installation.eventually("nothing is written any more") {
                let before = try size()
                try await Task.sleep(for: .seconds(1))
                return try size() == before
            }
            // The next run removes the socket's folder.
            try await installation.sandboxed("org.example.Boxed", [], "true").succeeded()
            let left = try FileManager.default.contentsOfDirectory(atPath: installation.root + "/run/docent")
            #expect(!left.contains { $0.hasPrefix("c-") }, "\(left)")
        }
    }

    @Test(
        "S4: redirected input and output pass through pipes: the file cannot be reopened, and no folder is accessible")
    func streams() async throws {
        try await Installation.withLocalFolder { installation in
            let outcome = try await installation.sandboxed(
                "org.example.Boxed", [],
                "cat; echo err >&2; for n in 0 1 2; do [ -f /proc/self/fd/$n ] && echo file $n; done; true",
                input: Data("in\n".utf8)
            ).succeeded()
            #expect(outcome.text == "in\n")
            #expect(outcome.errors == "err\n")
            let long = try await installation.sandboxed("org.example.Boxed", [], "seq 200000").succeeded()
            #expect(long.text.hasSuffix("\n200000\n"), "the end of the output is waited for")
            let folder = try await installation.run(
                "/bin/sh", ["-c", "\(Installation.binaries)/docent run --client org.example.Boxed -- true </"])
            #expect(folder.status == 64, "\(folder.errors)")
        }
    }

    @Test("D3: a client in a sandbox finds the next daemon by the same socket")
    func daemonRestart() async throws {
        try await Installation.withLocalFolder { installation in
            let go = installation.privateHome("org.example.Boxed", "go")
            let answer = installation.privateHome("org.example.Boxed", "answer")
            let run = try installation.startSandboxed(
                "org.example.Boxed", [],
                """
                docent ls LocalFolder:/; echo $? > ~/before; while [ ! -e ~/go ]; do sleep 0.1; done
                for i in $(seq 300); do docent ls LocalFolder:/; code=$?; [ $code = 3 ] && break; sleep 0.1; done; echo $code > ~/answer
                """, errors: installation.root + "/errors")
            try await installation.eventually("it was answered") {
                installation.read(installation.privateHome("org.example.Boxed", "before")) == "3\n"
            }
            let daemon = try #require(installation.daemonProcess)
            kill(daemon, SIGKILL)
            _ = FileManager.default.createFile(atPath: go, contents: nil)
            try await installation.eventually("it is answered again", within: 60) { installation.read(answer) == "3\n" }
            run.waitUntilExit()
            #expect(installation.daemonProcess != daemon)
        }
    }
}
