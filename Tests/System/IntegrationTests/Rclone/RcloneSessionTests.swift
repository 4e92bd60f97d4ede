import DocentTestSupport
import Foundation
import Glibc
import Testing

/// rclone's back ends through the daemon and the sandbox.
@Suite(.needs(.daemon, .server)) struct RcloneSessionTests {
    @Test(
        "the provider's requested permissions are shown; a remote without an account works, and one of the user's own rclone, which is added by its name, password included, in one command; rclone ends when the daemon is killed"
    )
    func withoutAccount() async throws {
        try await RcloneInstallation.with { rclone in
            try await TestStep.run("without an account") { try await Self.memory(rclone) }
            try await TestStep.run("own remote") { try await Self.ownRemote(rclone) }
            // Last: it kills the daemon.
            try await TestStep.run("end") { try await Self.endsWithDaemon(rclone) }
        }
    }

    /// The requested permissions are shown before the provider is enabled, and a remote without an account works.
    private static func memory(_ rclone: RcloneInstallation) async throws {
        let consent = try await rclone.docent("provider", "show", "rclone").succeeded().text
        #expect(consent.contains("accepts connections from programs on this machine"))
        #expect(consent.contains("starts the program \(RcloneInstallation.program)"))
        try await rclone.addDomain("memory", "remote=:memory:documents").succeeded()
        try await rclone.docent("write", "rclone@memory:/a.txt", input: "hello").succeeded()
        try await rclone.docent("drain", "--timeout", "120").succeeded()
        #expect(try await rclone.docent("ls", "rclone@memory:/").succeeded().text == "a.txt\n")
        try await rclone.docent("evict", "rclone@memory:/a.txt").succeeded()
        #expect(try await rclone.read("rclone@memory:/a.txt") == "hello")
        try await rclone.docent("rename", "rclone@memory:/a.txt", "b.txt").succeeded()
        #expect(try await rclone.read("rclone@memory:/b.txt") == "hello")
        try await rclone.docent("rm", "rclone@memory:/b.txt").succeeded()
        #expect(try await rclone.docent("ls", "rclone@memory:/").succeeded().text == "")
    }

    /// A remote of the user's own rclone is added by its name, password included, in one command.
    private static func ownRemote(_ rclone: RcloneInstallation) async throws {
        let own = "\(RcloneInstallation.program) --config \(rclone.installation.given)/rclone.conf config"
        func shell(_ line: String) async throws -> Outcome {
            try await rclone.installation.run("/bin/sh", ["-c", line])
        }
        let create = "create own crypt remote=:memory:box password=hush-0wnrem07 --obscure"
        try await shell("\(own) \(create)").succeeded()
        try await shell("\(own) create spare memory").succeeded()
        // For the program's path.
        try await rclone.addDomain("own", "remote=own:papers").succeeded()
        try await shell(
            "\(own) dump | docent login rclone@own --form remote --set remote=own:papers --secret-fd 0 --session"
        ).succeeded()
        try await rclone.docent("write", "rclone@own:/a.txt", input: "hello").succeeded()
        try await rclone.docent("drain", "--timeout", "120").succeeded()
        try await rclone.docent("evict", "rclone@own:/a.txt").succeeded()
        #expect(try await rclone.read("rclone@own:/a.txt") == "hello")
    }

    /// rclone ends when the daemon is killed.
    private static func endsWithDaemon(_ rclone: RcloneInstallation) async throws {
        try await rclone.docent("ls", "rclone@memory:/").succeeded()
        let process = try #require(try await rclone.rcloneProcess())
        kill(try #require(rclone.installation.daemonProcess), SIGKILL)
        try await rclone.installation.eventually("rclone ends") { kill(process, 0) != 0 }
    }

    @Test("signing in with a secret, kills, changes on both sides and signing out lose and reveal nothing")
    func account() async throws {
        let options = WebDAVServer.Options(username: "ada")
        try await WebDAVServer.with(.rclone, options: options) { server in
            try await RcloneInstallation.with { rclone in
                let parameters = "parameters=url=\(server.url),vendor=other,user=ada"
                try await rclone.addDomain("dav", "backend=webdav", parameters).succeeded()
                let login = try await rclone.docent(
                    "login", "rclone@dav", "--form", "service", "--set", "backend=webdav", "--set", parameters,
                    "--password-stdin", "--session", input: "pass=\(options.password)\n")
                try login.succeeded()
                try await server.put("on the server", "notes.txt")
                #expect(try await rclone.read("rclone@dav:/notes.txt") == "on the server")
                try await rclone.docent("write", "rclone@dav:/notes.txt", input: "from here").succeeded()
                try await rclone.docent("drain", "--timeout", "120").succeeded()
                #expect(try await server.text("notes.txt") == "from here")
                #expect(try await server.list() == ["notes.txt"])

                let process = try #require(try await rclone.rcloneProcess())
                kill(process, SIGKILL)
                try await rclone.installation.eventually("rclone runs again") {
                    let refresh = try await rclone.docent("refresh", "rclone@dav:/")
                    let list = try await rclone.docent("ls", "rclone@dav:/")
                    return refresh.status == 0 && list.status == 0
                }
                #expect(try await rclone.rcloneProcess() != process)

                try await server.stop()
                try await rclone.docent("write", "rclone@dav:/notes.txt", input: "mine").succeeded()
                try Data("theirs, and longer".utf8).write(to: URL(filePath: server.folder + "/notes.txt"))
                try await server.restart()
                try await rclone.docent("drain", "--timeout", "120").succeeded()
                #expect(try await server.text("notes.txt") == "theirs, and longer")
                #expect(try await rclone.read("rclone@dav:/notes.txt") == "theirs, and longer")
                let versions = try await rclone.docent("versions", "rclone@dav:/notes.txt").succeeded().text
                #expect(versions.contains("conflict"))

                try await rclone.docent("logout", "rclone@dav").succeeded()
                #expect(try await rclone.docent("ls", "rclone@dav:/").status == 4)
            }
        }
    }

    @Test("without org.docent.loopback-listener no process in the sandbox can listen, and the error says so")
    func withoutListener() async throws {
        try await RcloneInstallation.with { manifest in
            manifest.replacing("<key>org.docent.loopback-listener</key>\n    <true/>", with: "")
        } _: { rclone in
            try await rclone.addDomain("memory", "remote=:memory:documents").succeeded()
            let outcome = try await rclone.docent("ls", "rclone@memory:/")
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains("org.docent.loopback-listener"), "\(outcome)")
        }
    }
}
