import ArgumentParser
import CommandConsole
import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import SignInConversation
import Testing

@testable import DocentCommands

/// The command line of `docent drive`, and what it prints.
@Suite struct DriveArgumentTests {
    @Test(
        "A store is a folder or an address, and names the account",
        arguments: [
            ("/media/disk/drive", .folder("/media/disk/drive"), "drive"), ("Drive/", .folder("Drive/"), "Drive"),
            ("s3://documents/my drive", .address("s3://documents/my drive"), "my-drive"),
            ("s3://documents", .address("s3://documents"), "documents"), ("/", .folder("/"), "drive"),
            ("..", .folder(".."), "drive"), ("/home/ada/Bücher", .folder("/home/ada/Bücher"), "B-cher"),
        ] as [(String, DriveStorePlace, String)])
    func places(_ text: String, _ place: DriveStorePlace, _ name: String) throws {
        #expect(try DriveStorePlace.parse(text) == place)
        #expect(place.standardName == name)
        #expect(place.text == text)
    }

    @Test("What is no store is refused", arguments: ["", "s3://", "https://example.org/drive", "webdav://x"])
    func noPlaces(_ text: String) {
        #expect(throws: (any Error).self) { try DriveStorePlace.parse(text) }
    }

    @Test(
        "Options that do not fit are refused",
        arguments: [
            ["create", "/a", "--yes"], ["create", "/a", "--endpoint", "https://h"], ["join", "/a", "--region", "r"],
            ["create", "s3://abc", "--name", "a@b"], ["join", "/a", ""], ["invite", "--minutes", "0"],
            ["invite", "--minutes", "11"], ["recover", "/a", "--recovery-file", ""],
            ["create", "/a", "--sealed-file", "--session"], ["join", "/a", "--secret-fd", "1"],
            ["join", "/a", "--askpass", "x", "--password-stdin"], ["remove-device", ""], ["remove-device"],
            ["remove-device", "a", "--recovery-file", ""], ["gc", "--keep-days", "-1"], ["gc", "--keep-days", "40000"],
        ])
    func refusals(_ arguments: [String]) async {
        await #expect(throws: (any Error).self) { try await Docent.asyncParseAsRoot(["drive"] + arguments) }
    }

    @Test("The options of an invitation and of a creation are read")
    func options() async throws {
        let invite = try #require(
            try await Docent.asyncParseAsRoot(["drive", "invite", "home", "--minutes", "5", "--yes"])
                as? DriveInviteCommand)
        #expect(invite.selection.drive == "home" && invite.minutes == 5 && invite.yes)
        let create = try #require(
            try await Docent.asyncParseAsRoot([
                "drive", "create", "s3://abc/d", "--endpoint", "https://h", "--recovery-file", "f", "--secret-fd", "3",
            ]) as? DriveCreateCommand)
        #expect(create.store == .address("s3://abc/d") && create.recoveryFile == "f")
        #expect(create.options.secrets.descriptor == 3 && create.options.endpoint == "https://h")
    }

    @Test("The drive is the named one, or the only one")
    func choice() throws {
        let domains = ["home", "work"].map {
            Wire.Domain(provider: DriveSetUp.provider, identifier: $0, displayName: $0)
        }
        #expect(try DriveSelection.choose("work", from: domains).identifier == "work")
        #expect(try DriveSelection.choose("Drive@home", from: domains).identifier == "home")
        #expect(try DriveSelection.choose(nil, from: [domains[0]]).identifier == "home")
        func code(_ name: String?, _ domains: [Wire.Domain]) -> DocumentsError.Code? {
            do throws(DocumentsError) {
                _ = try DriveSelection.choose(name, from: domains)
                return nil
            } catch { return error.code }
        }
        #expect(code(nil, domains) == .invalidArgument)
        #expect(code(nil, []) == .notFound)
        #expect(code("other", domains) == .notFound)
    }

    @Test("A machine is named by its name or by its first digits, and is not this one")
    func machines() throws {
        let rows = [
            ["identifier": "aaaaaa11", "name": "desk", "isThis": "yes"], ["identifier": "bbbbbb11", "name": "lap"],
            ["identifier": "bbbbbb22", "name": "lap"], ["identifier": "cccccc11", "name": "old", "removed": "1"],
            ["identifier": "cccccc22", "name": "old"],
        ]
        func outcome(_ text: String) -> String {
            do throws(DocumentsError) {
                return try DriveRemoveDeviceCommand.choose(text, from: rows)["identifier"] ?? ""
            } catch { return error.code.rawValue }
        }
        #expect(outcome("bbbbbb2") == "bbbbbb22" && outcome("BBBBBB11") == "bbbbbb11")
        #expect(outcome("old") == "cccccc22", "the one that is there")
        #expect(outcome("desk") == DocumentsError.Code.invalidArgument.rawValue)
        #expect(outcome("lap") == DocumentsError.Code.invalidArgument.rawValue)
        #expect(outcome("bbb") == DocumentsError.Code.notFound.rawValue)
        #expect(outcome("") == DocumentsError.Code.notFound.rawValue)
    }

    @Test("What was freed, and what that waits for")
    func collections() {
        let row = ["state": "waiting", "packs": "2", "bytes": "4096", "items": "1"]
        let machine = ["waitsFor": "la\u{1B}p", "identifier": "bbbbbb11"]
        let text = DriveText.collected(row, items: 1, waitsFor: [machine])
        #expect(text.contains("1 deleted item") && text.contains("2 objects") && text.contains("(bbbbbb)"))
        #expect(!text.contains("\u{1B}"))
        #expect(DriveText.collected(["state": "nothing"], items: 0, waitsFor: []) == "There is nothing to free.\n")
        let freed = DriveText.collected(["state": "freed", "packs": "1", "bytes": "1"], items: 0, waitsFor: [])
        #expect(freed.hasPrefix("freed: 1 object, "))
        let record = DriveText.record(collected: row, items: 1, waitsFor: [machine]).compact
        #expect(record.contains(#""state": "waiting""#) && record.contains(#""identifier": "bbbbbb11""#))
    }

    @Test("A phrase is found in what the provider says, if there is exactly one")
    func phrases() {
        let phrase = "000GB-40R4D-0M30C-E209D-185GW-R38E8-1W81N-24GKZ"
        #expect(RecoveryPhraseText.find(in: "The phrase of the drive is \(phrase). Write it down.") == phrase)
        #expect(RecoveryPhraseText.find(in: "The phrase of 2026-11-29:\n\n\(phrase)\n") == phrase)
        #expect(RecoveryPhraseText.find(in: "\(phrase) \(phrase)") == nil)
        #expect(RecoveryPhraseText.find(in: String(phrase.dropLast())) == nil)
        #expect(RecoveryPhraseText.find(in: "") == nil)
    }

    @Test("A recovery file is private, replaces nothing, follows no link, and is gone if nothing was put into it")
    func recoveryFile() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/phrase"
        do { _ = try RecoveryFile(path) }
        #expect(!FileManager.default.fileExists(atPath: path))
        do {
            var file = try RecoveryFile(path)
            try file.write("AAAAA", of: "/media/disk")
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(
            text.hasPrefix("The recovery phrase of the drive in /media/disk, of 2") && text.hasSuffix("\n\nAAAAA\n"))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        func code(_ path: String) -> DocumentsError.Code? {
            do throws(DocumentsError) {
                _ = try RecoveryFile(path)
                return nil
            } catch { return error.code }
        }
        #expect(code(path) == .conflict)
        symlink(folder.path + "/elsewhere", folder.path + "/link")
        #expect(code(folder.path + "/link") == .conflict)
        #expect(code(folder.path + "/nothing/phrase") == .notFound)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("What machines are called cannot control a terminal")
    func foreignText() {
        let row = [
            "name": "a\u{1B}[2Jb", "joined": "1700000000000", "records": "3", "fingerprint": "aa", "isThis": "yes",
        ]
        let table = DriveText.devices([row]).text
        #expect(!table.contains("\u{1B}") && table.contains("2023-11-14T22:13:20Z") && table.contains("this one"))
        let problem = ["object": "packs/1", "problem": "x\u{7}"]
        #expect(!DriveText.problems([problem]).contains("\u{7}"))
        #expect(
            DriveText.record(device: row).compact.contains(#""isThis": true"#)
                && DriveText.record(device: row).compact.contains(#""records": 3"#))
        #expect(DriveText.checked(objects: 1, bytes: 0, problems: 0).hasSuffix("; no problem\n"))
    }
}
