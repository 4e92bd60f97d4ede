import DocentTestSupport
import Foundation
import Glibc
import Testing

/// `docent drive` end to end: two machines, each with a home and a daemon, on one folder, as with a disk that both
/// reach.
@Suite(.needs(.daemon)) struct DriveCommandTests {
    private struct Status: Decodable {
        var documents: Int
        var devices: Int
        var unsent: Int
        var machine: String
        var problems: [[String: String]]
    }

    private struct Device: Decodable {
        var name: String
        var isThis: Bool
        var records: Int
        var fingerprint: String
    }

    private struct Check: Decodable {
        var objects: Int
        var problems: [[String: String]]
    }

    @Test("a drive is created, another machine is invited, reads and edits, and the first one sees it")
    func twoMachines() async throws {
        try await DriveMachine.with { one in
            let store = one.installation.root + "/disk/drive"
            try FileManager.default.createDirectory(
                atPath: one.installation.root + "/disk", withIntermediateDirectories: true)
            let note = one.installation.given + "/phrase.txt"
            try await TestStep.run("created") { try await create(one, store, note) }
            try await one.write("first\n", to: "notes.txt")
            try await DriveMachine.with { two in
                try await TestStep.run("joined") { try await join(one, two, store) }
                try await two.sees("first\n", in: "notes.txt")
                try await two.write("second\n", to: "notes.txt")
                try await one.sees("second\n", in: "notes.txt")
                try await TestStep.run("looked at") { try await look(one, two) }
                try await TestStep.run("refused") { try await refuse(one, two, store) }
            }
            try await TestStep.run("recovered") {
                try await one.comeIn("recover", store, "--name", "again", "--recovery-file", note).succeeded()
                try await one.sees("second\n", in: "notes.txt", of: "again")
            }
            try await TestStep.run("checked") { try await check(one, store) }
        }
    }

    private struct Collection: Decodable {
        var state: String
        var packs: Int
        var bytes: Int
        var items: Int
        var waitsFor: [[String: String]]
    }

    @Test("a machine is shut out and reads nothing new, the first one goes on, and space is freed")
    func aMachineIsShutOut() async throws {
        try await DriveMachine.with { one in
            let store = one.installation.root + "/disk/drive"
            try FileManager.default.createDirectory(
                atPath: one.installation.root + "/disk", withIntermediateDirectories: true)
            try await create(one, store, one.installation.given + "/phrase.txt")
            try await one.write("first\n", to: "notes.txt")
            try await one.write(String(repeating: "0123456789abcdef", count: 4_000), to: "long.txt")
            try await DriveMachine.with { two in
                try await TestStep.run("joined") { try await join(one, two, store) }
                try await two.sees("first\n", in: "notes.txt")
                try await TestStep.run("waits") { try await waitForTwo(one, two, store) }
                try await TestStep.run("shut out") { try await shutOut(one, two) }
            }
            try await TestStep.run("freed") { try await free(one, store) }
            try await TestStep.run("repaired") {
                let repaired = try await one.drive("repair").succeeded()
                #expect(repaired.text.contains("nothing is left"), "\(repaired.text)")
            }
        }
    }

    private func packs(_ store: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: store + "/packs").count
    }

    private func collect(_ one: DriveMachine, _ arguments: String...) async throws -> Collection {
        let words = ["drive", "gc", "--keep-days", "0", "--json"] + arguments
        return try await one.installation.run(Installation.binaries + "/docent", words).succeeded()
            .json(Collection.self)
    }

    /// The second machine has to confirm, and does so when it looks at the drive.
    private func waitForTwo(_ one: DriveMachine, _ two: DriveMachine, _ store: String) async throws {
        try await one.installation.docent("rm", "Drive@drive:/long.txt").succeeded()
        try await one.installation.eventually("the deletion is found", within: 300) {
            try await collect(one, "--dry-run").state == "found"
        }
        #expect(try packs(store) == 1)
        let waiting = try await one.drive("gc", "--keep-days", "0").succeeded()
        // It may have looked at just that moment.
        #expect(waiting.text.contains("lap (") || waiting.text.contains("freed: 1 object"), "\(waiting.text)")
        try await one.installation.eventually("the second machine confirms", within: 300) {
            try await two.drive("status").succeeded()
            return try await collect(one).state != "waiting"
        }
        #expect(try packs(store) == 0)
    }

    private func shutOut(_ one: DriveMachine, _ two: DriveMachine) async throws {
        #expect(try await one.drive("remove-device", "desk", "--yes").status == 64, "this one")
        #expect(try await one.drive("remove-device", "nobody", "--yes").status == 2)
        #expect(try await one.drive("remove-device", "lap").status == 64, "there is no terminal to ask on")
        let removed = try await one.drive("remove-device", "lap", "--yes").succeeded()
        #expect(removed.text.hasPrefix("\"lap\" is shut out"), "\(removed.text)")
        try await one.write("second\n", to: "notes.txt")
        #expect(try await one.drive("devices").succeeded().text.contains("removed 2"))
        #expect(try await one.drive("status", "--json").succeeded().json(Status.self).devices == 1)
        #expect(try await two.drive("devices").status != 0)
        #expect(try await two.installation.docent("cat", "Drive@drive:/notes.txt").text != "second\n")
        _ = try await two.installation.docent("write", "Drive@drive:/notes.txt", input: Data("third\n".utf8))
        #expect(try await two.installation.docent("cat", "Drive@drive:/notes.txt").text != "second\n")
        #expect(try await one.drive("check").succeeded().text.contains("no problem"))
        try await one.sees("second\n", in: "notes.txt")
    }

    private func free(_ one: DriveMachine, _ store: String) async throws {
        try await one.write(String(repeating: "fedcba9876543210", count: 4_000), to: "long.txt")
        #expect(try packs(store) == 1)
        try await one.installation.docent("rm", "Drive@drive:/long.txt").succeeded()
        try await one.installation.eventually("space is freed", within: 300) {
            try await collect(one).state == "freed"
        }
        #expect(try packs(store) == 0)
        #expect(try await one.drive("check").succeeded().text.contains("no problem"))
        try await one.sees("second\n", in: "notes.txt")
    }

    private func create(_ one: DriveMachine, _ store: String, _ note: String) async throws {
        #expect(try await one.drive("invite", "--yes").status == 2, "there is no drive yet")
        let created = try await one.comeIn("create", store, "--recovery-file", note, "--machine", "desk").succeeded()
        #expect(created.text.hasPrefix("Drive@drive is a new drive in \(store)."), "\(created.text)")
        let text = try #require(one.installation.read(note))
        let phrase = String(try #require(text.firstMatch(of: DriveMachine.phrase)).output.0)
        #expect(!(created.text + created.errors).contains(phrase))
        #expect(one.files(with: phrase) == ["given/phrase.txt"], "in no log and no other file")
        let mode = try FileManager.default.attributesOfItem(atPath: note)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // What is there is not replaced, and the store not used again.
        let again = try await one.comeIn("create", store, "--recovery-file", note, "--name", "other")
        #expect(again.status == 6 && again.errors.contains("phrase.txt"), "\(again.errors)")
        let taken = try await one.comeIn("create", store, "--recovery-file", note + "2", "--name", "other")
        #expect(taken.status == 64 && taken.errors.contains("There is a drive in that place"), "\(taken.errors)")
        #expect(one.installation.read(note + "2") == nil)
        #expect(try await one.accounts() == ["drive"])
    }

    private func join(_ one: DriveMachine, _ two: DriveMachine, _ store: String) async throws {
        let invited = try await one.inviting { code in
            let joined = try await two.comeIn("join", store, code, "--machine", "lap").succeeded()
            #expect(joined.text.hasPrefix("Drive@drive is the drive in \(store)."), "\(joined.text)")
            #expect(one.files(with: code).allSatisfy { $0.hasPrefix("tmp/code-") }, "\(one.files(with: code))")
            #expect(two.files(with: code) == [])
        }
        #expect(invited.status == 0 && invited.errors.contains("\"lap\" is let in."), "\(invited.errors)")
    }

    private func look(_ one: DriveMachine, _ two: DriveMachine) async throws {
        let devices = try await one.drive("devices", "--json").succeeded().json([Device].self)
        #expect(devices.map(\.name) == ["desk", "lap"] && devices.map(\.isThis) == [true, false])
        let others = try await two.drive("devices", "Drive@drive", "--json").succeeded().json([Device].self)
        for (mine, theirs) in zip(devices, others) where mine.records == theirs.records {
            #expect(mine.fingerprint == theirs.fingerprint)
        }
        #expect(try await one.drive("devices").succeeded().text.contains("this one"))
        let status = try await two.drive("status", "--json").succeeded().json(Status.self)
        #expect(status.documents == 1 && status.devices == 2 && status.unsent == 0 && status.machine == "lap")
        #expect(status.problems.isEmpty)
        #expect(try await two.drive("status").succeeded().text.contains("machines:"))
    }

    private func refuse(_ one: DriveMachine, _ two: DriveMachine, _ store: String) async throws {
        let wrong = try await two.comeIn(
            "join", store, "00000-00000-00000-00000-00000-00000-00000-00000", "--name", "other")
        #expect(wrong.status == 64 && wrong.errors.contains("mistyped"), "\(wrong.errors)")
        // A code that was made, and whose command has ended.
        let place = one.installation.root + "/tmp/old-code"
        let ended = try await one.installation.run(
            "/bin/sh",
            [
                "-c",
                """
                docent drive invite --yes > \(place) &
                while ! [ -s \(place) ] && kill -0 $!; do sleep 0.1; done
                kill -TERM $!; wait $!
                """,
            ])
        #expect(ended.status == 7, "\(ended)")
        let code = String(try #require(one.installation.read(place)?.split(separator: "\n").last))
        let late = try await two.comeIn("join", store, code, "--name", "other")
        #expect(late.status == 64 && late.errors.contains("has ended"), "\(late.errors)")
        #expect(try await two.accounts() == ["drive"], "a refusal leaves no account")
    }

    private func check(_ one: DriveMachine, _ store: String) async throws {
        let text = String(repeating: "0123456789abcdef", count: 4_000)
        try await one.write(text, to: "long.txt")
        let clean = try await one.drive("check", "drive", "--json").succeeded().json(Check.self)
        #expect(clean.objects > 0 && clean.problems.isEmpty)
        let pack = try #require(try FileManager.default.contentsOfDirectory(atPath: store + "/packs").first)
        unlink(store + "/packs/" + pack)
        let broken = try await one.drive("check", "drive")
        #expect(broken.status == 1 && broken.text.contains("problem: packs/\(pack)"), "\(broken.text)")
    }

    @Test("on a terminal the phrase is shown, and asked for until it is right")
    func onATerminal() async throws {
        try await DriveMachine.with { machine in
            let store = machine.installation.root + "/drive"
            let outcome = try await machine.installation.onTerminal(
                [Installation.binaries + "/docent", "drive", "create", store, "--sealed-file", "--name", "home"],
                [
                    ("Enable Drive? [y/N] ", .type("y\n")), ("from your note: ", .type("nothing\n")),
                    ("from your note: ", .typeShown("([0-9A-Z]{5}-){7}[0-9A-Z]{5}")),
                ], seconds: 250)
            #expect(outcome.status == 0 && outcome.text.contains("Drive@home is a new drive"), "\(outcome.text)")
            #expect(outcome.text.matches(of: DriveMachine.phrase).count == 1, "what is typed is not shown")
            let phrase = try #require(outcome.text.firstMatch(of: DriveMachine.phrase))
            #expect(machine.files(with: String(phrase.output.0)) == [])
            // Somebody who does not want the drive after all.
            let place = machine.installation.root + "/second"
            let given = try await machine.installation.onTerminal(
                [Installation.binaries + "/docent", "drive", "create", place, "--sealed-file"],
                [("from your note: ", .type("\u{3}"))], seconds: 250)
            #expect(given.status == 7, "\(given.text)")
            #expect(!FileManager.default.fileExists(atPath: place), "the folder is gone again")
            #expect(try await machine.accounts() == ["home"])
        }
    }

    @Test("what cannot work is refused before anything is made")
    func refusals() async throws {
        try await DriveMachine.with { machine in
            let root = machine.installation.root
            let silent = try await machine.drive("create", root + "/a")
            #expect(silent.status == 64 && silent.errors.contains("--recovery-file"), "\(silent.errors)")
            #expect(try await machine.drive("create", root + "/a", "--yes").status == 64)
            symlink(root + "/elsewhere", root + "/link")
            let link = try await machine.comeIn("create", root + "/a", "--recovery-file", root + "/link")
            #expect(link.status == 6 && machine.installation.read(root + "/elsewhere") == nil, "\(link.errors)")
            #expect(!FileManager.default.fileExists(atPath: root + "/a"))
            try machine.installation.write("x", to: "letter.txt")
            let used = try await machine.comeIn(
                "create", machine.installation.documents, "--recovery-file", root + "/phrase")
            #expect(used.status == 64 && used.errors.contains("not empty"), "\(used.errors)")
            let nowhere = try await machine.comeIn("join", root + "/nowhere", "12345")
            #expect(nowhere.status != 0)
            #expect(try await machine.accounts() == [])
            #expect(try await machine.drive("check").status == 2)
        }
    }
}
