import DocentTestSupport
import Foundation
import Testing

@testable import ExtensionValidation

@Suite(.mayBlock) struct FileSurveyTests {
    private static func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    @Test("new, changed and removed files are reported; what the provider may write is not")
    func changes() throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let top = folder.path
        let files = FileManager.default
        for name in ["allowed", "kept"] {
            try files.createDirectory(atPath: top + "/" + name, withIntermediateDirectories: true)
        }
        for name in ["same", "changed", "removed", "kept/inner", "allowed/own"] {
            try Self.write("one", top + "/" + name)
        }
        let before = FileSurvey(top, except: [top + "/allowed"])
        #expect(FileSurvey(top, except: [top + "/allowed"]).changes(since: before) == [])
        try Self.write("longer", top + "/changed")
        try files.removeItem(atPath: top + "/removed")
        try files.createSymbolicLink(atPath: top + "/kept/link", withDestinationPath: "/etc/passwd")
        try Self.write("two", top + "/allowed/own")
        try Self.write("two", top + "/allowed/other")
        let changes = FileSurvey(top, except: [top + "/allowed"]).changes(since: before)
        #expect(changes.count == 3)
        for (words, name) in [("a changed ", "changed"), ("a new ", "kept/link"), ("no ", "removed")] {
            #expect(changes.contains { $0.hasPrefix(words) && $0.contains(top + "/" + name) }, "\(changes)")
        }
    }

    @Test("a file of the same size that got another time is changed")
    func time() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/file"
        try Self.write("one", path)
        let before = FileSurvey(folder.path, except: [])
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        #expect(FileSurvey(folder.path, except: []).changes(since: before).count == 1)
    }

    @Test("canaries are not planted where a provider may write")
    func canaries() throws {
        let folder = TemporaryFolder()
        let home = folder.path + "/home"
        try Canary.plant(in: folder.path, except: [home + "/.config"])
        #expect(FileManager.default.fileExists(atPath: home + "/.ssh/id_canary"))
        #expect(FileManager.default.fileExists(atPath: home + "/canary.txt"))
        #expect(!FileManager.default.fileExists(atPath: home + "/.config"))
    }
}
