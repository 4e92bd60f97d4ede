import DocentTestSupport
import Foundation
import Testing

/// Programs for which remote documents are not downloaded.
@Suite(.needs(.daemon, .server)) struct ViewPolicyTests {
    /// A mounted folder with an account that has remote documents, in which `body` is given its name.
    private static func with(
        _ body: (RemoteInstallation, ViewedInstallation, String) async throws -> Void
    ) async throws {
        try await RemoteInstallation.with(prepare: { server in
            for name in ["a", "b", "c"] { try await server.put("content of " + name, name + ".txt") }
        }) { remote in
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                _ = try await view.run("ls", String(account)).succeeded()
                try await body(remote, view, String(account))
            }
        }
    }

    /// A copy of a program under another name.
    private static func copy(_ program: String, as name: String, _ installation: Installation) throws -> String {
        let folder = installation.home + "/" + program
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "/usr/bin/" + program, toPath: folder + "/" + name)
        return folder + "/" + name
    }

    private struct Listing: Decodable {
        struct Refused: Decodable {
            var program: String
            var rule: String?
            var limit: Int?
            var count: Int
        }

        var refused: [Refused]
    }

    private static func refused(_ installation: Installation) async throws -> [Listing.Refused] {
        try await installation.docent("policy", "--json").succeeded().json(Listing.self).refused
    }

    @Test("hazard 8: a thumbnailer downloads nothing, sees names and sizes, and reads what is here")
    func thumbnailer() async throws {
        try await Self.with { remote, view, account in
            let installation = remote.installation
            let reader = try Self.copy("cat", as: "tumblerd", installation)
            let refused = try await view.run(reader, account + "/a.txt")
            #expect(
                refused.status != 0 && refused.text.isEmpty && refused.errors.contains("Object is remote"),
                "\(refused.errors)")
            let statter = try Self.copy("stat", as: "tumblerd", installation)
            #expect(try await view.run(statter, "-c", "%s", account + "/a.txt").succeeded().text == "12\n")
            let lister = try Self.copy("ls", as: "tumblerd", installation)
            #expect(try await view.run(lister, "-l", account).succeeded().text.contains("a.txt"))
            #expect(
                try await view.run("getfattr", "--only-values", "-n", "user.docent.state", account + "/a.txt").text
                    == "remote")

            let listed = try await Self.refused(installation)
            #expect(listed.map(\.program) == ["tumblerd"] && listed.first?.rule == "tumblerd", "\(listed)")
            #expect(installation.read(installation.root + "/view-log")?.contains("tumblerd") == true)

            #expect(try await view.run("cat", account + "/a.txt").succeeded().text == "content of a")
            #expect(try await view.run(reader, account + "/a.txt").succeeded().text == "content of a")

            try await installation.docent("policy", "allow", "tumblerd").succeeded()
            try await installation.eventually("the new rule") {
                try await view.run(reader, account + "/b.txt").text == "content of b"
            }
            #expect(try await view.run(reader, account + "/c.txt").succeeded().text == "content of c")
        }
    }

    @Test("a script is recognised by its name, and may empty a document that it may not download")
    func script() async throws {
        try await Self.with { remote, view, account in
            let script = remote.installation.home + "/rdiff-backup"
            let text = """
                import errno, sys
                for mode in "r", "r+", "a":
                    try:
                        open(sys.argv[1], mode)
                    except OSError as error:
                        print(errno.errorcode[error.errno])
                open(sys.argv[1], "w").write("new")
                print(open(sys.argv[1]).read())
                """
            try Data(text.utf8).write(to: URL(filePath: script))
            let outcome = try await view.run("python3", script, account + "/a.txt").succeeded()
            #expect(outcome.text == "EREMOTE\nEREMOTE\nEREMOTE\nnew\n", "\(outcome.errors)")
        }
    }

    @Test("a program that opens too many documents is stopped, and the limit can be changed")
    func limit() async throws {
        try await Self.with { remote, view, account in
            try await remote.installation.docent("policy", "limit", "1").succeeded()
            let paths = ["a", "b", "c"].map { "\(account)/\($0).txt" }
            let stopped = try await view.run("cat", paths[0], paths[1], paths[2])
            #expect(stopped.status != 0 && stopped.text == "content of a", "\(stopped.text)")
            #expect(stopped.errors.split(separator: "\n").count { $0.contains("Object is remote") } == 2)
            let listed = try await Self.refused(remote.installation)
            #expect(listed.map(\.limit) == [1] && listed.first?.count == 2, "\(listed)")
            try await remote.installation.eventually("the entry in the log") {
                try await remote.installation.docent("log", "--refused", "--client", "org.docent.view").text
                    .contains("cat: it asked for more than 1 document within a minute")
            }
            #expect(try await view.run("cat", paths[0]).succeeded().text == "content of a")
            try await remote.installation.docent("policy", "limit", "none").succeeded()
            try await remote.installation.eventually("the new limit") {
                try await view.run("cat", paths[1]).text == "content of b"
            }
        }
    }

    @Test("rules that are not valid change nothing, and the command says so")
    func invalid() async throws {
        try await Self.with { remote, view, account in
            let installation = remote.installation
            let folder = installation.home + "/.config/docent"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data("{".utf8).write(to: URL(filePath: folder + "/view-policy.json"))
            let reader = try Self.copy("cat", as: "tumblerd", installation)
            #expect(try await view.run(reader, account + "/a.txt").errors.contains("Object is remote"))
            #expect(try await view.run("cat", account + "/a.txt").succeeded().text == "content of a")
            #expect(installation.read(installation.root + "/view-log")?.contains("not valid") == true)
            let outcome = try await installation.docent("policy", "refuse", "cat")
            #expect(outcome.status == 1 && outcome.errors.contains("not valid"), "\(outcome.errors)")
            try await installation.docent("policy", "reset").succeeded()
            #expect(try await installation.docent("policy", "check", "cat").succeeded().text.contains("200"))
        }
    }

    @Test("the program that had a document downloaded is named, with its process, whether it reads or writes")
    func cause() async throws {
        try await Self.with { remote, view, account in
            try await view.run("sh", "-c", "cat \(account)/a.txt > /dev/null; printf more >> \(account)/b.txt")
                .succeeded()
            for (name, program, purpose) in [
                ("a.txt", "cat", "opened for reading by "), ("b.txt", "sh", "opened for writing by "),
            ] {
                try await remote.installation.eventually("the record of \(name)") {
                    try await remote.docent("why", remote.location(name)).succeeded().text.contains(purpose)
                }
                let text = try await remote.docent("why", remote.location(name)).succeeded().text
                let path = try #require(text.split(separator: purpose).last?.split(separator: " ").first)
                let resolved = URL(filePath: "/bin/" + program).resolvingSymlinksInPath().lastPathComponent
                #expect(path.hasSuffix("/" + resolved) && text.contains("(process "), "\(text)")
                #expect(text.contains("org.docent.view"), "\(text)")
            }
        }
    }
}
