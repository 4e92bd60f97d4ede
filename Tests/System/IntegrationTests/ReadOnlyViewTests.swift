import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// The abilities of a confined client with its descriptor (S4).
@Suite(.needs(.daemon, .server)) struct ReadOnlyViewTests {
    /// Every way to change a file through a descriptor opened for reading.
    private static let attacks = """
        import errno, os, sys
        descriptor, way = 0, "/proc/self/fd/0"
        def reopen(flags):
            os.close(os.open(way, flags))
        def write():
            other = os.open(way, os.O_WRONLY)
            os.write(other, b"changed")
        for name, act in [
            ("write", write), ("append", lambda: reopen(os.O_RDWR | os.O_APPEND)),
            ("open truncating", lambda: reopen(os.O_WRONLY | os.O_TRUNC)), ("truncate", lambda: os.truncate(way, 0)),
            ("fchmod", lambda: os.fchmod(descriptor, 0o777)), ("chmod", lambda: os.chmod(way, 0o777)),
            ("setxattr", lambda: os.setxattr(descriptor, "user.docent", b"x")),
            ("utime", lambda: os.utime(descriptor, (1, 1))), ("chown", lambda: os.fchown(descriptor, os.getuid(), os.getgid())),
        ]:
            try:
                act()
                print(name, "worked")
            except OSError as error:
                print(name, errno.errorcode[error.errno])
        """

    private static func attack(_ descriptor: CInt) async throws -> [String] {
        // As standard input, which a process started here may have.
        let output = NSTemporaryDirectory() + "docent-attacks-\(UUID().uuidString)"
        try Data().write(to: URL(fileURLWithPath: output))
        defer { unlink(output) }
        let process = try ChildProcess(
            "/usr/bin/env", ["python3", "-c", attacks], environment: ProcessInfo.processInfo.environment,
            input: .descriptor(descriptor), output: .file(output))
        process.waitUntilExit()
        return try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// The bytes and everything else that an attack could change.
    private static func facts(_ path: String) throws -> [String] {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        let content = try String(contentsOfFile: path, encoding: .utf8)
        return [content, "\(status.st_mode) \(status.st_mtim.tv_sec) \(status.st_uid)"]
    }

    /// Grants a document to a confined client, opens it as that client and attacks the descriptor.
    private static func attackAsConfined(
        _ installation: Installation, _ location: DocumentLocation, file path: String
    ) async throws -> [String] {
        let client = installation.client("org.example.boxed")
        let document = try await DocumentPicker(client: client).openDocument(at: location, access: .read)
        client.close()
        try await installation.stopDaemon()
        // Nobody can choose for a confined client from outside yet, so the right is written to the daemon's database.
        let program = """
            import sqlite3, sys
            base = sqlite3.connect(sys.argv[1])
            base.execute("UPDATE grants SET principal_kind = 'run' WHERE principal_id = 'org.example.boxed'")
            base.commit()
            """
        try await installation.run("/usr/bin/env", ["python3", "-c", program, installation.data + "/docent.sqlite"])
            .succeeded()
        var answers: [String] = []
        try await IsolationTests.withConfinedClient(installation, "org.example.boxed") { confined in
            let descriptor = try await confined.document(document.reference, access: .read).openForReading()
            var buffer = [UInt8](repeating: 0, count: 16)
            #expect(pread(descriptor, &buffer, buffer.count, 0) > 0)
            let before = try facts(path)
            answers = try await attack(descriptor)
            #expect(try facts(path) == before, "\(answers)")
            close(descriptor)
            // The control: on the file itself the attacks work.
            let plain = open(path, O_RDONLY)
            defer { close(plain) }
            let worked = try await attack(plain).filter { $0.hasSuffix("worked") }
            #expect(worked.count >= 8, "\(worked)")
            #expect(try facts(path) != before)
        }
        try await installation.stopDaemon()
        return answers
    }

    @Test(
        "S4: a file in a container cannot be changed through a confined client's descriptor; it can through a plain one"
    )
    func container() async throws {
        try await Installation.with { installation in
            let workshop = PluginWorkshop(installation)
            try await workshop.install()
            let answers = try await Self.attackAsConfined(
                installation, DocumentLocation(provider: workshop.shape.identifier, path: "/a.txt"),
                file: workshop.storage + "/a.txt")
            #expect(answers.count == 9)
            if Self.hasUserNamespaces {
                #expect(answers.allSatisfy { $0.hasSuffix("EROFS") }, "\(answers)")
            }
        }
    }

    /// Whether an ordinary user can create a user namespace here; otherwise a private copy is handed out.
    private static var hasUserNamespaces: Bool {
        (try? Outcome.runBlocking("/usr/bin/unshare", ["-Um", "true"]))?.status == 0
    }

    @Test("S4: a file elsewhere cannot be changed through a confined client's descriptor either")
    func elsewhere() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("hello", to: "a.txt")
            let answers = try await Self.attackAsConfined(
                installation, DocumentLocation(provider: "LocalFolder", path: "/a.txt"),
                file: installation.documents + "/a.txt")
            #expect(answers.count == 9)
            if Self.hasUserNamespaces {
                #expect(answers.allSatisfy { $0.hasSuffix("EROFS") }, "\(answers)")
            }
        }
    }

    @Test("S4: many opens of a large file by a confined client use no disk space: each returns the file itself")
    func noCopies() async throws {
        try await Installation.withLocalFolder { installation in
            guard Self.hasUserNamespaces else { return }
            try installation.write(String(repeating: "x", count: 8 << 20), to: "large.txt")
            let outside = installation.client("org.example.outside")
            defer { outside.close() }
            let reference = try await HostileStage.grant(
                outside, HostileStage.location("/large.txt"), "read", to: "org.example.boxed")
            var original = stat()
            #expect(stat(installation.documents + "/large.txt", &original) == 0)
            try await IsolationTests.withConfinedClient(installation, "org.example.boxed") { confined in
                let document = confined.document(.init(reference), access: .read)
                var held: [CInt] = []
                defer { for descriptor in held { close(descriptor) } }
                for _ in 0..<24 {
                    let descriptor = try await document.openForReading()
                    held.append(descriptor)
                    var given = stat()
                    #expect(fstat(descriptor, &given) == 0)
                    #expect(given.st_ino == original.st_ino && given.st_dev == original.st_dev)
                }
            }
        }
    }
}
