import DocentTestSupport
import Foundation

extension Installation {
    /// Runs a shell command in the sandbox of a client.
    func sandboxed(
        _ client: String = "org.example.Boxed", _ options: [String] = [], _ text: String, arguments: [String] = [],
        input: Data? = nil, environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await run(
            Self.binaries + "/docent",
            ["run", "--client", client] + options + ["--", "sh", "-c", text, "sh"] + arguments,
            input: input, environment: environment)
    }

    /// Starts the same and does not wait.
    func startSandboxed(
        _ client: String = "org.example.Boxed", _ options: [String] = [], _ text: String, arguments: [String] = [],
        errors: String
    ) throws -> ChildProcess {
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        return try ChildProcess(
            Self.binaries + "/docent",
            ["run", "--client", client] + options + ["--", "sh", "-c", text, "sh"] + arguments,
            environment: environment, folder: home, errors: .file(errors))
    }

    /// A path inside a client's private home, on this machine.
    func privateHome(_ client: String, _ name: String) -> String { "\(data)/Clients/\(client)/home/\(name)" }
}

/// A client in Python that speaks varlink over the one socket, and its requests.
enum SandboxedPython {
    static let client = #"""
        import json, os, socket, sys
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(os.environ["DOCENT_SOCKET"])
        pending = b""
        def call(method, parameters, more=False):
            global pending
            message = {"method": method, "parameters": parameters}
            if more: message["more"] = True
            connection.sendall(json.dumps(message).encode() + b"\0")
            while True:
                while b"\0" not in pending:
                    data = connection.recv(65536)
                    if not data: sys.exit("closed")
                    pending += data
                text, _, pending = pending.partition(b"\0")
                reply = json.loads(text)
                if not reply.get("continues"): return reply
        def kind(reply): return reply.get("error", "ok").rpartition(".")[2]
        documents = "org.docent.Documents."
        opened = call(documents + "OpenSession", {"client": "org.example.Stated"})["parameters"]["principal"]

        """#
}
