import DocentTestSupport
import Foundation
import Testing

/// A reused process identifier, against the real daemon, in its own process namespace (I2).
@Suite(.needs(.daemon)) struct ProcessReuseTests {
    @Test("I2: a connection of an ended process is not attributed to the next process with its number")
    func reused() async throws {
        try await Installation.with { installation in
            let script = installation.root + "/reuse.py"
            try Data(Self.program.utf8).write(to: URL(fileURLWithPath: script))
            let answers = try await installation.run(
                "/usr/bin/unshare",
                [
                    "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc", "/usr/bin/python3",
                    script, installation.socket, Installation.binaries + "/docentd",
                ]
            ).succeeded().json([FlatpakImitation.Answer].self)
            try #require(answers.count == 2)
            // The same connection, passed on in the same way, by a process that is still running.
            #expect(answers[0].parameters.principal?.kind == "unconfined", "\(answers[0])")
            #expect(answers[1].error == "org.docent.Documents.NotPermitted", "\(answers[1])")
            #expect(answers[1].parameters.principal == nil)
        }
    }

    private static let program = #"""
        import json, os, signal, socket, subprocess, sys, time
        path, program = sys.argv[1:3]

        def until(what, condition):
            deadline = time.time() + 60
            while not condition():
                assert time.time() < deadline, what
                time.sleep(0.02)

        daemon = subprocess.Popen([program], stdout=subprocess.DEVNULL)

        def connected():
            try:
                one = socket.socket(socket.AF_UNIX)
                one.connect(path)
                one.close()
                return True
            except OSError:
                return False

        until("the daemon never listened", connected)

        def stopped():
            states = []
            for task in os.listdir(f"/proc/{daemon.pid}/task"):
                states.append(open(f"/proc/{daemon.pid}/task/{task}/stat").read().rpartition(")")[2].split()[0])
            return all(state == "T" for state in states)

        def connection(ends):
            """A connection that another process made while the daemon could not look at it, and that process."""
            os.kill(daemon.pid, signal.SIGSTOP)
            until("the daemon never stopped", stopped)
            mine, theirs = socket.socketpair()
            child = os.fork()
            if child == 0:
                one = socket.socket(socket.AF_UNIX)
                one.connect(path)
                socket.send_fds(theirs, [b"x"], [one.fileno()])
                if not ends:
                    time.sleep(300)
                os._exit(0)
            mine.settimeout(60)
            _, descriptors, _, _ = socket.recv_fds(mine, 1, 1)
            if ends:
                os.waitpid(child, 0)
            one = socket.socket(fileno=descriptors[0])
            one.settimeout(60)
            return one, child

        def answer(one):
            os.kill(daemon.pid, signal.SIGCONT)
            one.sendall(json.dumps(
                {"method": "org.docent.Documents.OpenSession", "parameters": {"client": "org.example.Late"}}
            ).encode() + bytes(1))
            data = b""
            while not data.endswith(bytes(1)):
                part = one.recv(65536)
                assert part, "closed without an answer"
                data += part
            return json.loads(data[:-1])

        one, living = connection(ends=False)
        answers = [answer(one)]
        os.kill(living, signal.SIGKILL)
        os.waitpid(living, 0)

        one, gone = connection(ends=True)
        deadline = time.time() + 60
        while True:
            with open("/proc/sys/kernel/ns_last_pid", "w") as last:
                last.write(str(gone - 1))
            again = os.fork()
            if again == 0:
                time.sleep(300)
                os._exit(0)
            if again == gone:
                break
            os.kill(again, signal.SIGKILL)
            os.waitpid(again, 0)
            assert time.time() < deadline, "the number was never used again"
        answers.append(answer(one))
        assert os.waitpid(again, os.WNOHANG) == (0, 0), "the next process of that number has ended"
        print(json.dumps(answers))
        os.kill(again, signal.SIGKILL)
        daemon.terminate()
        try:
            daemon.wait(60)
        except subprocess.TimeoutExpired:
            daemon.kill()
        """#
}
