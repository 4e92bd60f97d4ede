import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The service programs installed with Docent, with the services that they support.
@Suite struct ReadyServiceTests {
    private static let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private static func run(
        _ name: String, _ arguments: [String], input: Data? = nil, _ environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await Outcome.run(
            "\(Repository.root)/packaging/services/\(name)", arguments, input: input,
            environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(environment) { _, new in new },
            folder: "/")
    }

    @Test("directory changes a folder, removes its read permission, and restores it", .needs(.programs))
    func directory() async throws {
        let folder = NSTemporaryDirectory() + "ready-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer {
            chmod(folder, 0o700)
            try? FileManager.default.removeItem(atPath: folder)
        }
        chmod(folder, 0o755)
        let given = ["DOCENT_SERVICE_FOLDER": folder]
        let name = "a b/deep/c*'\"é$(x).bin"
        try await Self.run("directory", ["change", "write", name], input: Self.content, given).succeeded()
        #expect(FileManager.default.contents(atPath: "\(folder)/\(name)") == Self.content)
        try await Self.run("directory", [folder, "change", "write", name], input: Data("two".utf8)).succeeded()
        #expect(FileManager.default.contents(atPath: "\(folder)/\(name)") == Data("two".utf8))
        for outside in ["../x", "a/../../x", "", "/"] {
            let outcome = try await Self.run("directory", ["change", "delete", outside], given)
            #expect(outcome.status == 64, "\(outside): \(outcome)")
        }
        try await Self.run("directory", ["pause"], given).succeeded()
        #expect(access(folder, R_OK) != 0 && access("\(folder)/\(name)", F_OK) != 0)
        for _ in 0..<2 { try await Self.run("directory", ["resume"], given).succeeded() }
        var facts = stat()
        #expect(stat(folder, &facts) == 0 && facts.st_mode & 0o777 == 0o755)
        try await Self.run("directory", ["change", "delete", "a b"], given).succeeded()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        #expect(try await Self.run("directory", ["dance"], given).status == 64)
        #expect(try await Self.run("directory", ["pause"]).status == 64)
    }

    @Test(
        "directory is unreadable while it is cut, and readable afterwards, even if the program is terminated meanwhile",
        .needs(.programs), arguments: [(":", Int32(0)), ("kill -TERM $PPID", 1)])
    func directoryIsCut(meanwhile: String, status: Int32) async throws {
        let root = NSTemporaryDirectory() + "ready-\(UUID().uuidString)"
        let folder = root + "/shown"
        let tools = root + "/tools"
        for path in [folder, tools] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        defer {
            chmod(folder, 0o700)
            try? FileManager.default.removeItem(atPath: root)
        }
        chmod(folder, 0o755)
        // It takes the place of the program's wait.
        let wait = """
            #!/bin/sh
            [ -r "$DOCENT_SERVICE_FOLDER" ] || : >"${0%/*}/unreadable"
            \(meanwhile)
            """
        try await ProgramFile.write(wait, to: tools + "/sleep")
        let outcome = try await Self.run(
            "directory", ["cut"], ["DOCENT_SERVICE_FOLDER": folder, "PATH": tools + ":/usr/bin:/bin"])
        #expect(outcome.status == status, "\(outcome)")
        #expect(FileManager.default.fileExists(atPath: tools + "/unreadable"))
        var facts = stat()
        #expect(stat(folder, &facts) == 0 && facts.st_mode & 0o777 == 0o755)
    }

    @Test("webdav changes a server with authentication, and reports its address", .needs(.server))
    func webdav() async throws {
        var options = WebDAVServer.Options()
        options.username = "ada"
        options.password = "hu\"sh \\ 51c"
        try await WebDAVServer.with(.apache, options: options) { server in
            let secret = server.directory + "/secret"
            try Data((server.options.password + "\n").utf8).write(to: URL(filePath: secret))
            let given = [
                "DOCENT_SERVICE_SETTING_url": server.url, "DOCENT_SERVICE_USERNAME": "ada",
                "DOCENT_SERVICE_PASSWORD_FILE": secret,
            ]
            let name = "a b/deep/c%20*'\"é[x]?;#&+.bin"
            try await Self.run("webdav", ["change", "write", name], input: Self.content, given).succeeded()
            #expect(try await server.get(name) == Self.content)
            try await Self.run("webdav", [server.url, "change", "write", name], input: Data("two".utf8), given)
                .succeeded()
            #expect(try await server.text(name) == "two")
            let address = try await Self.run("webdav", ["address"], given).succeeded().text
            #expect(server.url == "http://" + address.trimmingCharacters(in: .newlines) + "/")
            try await Self.run("webdav", ["change", "delete", "a b"], given).succeeded()
            #expect(try await server.list().isEmpty)
            #expect(try await Self.run("webdav", ["pause"], given).status == 3)
            let stranger = try await Self.run(
                "webdav", ["change", "write", "x"], input: Data(),
                given.merging(["DOCENT_SERVICE_USERNAME": "bob"]) { _, new in new })
            #expect(stranger.status == 1 && stranger.errors.contains("401"), "\(stranger)")
            try await server.stop()
            let gone = try await Self.run("webdav", ["change", "delete", "x"], given)
            #expect(gone.status == 1 && gone.errors.contains("does not answer"), "\(gone)")
        }
    }

    @Test("sftp changes a server that it reaches with a key", .needs(.server))
    func sftp() async throws {
        let directory = "/tmp/docent-sftp-\(UUID().uuidString.prefix(8))"
        let script = TestServers.folder + "/sftp.sh"
        do {
            let started = try await TestServers.run(script, ["start", directory, "--parent", "\(getpid())"]).succeeded()
            let url = try #require(TestServers.fields(started.text)["url"].flatMap(URL.init))
            let port = try #require(url.port)
            let given = [
                "DOCENT_SERVICE_SFTP_OPTIONS":
                    "-i \(directory)/key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
            ]
            let place = "ada@127.0.0.1:\(port)/"
            try await Self.run("sftp", [place, "change", "write", "a b/deep/c-1.bin"], input: Self.content, given)
                .succeeded()
            let file = directory + "/data/a b/deep/c-1.bin"
            #expect(FileManager.default.contents(atPath: file) == Self.content)
            try await Self.run(
                "sftp", ["sftp://\(place)a b", "change", "write", "deep/c-1.bin"], input: Data("two".utf8), given
            ).succeeded()
            #expect(FileManager.default.contents(atPath: file) == Data("two".utf8))
            try await Self.run("sftp", [place, "change", "delete", "a b"], given).succeeded()
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/data").isEmpty)
            #expect(try await Self.run("sftp", [place, "address"]).succeeded().text == "127.0.0.1:\(port)\n")
            for name in ["../x", "a*", "a\nrm b", "", "a\"b"] {
                #expect(try await Self.run("sftp", [place, "change", "delete", name], given).status == 64, "\(name)")
            }
            #expect(try await Self.run("sftp", [place, "cut"]).status == 3)
            #expect(try await Self.run("sftp", ["-oProxyCommand=x", "address"]).status == 64)
        } catch {
            await Self.end(script, directory)
            throw error
        }
        await Self.end(script, directory)
    }

    private static func end(_ script: String, _ directory: String) async {
        // In its own task: the test may be cancelled.
        _ = await Task { try await TestServers.run(script, ["kill", directory]) }.result
        try? FileManager.default.removeItem(atPath: directory)
    }
}
