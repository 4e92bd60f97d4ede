import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Presenters in different processes, through a real daemon (J1–J3, SEMANTICS 2.4, 2.9).
@Suite(.needs(.daemon)) struct PresenterProcessTests {
    private static let document = "LocalFolder:/a.txt"

    /// What another process does, and the messages to a presenter of the document.
    private static let actions: [(command: [String], expected: [String])] = [
        (["read"], ["presenting", "toReader", "save", "reacquire"]),
        (["read", "withoutChanges"], ["presenting", "toReader", "reacquire"]),
        (["write", "new"], ["presenting", "toWriter", "accommodate", "didChange", "reacquire"]),
        (["append", "new"], ["presenting", "toWriter", "didChange", "reacquire"]),
        (["write", "new", "forMerging"], ["presenting", "toWriter", "save", "didChange", "reacquire"]),
        (["rename", "renamed.txt"], ["presenting", "toWriter", "didMove", "reacquire"]),
        (["delete"], ["presenting", "toWriter", "accommodate", "didDelete", "reacquire"]),
    ]

    private static func with(
        environment: [String: String] = [:], _ names: [String] = ["a.txt"],
        _ body: (Installation) async throws -> Void
    ) async throws {
        try await Installation.withLocalFolder(environment: environment) { installation in
            for name in names { try installation.write("first", to: name) }
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
        "2.4, 2.9 deadlock 3, 2.9 deadlock 8, complaints 9, 11: presenters are asked and notified of others' actions, in order, without deadlocks"
    )
    func notified() async throws {
        let names =
            Self.actions.indices.map { "a\($0).txt" }
            + ["saving.txt", "uncoordinated.txt", "two.txt", "dying.txt"]
        try await Self.with(names) { installation in
            try await Self.messages(installation)
            try await TestStep.run("saves while asked") {
                try await Self.savesWhileAsked(installation, "LocalFolder:/saving.txt")
            }
            try await TestStep.run("uncoordinated") { try await Self.uncoordinated(installation, "uncoordinated.txt") }
            try await TestStep.run("two in a process") {
                try await Self.sameProcess(installation, "LocalFolder:/two.txt")
            }
            try await TestStep.run("moved folder") { try await Self.movedFolder(installation) }
            try await TestStep.run("dies") { try await Self.dies(installation, "LocalFolder:/dying.txt") }
        }
    }

    /// A presenter in another process gets its notifications in order (2.4).
    private static func messages(_ installation: Installation) async throws {
        let presenter = try await Probe(installation, client: "org.example.Presenter")
        let actor = try await Probe(installation, client: "org.example.Actor")
        for (number, action) in actions.enumerated() {
            let (command, location) = (action.command, "LocalFolder:/a\(number).txt")
            try await TestStep.run("\(command)") {
                let id = try presenter.send("present", location, "quick")
                try await presenter.wait(id, for: "presenting")
                let sent: String
                switch command.count {
                case 1: sent = try actor.send(command[0], location)
                case 2: sent = try actor.send(command[0], location, command[1])
                default: sent = try actor.send(command[0], location, command[1], command[2])
                }
                try await actor.wait(sent, for: command[0] == "read" ? "read" : "ok")
                try await installation.eventually("every notification has arrived: \(presenter.kinds(id))") {
                    presenter.kinds(id).contains("reacquire")
                }
                #expect(presenter.kinds(id) == action.expected, "\(command)")
                // Complaint 8: who caused it.
                let asked = try #require(presenter.told(id).first { $0.first?.hasPrefix("to") == true }, "\(command)")
                #expect(
                    asked[1] == "org.example.Actor" && asked[2] == "\(actor.process.processIdentifier)",
                    "\(command): \(asked)")
            }
        }
    }

    /// A presenter that saves while it is asked to relinquish is served first (2.9, deadlock 3).
    private static func savesWhileAsked(_ installation: Installation, _ location: String) async throws {
        let (presenter, id) = try await presenting(installation, "saving", location)
        let reader = try await Probe(installation)
        let read = try await reader.run("read", location, until: "read")
        #expect(read[1] == "saved by \(id)")
        #expect(presenter.kinds(id).contains("saved"))
    }

    /// A change by an uncoordinated program is reported as such (complaint 11).
    private static func uncoordinated(_ installation: Installation, _ name: String) async throws {
        let (presenter, id) = try await presenting(installation, "quick", "LocalFolder:/" + name)
        try installation.write("by another program", to: name)
        let change = try await presenter.wait(id, for: "didChange")
        #expect(change[1] == "uncoordinated")
    }

    /// Two presenters in one process on one document do not deadlock (2.9, deadlock 8).
    private static func sameProcess(_ installation: Installation, _ location: String) async throws {
        let (probe, first) = try await presenting(installation, "quick", location)
        let second = try probe.send("present", location, "quick")
        try await probe.wait(second, for: "presenting")
        try await probe.wait(try probe.send("save", first, location, "by the first"), for: "ok")
        try await installation.eventually("the other was notified") { probe.kinds(second).contains("reacquire") }
        #expect(probe.kinds(first) == ["presenting"])
        #expect(probe.kinds(second) == ["presenting", "toWriter", "accommodate", "didChange", "reacquire"])
    }

    /// A presenter of a folder keeps getting notifications after the folder was moved (complaint 9).
    private static func movedFolder(_ installation: Installation) async throws {
        let folder = installation.documents + "/folder"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try installation.write("inside", to: "folder/c.txt")
        let (presenter, id) = try await presenting(installation, "quick", "LocalFolder:/folder")
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

    /// A presenter is removed when its process dies, also during a question (2.4).
    private static func dies(_ installation: Installation, _ location: String) async throws {
        let (presenter, id) = try await presenting(installation, "silent", location)
        let actor = try await Probe(installation)
        let append = try actor.send("append", location, " second")
        try await presenter.wait(id, for: "toWriter")
        presenter.process.send(SIGKILL)
        try await actor.wait(append, for: "ok")
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
