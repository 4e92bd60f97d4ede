import DocentTestSupport
import Foundation
import Testing

/// The network is down: local copies work, other reads fail at once, and saves are sent later (law 5).
@Suite(.needs(.daemon, .server)) struct RemoteOfflineTests {
    @Test(
        "offline, known metadata and local copies can be used, other reads fail with 5, and a save is sent later",
        arguments: Sample.shared.of(WebDAVServer.Kind.allCases))
    func offline(kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind) { server in
            try await server.makeFolder("folder")
            try await server.put("here", "folder/here.txt")
            try await server.put("there", "folder/there.txt")
        } _: { remote in
            #expect(try await remote.read("folder/here.txt") == "here")
            #expect(try await remote.names() == ["folder/"])
            #expect(try await remote.names("folder") == ["here.txt", "there.txt"])
            try await remote.faults().refuse()

            #expect(try await remote.names() == ["folder/"])
            #expect(try await remote.names("folder") == ["here.txt", "there.txt"])
            #expect(try await remote.info("folder/there.txt").size == 5)
            #expect(try await remote.read("folder/here.txt") == "here")
            let missing = try await remote.docent("cat", remote.location("folder/there.txt"))
            #expect(missing.status == 5, "\(missing)")
            #expect(missing.errors.contains("\n"), "a sentence and a remedy: \(missing.errors)")

            try await remote.write("changed", "folder/here.txt").succeeded()
            #expect(try await remote.read("folder/here.txt") == "changed")
            let item = try await remote.info("folder/here.txt")
            #expect(item.uploadState == "queued" || item.uploadState == "uploading")
            #expect(item.size == 7 && !item.isUploaded && item.isDownloaded)
            let source = try remote.installation.makeSource("new", name: "new.txt")
            try await remote.docent("export", source, remote.location("folder")).succeeded()
            // A new document is written too, by an export.
            try await remote.docent(["write", remote.location("folder/made.txt")], input: Data("made".utf8)).succeeded()
            try await remote.docent("export", source, remote.location("folder/named.txt")).succeeded()
            let names = ["here.txt", "made.txt", "named.txt", "new.txt", "there.txt"]
            #expect(try await remote.names("folder") == names)
            #expect(try await remote.read("folder/new.txt") == "new")
            #expect(try await remote.read("folder/made.txt") == "made")
            let nowhere = try await remote.docent(
                ["write", remote.location("unknown/made.txt")], input: Data("made".utf8))
            #expect(nowhere.status == 5, "\(nowhere)")
            #expect(try await remote.domain()?.pending == 4)
            #expect(try await remote.domain()?.state == "offline")

            try await remote.faults().accept()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("folder/here.txt") == "changed")
            #expect(try await remote.server.text("folder/new.txt") == "new")
            #expect(try await remote.server.text("folder/made.txt") == "made")
            #expect(try await remote.server.text("folder/named.txt") == "new")
            #expect(try await remote.server.list("folder") == names)
            #expect(try await remote.read("folder/there.txt") == "there")
            #expect(try await remote.info("folder/new.txt").uploadState == "uploaded")
            #expect(try await remote.names("folder") == names)
            #expect(try await remote.versions().isEmpty)
        }
    }

    @Test(
        "a document that its server cannot deliver affects no other document and not the account",
        arguments: Sample.shared.of([FaultRule.status(500), .status(404), .status(502), .cutResponse(after: 0)]))
    func badDocument(_ rule: FaultRule) async throws {
        try await RemoteInstallation.with { server in
            for name in ["bad", "first", "second"] { try await server.put(name, "\(name).txt") }
        } _: { remote in
            #expect(try await remote.names().count == 3)
            try await remote.faults().add(rule.on("GET", "bad.txt").always)
            for name in ["first", "second"] {
                #expect(try await remote.docent("cat", remote.location("bad.txt")).status != 0)
                #expect(try await remote.domain()?.state == "ready")
                #expect(try await remote.read("\(name).txt") == name)
            }
            try await remote.write("saved", "first.txt").succeeded()
            #expect(try await remote.drain().status == 0)
        }
    }

    @Test("a cached listing is marked on standard error and in JSON, a current one is not")
    func remembered() async throws {
        try await RemoteInstallation.with { server in
            try await server.makeFolder("empty")
            try await server.put("a", "a.txt")
        } _: { remote in
            for folder in ["", "empty"] {
                #expect(try await remote.docent("ls", remote.location(folder)).succeeded().errors.isEmpty)
            }
            try await remote.faults().refuse()
            for folder in ["", "empty"] {
                let listed = try await remote.docent("ls", remote.location(folder)).succeeded()
                #expect(listed.errors.contains("from memory, as of 20"), "\(folder): \(listed.errors)")
            }
            let json = try await remote.docent("ls", "--json", remote.location("")).succeeded()
            let remembered = try RemoteInstallation.remembered(json)
            #expect(remembered?["since"] is String && remembered?["reason"] is String, "\(json.text)")
            try await remote.faults().accept()
            try await remote.docent("refresh", remote.location("")).succeeded()
            #expect(try await remote.docent("ls", remote.location("")).succeeded().errors.isEmpty)
        }
    }

    @Test("a single item from memory is marked on standard error and in JSON, a current one is not")
    func rememberedItem() async throws {
        try await RemoteInstallation.with { server in
            try await server.put("a", "a.txt")
        } _: { remote in
            let place = remote.location("a.txt")
            let bookmark = try await remote.docent("bookmark", "create", place).succeeded().text
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let commands = [
                ["info", "--json", place], ["info", "--json", "--bookmark", bookmark], ["ls", "--json", place],
            ]
            for command in commands {
                let current = try await remote.docent(command).succeeded()
                #expect(current.errors.isEmpty && current.text.contains(#""remembered": null"#), "\(current)")
            }
            try await remote.faults().refuse()
            try await remote.eventually("the account is known to be offline") {
                try await remote.docent("info", place).succeeded()
                return try await remote.domain()?.state == "offline"
            }
            for command in commands {
                let known = try await remote.docent(command).succeeded()
                #expect(known.errors.contains("from memory, as of 20"), "\(command): \(known.errors)")
                let remembered = try RemoteInstallation.remembered(known)
                #expect(remembered?["since"] is String && remembered?["reason"] is String, "\(known.text)")
            }
            try await remote.faults().accept()
            // Nothing has asked for the top folder itself yet, and its account counts as offline.
            try await remote.docent("refresh", remote.location("")).succeeded()
            for command in commands {
                #expect(try await remote.docent(command).succeeded().errors.isEmpty, "\(command)")
            }
        }
    }

    @Test("Law 5: a hanging document delays no other, and is abandoned when its reader gives up")
    func hanging() async throws {
        try await RemoteInstallation.with { server in
            for name in ["a", "b", "hangs"] { try await server.put(name, "\(name).txt") }
        } _: { remote in
            #expect(try await remote.names() == ["a.txt", "b.txt", "hangs.txt"])
            #expect(try await remote.read("a.txt") == "a")
            try await remote.faults().add(.hang().on("GET", "hangs.txt").always)
            let (reader, input) = try remote.installation.spawn(["cat", remote.location("hangs.txt")])
            _ = try await remote.faults().request("the document that hangs") {
                $0.path.hasSuffix("hangs.txt") && $0.method == "GET"
            }
            #expect(try await remote.read("a.txt") == "a")
            #expect(try await remote.read("b.txt") == "b")
            try await remote.write("new", "b.txt").succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.names() == ["a.txt", "b.txt", "hangs.txt"])
            reader.send(SIGINT)
            try await remote.installation.waitForEnd(of: reader)
            #expect(reader.terminationStatus == 7 || reader.terminationStatus == SIGINT)
            try await remote.eventually("nothing is fetched any more") { try await remote.transfers().isEmpty }
            try input.close()
        }
    }
}
