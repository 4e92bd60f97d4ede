import DocentTestSupport
import Foundation
import Testing

/// The standard streams of a program in `docent run`, whatever they are outside (S4).
@Suite(.needs(.daemon)) struct RunStreamTests {
    @Test(
        "S4: socket pairs, FIFOs and devices other than the null device are relayed and not inside; folders and kernel facilities are refused"
    )
    func streams() async throws {
        try await Installation.withLocalFolder { installation in
            try await TestStep.run("socket pair") { try await Self.socketPair(installation) }
            try await TestStep.run("FIFO") { try await Self.namedPipe(installation) }
            try await TestStep.run("devices") { try await Self.devices(installation) }
            try await TestStep.run("refused") { try await Self.refused(installation) }
        }
    }

    /// A socket pair is relayed, and no socket is inside.
    private static func socketPair(_ installation: Installation) async throws {
        let outcome = try await Self.run(
            installation, "org.example.Sockets",
            #"""
            import socket
            ours, its = socket.socketpair()
            its.setblocking(False)
            program = start("cat; for n in 0 1 2; do [ -S /proc/self/fd/$n ] && echo socket $n; done; seq 100000; echo end",
                stdin=its, stdout=its, stderr=its)
            its.close()
            ours.sendall(b"hello\n")
            ours.shutdown(socket.SHUT_WR)
            text = b""
            while part := ours.recv(65536): text += part
            print(program.wait(), text.startswith(b"hello\n1\n2\n"), text.endswith(b"\n100000\nend\n"), len(text))
            """#)
        #expect(try outcome.succeeded().text == "0 True True 588905\n", "\(outcome.errors)")
    }

    /// A FIFO is relayed: the program can neither change its mode nor use its other direction.
    private static func namedPipe(_ installation: Installation) async throws {
        let outcome = try await Self.run(
            installation, "org.example.Pipe",
            #"""
            os.mkfifo("fifo", 0o600)
            reading = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK)
            writing = os.open("fifo", os.O_WRONLY)
            os.set_blocking(reading, True)
            program = start("cat; chmod 666 /proc/self/fd/0; chmod 666 /proc/self/fd/1; true", stdin=reading, stdout=PIPE)
            os.close(reading)
            os.write(writing, b"hello\n")
            os.close(writing)
            print(program.communicate()[0], program.returncode, oct(os.stat("fifo").st_mode & 0o777))
            """#)
        #expect(try outcome.succeeded().text == "b'hello\\n' 0 0o600\n", "\(outcome.errors)")
    }

    /// A device other than the null device is relayed, and is not inside.
    private static func devices(_ installation: Installation) async throws {
        let outcome = try await Self.run(
            installation, "org.example.Devices",
            #"""
            for path in "/dev/zero", "/dev/null":
                program = start("head -c 4 | wc -c; [ -c /proc/self/fd/0 ] && echo device; true",
                    stdin=open(path, "rb"), stdout=PIPE)
                print(path, program.communicate()[0].split(), program.returncode)
            """#)
        #expect(
            try outcome.succeeded().text == "/dev/zero [b'4'] 0\n/dev/null [b'0', b'device'] 0\n",
            "\(outcome.errors)")
    }

    /// Descriptors of folders and kernel facilities are refused, and nothing runs.
    private static func refused(_ installation: Installation) async throws {
        let outcome = try await Self.run(
            installation, "org.example.Refused",
            #"""
            import select
            handles = {"folder": os.open(".", os.O_RDONLY), "path": os.open(".", os.O_PATH), "event": os.eventfd(1),
                "epoll": select.epoll().fileno(), "process": os.pidfd_open(os.getpid())}
            for name, handle in handles.items():
                for stream in "stdin", "stdout", "stderr":
                    streams = {"stdin": DEVNULL, "stdout": DEVNULL, "stderr": DEVNULL, stream: handle}
                    program = start("echo > ~/ran", **streams)
                    print(name, stream, program.wait())
            """#)
        let expected = ["folder", "path", "event", "epoll", "process"].flatMap { name in
            ["stdin", "stdout", "stderr"].map { "\(name) \($0) 64\n" }
        }
        #expect(try outcome.succeeded().text == expected.joined(), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: installation.privateHome("org.example.Refused", "ran")))
    }

    /// Runs Python code that starts shell commands in the sandbox.
    private static func run(_ installation: Installation, _ client: String, _ text: String) async throws -> Outcome {
        let head = """
            import os, sys
            from subprocess import DEVNULL, PIPE, Popen
            def start(text, **streams):
                return Popen([sys.argv[1], "run", "--client", sys.argv[2], "--", "sh", "-c", text], **streams)

            """
        return try await installation.run(
            "/usr/bin/python3", ["-c", head + text, Installation.binaries + "/docent", client])
    }
}
