import DocentTestSupport
import Foundation

/// Runs Python programs against an installation: a client of the protocol that shares no code with Docent's.
///
/// `DOCENT_TEST_PYTHON` names an interpreter that can import the package `varlink`, such as one of a venv.
enum ProtocolPython {
    /// Runs a program with the helpers of ``prelude``; its assertions are the test.
    static func run(_ installation: Installation, _ program: String, _ arguments: String...) async throws {
        let script = installation.root + "/\(UUID().uuidString).py"
        try Data((prelude + program).utf8).write(to: URL(fileURLWithPath: script))
        let interpreter = try await plain(installation)
        try await installation.run(interpreter, [script, installation.socket] + arguments).succeeded()
    }

    /// An interpreter that can import `varlink`.
    static func withVarlink(_ installation: Installation) async throws -> String {
        for candidate in candidates
        where try await installation.run(candidate, ["-c", "import varlink"]).status == 0 { return candidate }
        throw Problem(
            """
            No python3 can import the package varlink (tried \(candidates.joined(separator: ", "))). Make one with \
            `/usr/bin/python3 -m venv V && V/bin/pip install varlink` and set DOCENT_TEST_PYTHON=V/bin/python.
            """)
    }

    private static func plain(_ installation: Installation) async throws -> String {
        for candidate in candidates where try await installation.run(candidate, ["-c", ""]).status == 0 {
            return candidate
        }
        throw Problem("There is no python3: install it, or name one in DOCENT_TEST_PYTHON.")
    }

    private static let candidates: [String] = {
        if let given = ProcessInfo.processInfo.environment["DOCENT_TEST_PYTHON"], !given.isEmpty { return [given] }
        let folders =
            ["/usr/bin", "/usr/local/bin"]
            + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        var seen: Set<String> = []
        return folders.map { $0 + "/python3" }.filter {
            seen.insert($0).inserted && FileManager.default.isExecutableFile(atPath: $0)
        }
    }()

    /// A minimal client: one JSON object and a NUL in each direction, with descriptors.
    static let prelude = """
        import array, json, os, signal, socket, struct, sys, time

        PATH = sys.argv[1]
        DOCUMENTS, PICKER, ADMINISTRATION = "org.docent.Documents.", "org.docent.Picker.", "org.docent.Administration."

        def operation():
            return os.urandom(8).hex()

        def location(path):
            return {"provider": "LocalFolder", "domain": "", "path": path}

        class Raw:
            def __init__(self, client="org.example.raw", path=PATH, timeout=60):
                self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                self.socket.settimeout(timeout)
                self.socket.connect(path)
                self.data, self.descriptors = b"", []
                if client:
                    self.token = self.call(DOCUMENTS + "OpenSession", client=client)["token"]

            def send(self, data, descriptors=()):
                if descriptors:
                    count = socket.send_fds(self.socket, [data], list(descriptors))
                    data = data[count:]
                self.socket.sendall(data)

            def message(self, method, flags=None, **parameters):
                return json.dumps({"method": method, "parameters": parameters, **(flags or {})}).encode() + b"\\0"

            def receive(self):
                # The next message, or None at the end of the connection.
                while b"\\0" not in self.data:
                    try:
                        part, descriptors, _, _ = socket.recv_fds(self.socket, 1 << 16, 64)
                    except ConnectionResetError:
                        return None
                    self.descriptors += descriptors
                    if not part:
                        return None
                    self.data += part
                text, _, self.data = self.data.partition(b"\\0")
                return json.loads(text)

            def reply(self, method, descriptors=(), flags=None, **parameters):
                self.send(self.message(method, flags, **parameters), descriptors)
                return self.receive()

            def call(self, method, descriptors=(), **parameters):
                reply = self.reply(method, descriptors, **parameters)
                assert reply is not None, method + ": the connection was closed"
                assert "error" not in reply, reply
                return reply.get("parameters", {})

            def is_closed(self):
                try:
                    return self.receive() is None
                except BrokenPipeError:
                    return True

            def pick(self, path, access="readWrite"):
                answer = self.call(PICKER + "PickOpen", location=location(path), access=access, operation=operation())
                return answer["item"]["reference"]

            def kill(self):
                self.socket.close()

        def error(reply):
            assert reply is not None, "the connection was closed instead of an answer"
            return reply.get("error")

        def works():
            other = Raw("org.example.other")
            names = [item["name"] for item in other.call(PICKER + "ListFolder", location=location("/"))["items"]]
            assert "a.txt" in names, names
            other.kill()


        """
}
