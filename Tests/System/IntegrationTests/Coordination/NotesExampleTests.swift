import DocentTestSupport
import Foundation
import Testing

/// Examples/Notes, built outside the tree: running copies edit one document at once and never lose a line.
@Suite(.needs(.daemon, .server, .processor)) struct NotesExampleTests {
    @Test(
        "Notes: several editors share documents on LocalFolder and WebDAV, one is killed, and no line is lost"
    )
    func shared() async throws {
        try await Installation.withLocalFolder { installation in
            let program = try await Self.build(in: installation)
            try await Self.edit("LocalFolder:/notes.txt", with: program, in: installation) {
                try #require(installation.read(installation.documents + "/notes.txt"))
            }
            try await RemoteInstallation.with { remote in
                try await Self.edit(remote.location("notes.txt"), with: program, in: remote.installation) {
                    try await remote.drain().succeeded()
                    return try #require(try await remote.server.text("notes.txt"))
                }
            }
        }
    }

    /// - Parameter stored: the provider's own copy of the document at the end.
    private static func edit(
        _ location: String, with program: String, in installation: Installation, stored: () async throws -> String
    ) async throws {
        let one = try NotesProcess(program, location, in: installation)
        let other = try NotesProcess(program, location, in: installation)
        var confirmed: [String] = []

        // Each follows the other's changes without a command.
        let (shownByOne, shownByOther) = (try await one.show(), try await other.show())
        #expect(shownByOne.isEmpty && shownByOther.isEmpty, "created by one or the other")
        try await one.ask("append written by one")
        #expect(try await one.ask("save") == "saved 1 lines")
        #expect(try await other.ask("wait") == "changed")
        #expect(try await other.show() == ["written by one"])
        try await other.ask("edit 1 edited by the other")
        try await other.ask("append written by the other")
        #expect(try await other.ask("save") == "saved 2 lines")
        try await installation.eventually("one has the other's text", within: 120) {
            try await one.show() == ["edited by the other", "written by the other"]
        }
        confirmed += ["edited by the other", "written by the other"]

        // Unsaved text of one and the other's save are merged into one text.
        try await one.ask("append not saved yet")
        try await other.ask("append saved meanwhile")
        #expect(try await other.ask("save").hasPrefix("saved"))
        try await installation.eventually("both lines are in one text", within: 120) {
            Set(try await one.show()).isSuperset(of: ["not saved yet", "saved meanwhile"])
        }
        #expect(try await one.ask("save").hasPrefix("saved"))
        confirmed += ["not saved yet", "saved meanwhile"]

        // Both save as fast as they can, without waiting for each other.
        for round in 1...10 {
            for (name, notes) in [("one", one), ("other", other)] {
                try notes.tell("append round \(round) of \(name)")
                try notes.tell("save")
            }
            for (name, notes) in [("one", one), ("other", other)] {
                #expect(try await notes.answer() == "ok")
                let answer = try await notes.answer()
                #expect(answer.hasPrefix("saved"), "\(answer)")
                confirmed.append("round \(round) of \(name)")
            }
        }

        // One is killed at any moment of its saving; what it reported as saved is saved.
        for number in 1...50 {
            try other.tell("append last words \(number)")
            try other.tell("save")
        }
        for _ in 1...5 {
            #expect(try await other.answer() == "ok")
            #expect(try await other.answer().hasPrefix("saved"))
        }
        try await one.ask("append written during the death")
        let answers = try await other.kill()
        #expect(answers.allSatisfy { $0 == "ok" || $0.hasPrefix("saved") }, "\(answers)")
        let saves = 5 + answers.count { $0.hasPrefix("saved") }
        confirmed += (1...saves).map { "last words \($0)" }
        #expect(try await one.ask("save").hasPrefix("saved"), "the claim of the killed process is released")
        confirmed.append("written during the death")

        let third = try NotesProcess(program, location, in: installation)
        try await third.ask("append written by a third")
        #expect(try await third.ask("save").hasPrefix("saved"))
        confirmed.append("written by a third")
        try await installation.eventually("one has the third's text", within: 120) {
            try await one.show().contains("written by a third")
        }
        let shown = try await one.show()
        #expect(try await one.quit() == 0)
        #expect(try await third.quit() == 0)

        let lines = try await stored().split(separator: "\n").map(String.init)
        #expect(lines == shown, "the stored text equals the shown text")
        let missing = Set(confirmed).subtracting(lines)
        #expect(missing.isEmpty, "lost: \(missing.sorted())")
        #expect(lines.count == Set(lines).count, "no line is there twice")
        #expect(!lines.contains("written by one"), "removed text stays removed")
    }

    /// Copies the example away, points it at this source tree, builds it there and runs its own tests.
    ///
    /// - Returns: the program.
    private static func build(in installation: Installation) async throws -> String {
        let package = installation.root + "/Notes"
        let files = FileManager.default
        try files.createDirectory(atPath: package, withIntermediateDirectories: true)
        let example = Repository.root + "/Examples/Notes"
        for name in ["Package.swift", "Sources", "Tests"] {
            try files.copyItem(atPath: "\(example)/\(name)", toPath: "\(package)/\(name)")
        }
        let manifest = try #require(installation.read(package + "/Package.swift"))
        let changed = manifest.replacingOccurrences(of: #"path: "../..""#, with: #"path: "\#(Repository.root)""#)
        try #require(changed != manifest)
        try Data(changed.utf8).write(to: URL(fileURLWithPath: package + "/Package.swift"))
        let own = ProcessInfo.processInfo.environment
        let environment = ["PATH": own["PATH"] ?? "", "HOME": own["HOME"] ?? installation.home]
        let place = ["--package-path", package, "--scratch-path", Repository.nestedBuild, "--disable-sandbox"]
        for step in [["build", "--build-tests"], ["test", "--skip-build", "--disable-xctest"]] {
            try await installation.run("/usr/bin/env", ["swift"] + step + place, environment: environment).succeeded()
        }
        let checkouts = (try? files.contentsOfDirectory(atPath: Repository.nestedBuild + "/checkouts")) ?? []
        #expect(checkouts.isEmpty, "a client does not clone the daemon's dependencies")
        return Repository.nestedBuild + "/debug/notes"
    }
}
