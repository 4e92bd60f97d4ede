import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Testing

@testable import DocentCommands

/// The texts of the commands about deletions that can be taken back for a while.
@Suite struct TrashPeriodTextTests {
    @Test("docent rm says which of the three happened")
    func removed() throws {
        let location = try DocumentLocation("webdav@work:/a.txt")
        #expect(RemoveCommand.text(.init(), location) == "webdav@work:/a.txt: deleted for good")
        let pending = RemoveCommand.text(.init(finalDate: 0), location)
        #expect(pending == "webdav@work:/a.txt: deleted; `docent undo` brings it back until 1970-01-01T00:00:00Z")
        #expect(RemoveCommand.text(.init(trashed: true), location).contains("moved to the trash of webdav"))
    }

    @Test("docent trash list shows until when an item can be restored, if one of them has an end")
    func list() {
        var entry = Wire.TrashEntry(
            identifier: "i", provider: "p", domain: "", name: "a", originalPath: "/a", deletionDate: 0, size: 1,
            isFolder: false)
        #expect(!TrashListCommand.table([entry]).shown.contains("UNTIL"))
        entry.finalDate = 3_600
        #expect(TrashListCommand.table([entry]).shown.contains("1970-01-01T01:00:00Z"))
    }

    @Test("docent trash keep takes a length of time, or 0", arguments: [("0", 0), ("90s", 90), ("8h", 28_800)])
    func period(_ text: String, _ seconds: Int) async throws {
        let command = try #require(
            try await Docent.asyncParseAsRoot(["trash", "keep", "--for", text, "webdav@work"]) as? TrashKeepCommand)
        #expect(command.period == seconds && command.account != nil)
        for arguments in [["--for", "soon"], ["--for", "1h", "--reset"]] {
            await #expect(throws: (any Error).self) {
                try await Docent.asyncParseAsRoot(["trash", "keep"] + arguments)
            }
        }
    }

    @Test("docent trash keep shows the rule of all accounts, then those of single ones")
    func rules() {
        let text = TrashKeepCommand.text([
            .init(seconds: 3_600), .init(provider: "webdav", domain: "work", seconds: 0),
            .init(provider: "rclone", domain: "", seconds: 90),
        ])
        #expect(text.contains("all others") && text.contains("1h") && text.contains("webdav@work"))
        #expect(text.contains("90s"))
        #expect(TrashKeepCommand.text([.init(seconds: 86_400)]).contains("1d"))
    }
}
