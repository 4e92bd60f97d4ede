import Foundation
import Glibc
import Testing

@testable import Storage

@Suite struct FolderOwnerTests {
    @Test("D4: root creates nothing in a user's home, and the error names the owner and a remedy")
    func root() throws {
        let user = geteuid()
        try #require(user != 0, "the tests run as an ordinary user")
        let home = NSTemporaryDirectory() + "docent-owner-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        let data = OwnPath(home + "/.local/share/docent")
        let error = #expect(throws: FileSystemError.self) { try FolderOwner.requireOwn(data, userID: 0) }
        #expect(error?.code == .denied)
        #expect(error?.message.contains("\"\(home)\" belongs to ") == true)
        #expect(error?.message.contains("(user 0)") == true)
        #expect(error?.remedy.contains("without sudo") == true)
        try FolderOwner.requireOwn(data, userID: user)
        try FolderOwner.requireOwn(OwnPath("/root/.local/share/docent"), userID: 0)
        try FolderOwner.requireOwn(OwnPath("/nowhere at all/docent"), userID: 0)
    }

    @Test("D4: the error about another user's folder names its owner, and never suggests to remove it")
    func others() {
        #expect(
            FolderOwner.sentence("/x", owner: 0, userID: 12_345).hasPrefix(
                "The folder \"/x\" belongs to root (user 0), but"))
        #expect(FolderOwner.sentence("/x", owner: 4_000_000_001, userID: 0).contains("user 4000000001"))
        for user in [0, 1_000] as [UInt32] {
            let remedy = FolderOwner.remedy(userID: user).lowercased()
            #expect(!remedy.contains("remove") && !remedy.contains("delete"))
        }
        let error = #expect(throws: FileSystemError.self) { try Directory.make(path: OwnPath("/usr")) }
        #expect(error?.remedy == FolderOwner.remedy())
    }
}
