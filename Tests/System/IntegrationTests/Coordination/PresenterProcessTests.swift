import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Presenters in different processes, through a real daemon (J1–J3, SEMANTICS 2.4, 2.9).
@Suite(.needs(.daemon)) struct PresenterProcessTests {
    private static let document = "LocalFolder:/a.txt"

    private static func with(
        environment: [String: String] = [:], _ body: (Installation) async throws -> Void
    ) async throws {
        try await Installation.withLocalFolder(environment: environment) { installation in
            try installation.write("first", to: "a.txt")
            try await body(installation)
        }
    }

    private static func presenting(
        _ installation: Installation, _ mode: String, _ location: String = document,
        client: String = "org.example.Presenter"
    ) async throws -> (Probe, String) {
        let probe = try await Probe(installation, client: client)
        let id = try probe.send("present", location, mode)
        try await probe.wait(id, for: "presenting")
        return (probe, id)
    }

    @Test(
        "2.4: a presenter in another process gets its notifications in order",
        arguments: [
            (["read"], ["presenting", "toReader", "save", "reacquire"]),
            (["read", "withoutChanges"], ["presenting", "toReader", "reacquire"]),
            (["write", "new"], ["presenting", "toWriter", "accommodate", "didChange", "reacquire"]),
            (["append", "new"], ["presenting", "toWriter", "didChange", "reacquire"]),
            (["write", "new", "forMerging"], ["presenting", "toWriter", "save", "didChange", "reacquire"]),
            (["rename", "renamed.txt"], ["presenting", "toWriter", "didMove", "reacquire"]),
            (["delete"], ["presenting", "toWriter", "accommodate", "didDelete", "reacquire"]),
        ])
    func messages(_ command: [String], _ expected: [String]) async throws {
        try await Self.with { installation in
            let (presenter, id) = try await Self.presenting(installation, "quick")
            let actor = try await Probe(installation, client: "org.example.Actor")
            let sent: String
            switch command.count {
            case 1: sent = try actor.send(command[0], Self.document)
            case 2: sent = try actor.send(command[0], Self.document, command[1])
            default: sent = try actor.send(command[0], Self.document, command[1], command[2])
            }
            try await actor.wait(sent, for: command[0] == "read" ? "read" : "ok")
            try await installation.eventually("every notification has arrived: \(presenter.kinds(id))") {
                presenter.kinds(id).contains("reacquire")
            }
            #expect(presenter.kinds(id) == expected)
            // Complaint 8: who caused it.
            let asked = try #require(presenter.told(id).first { $0.first?.hasPrefix("to") == true })
            #expect(asked[1] == "org.example.Actor" && asked[2] == "\(actor.process.processIdentifier)")
        }
    }

    @Test("2.9 deadlock 3: a presenter that saves while it is asked to relinquish is served first")
    func savesWhileAsked() async throws {
        try await Self.with { installation in
            let (presenter, id) = try await Self.presenting(installation, "saving")
            let reader = try await Probe(installation)
            let read = try await reader.run("read", Self.document, until: "read")
            #expect(read[1] == "saved by \(id)")
            #expect(presenter.kinds(id).contains("saved"))
        }
    }

    @Test("readers skip a hanging presenter; writers fail with its name")
    func hangs() async throws {
        try await Self.with(environment: ["DOCENT_PRESENTER_DEADLINE_SECONDS": "5"]) { installation in
            let (_, _) = try await Self.presenting(installation, "quick")
            let (hanging, _) = try await Self.presenting(installation, "silent", client: "org.example.Silent")
            let actor = try await Probe(installation)
            #expect(try await actor.run("read", Self.document, until: "read")[1] == "first")
            let error = try await actor.wait(try actor.send("append", Self.document, "x"), for: "error")
            #expect(error[2].contains("org.example.Silent"), "\(error)")
            #expect(installation.read("\(installation.documents)/a.txt") == "first")
            hanging.process.send(SIGKILL)
            try await actor.run("append", Self.document, " second", until: "ok")
        }
    }

    @Test("2.4: a presenter that cannot save fails the claim that asked it")
    func refuses() async throws {
        try await Self.with { installation in
            let (presenter, id) = try await Self.presenting(installation, "refusing")
            let actor = try await Probe(installation)
            let error = try await actor.wait(try actor.send("read", Self.document), for: "error")
            #expect(error[2].contains("does not want to"), "\(error)")
            try await installation.eventually("it gets the document back") { presenter.kinds(id).contains("reacquire") }
        }
    }

    @Test("2.4: a presenter is removed when its process dies, also during a question")
    func dies() async throws {
        try await Self.with { installation in
            let (presenter, id) = try await Self.presenting(installation, "silent")
            let actor = try await Probe(installation)
            let append = try actor.send("append", Self.document, " second")
            try await presenter.wait(id, for: "toWriter")
            presenter.process.send(SIGKILL)
            try await actor.wait(append, for: "ok")
        }
    }

    @Test("Complaint 11: a change by an uncoordinated program is reported as such")
    func uncoordinated() async throws {
        try await Self.with { installation in
            let (presenter, id) = try await Self.presenting(installation, "quick")
            try installation.write("by another program", to: "a.txt")
            let change = try await presenter.wait(id, for: "didChange")
            #expect(change[1] == "uncoordinated")
        }
    }

    @Test("Complaint 9: a presenter of a folder keeps getting notifications after the folder was moved")
    func movedFolder() async throws {
        try await Self.with { installation in
            let folder = installation.documents + "/folder"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try installation.write("inside", to: "folder/c.txt")
            let (presenter, id) = try await Self.presenting(installation, "quick", "LocalFolder:/folder")
            try await installation.docent("rename", "LocalFolder:/folder", "moved").succeeded()
            try await presenter.wait(id, for: "didMove")
            let actor = try await Probe(installation)
            try await actor.run("append", "LocalFolder:/moved/c.txt", " more", until: "ok")
            try await presenter.wait(id, for: "subitemDidChange")
            let told = presenter.kinds(id).count { $0 == "subitemDidChange" }
            try installation.write("by another program", to: "moved/c.txt")
            try await installation.eventually("an uncoordinated change is reported too") {
                presenter.kinds(id).count { $0 == "subitemDidChange" } > told
            }
        }
    }

    @Test("W: a write without a claim also asks the presenters")
    func implicit() async throws {
        try await Self.with { installation in
            let (presenter, id) = try await Self.presenting(installation, "quick")
            try await installation.docent("write", Self.document, input: Data("by docent".utf8)).succeeded()
            try await installation.eventually("every notification has arrived") {
                presenter.kinds(id).contains("reacquire")
            }
            #expect(presenter.kinds(id) == ["presenting", "toWriter", "didChange", "reacquire"])
        }
    }

    @Test("2.9 deadlock 8: two presenters in one process on one document do not deadlock")
    func sameProcess() async throws {
        try await Self.with { installation in
            let (probe, first) = try await Self.presenting(installation, "quick")
            let second = try probe.send("present", Self.document, "quick")
            try await probe.wait(second, for: "presenting")
            try await probe.wait(
                try probe.send("save", first, Self.document, "by the first"), for: "ok")
            try await installation.eventually("the other was notified") { probe.kinds(second).contains("reacquire") }
            #expect(probe.kinds(first) == ["presenting"])
            #expect(probe.kinds(second) == ["presenting", "toWriter", "accommodate", "didChange", "reacquire"])
        }
    }

    @Test("D3: presenters are registered again after a kill of the daemon")
    func restart() async throws {
        try await Self.with { installation in
            let (presenter, id) = try await Self.presenting(installation, "quick")
            kill(try #require(installation.daemonProcess), SIGKILL)
            let actor = try await Probe(installation)
            try await installation.eventually("it is there again", within: 60) {
                try await installation.docent("claims", "--json").text.contains("org.example.Presenter")
            }
            try await actor.run("append", Self.document, " second", until: "ok")
            try await presenter.wait(id, for: "didChange")
        }
    }
}
