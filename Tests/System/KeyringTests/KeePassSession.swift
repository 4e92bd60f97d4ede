import Foundation
import Testing

@testable import Keyring

/// KeePassXC as the Secret Service of a session, without a screen.
extension KeyringSession {
    private static let database = directory.path + "/home.kdbx"
    private static let group = "{61626364-6566-6768-696a-6b6c6d6e6f70}"

    /// Creates a database whose only group is open to other programs, and settings without questions.
    ///
    /// - Parameter entries: of the group, in KeePass's XML.
    func prepareKeePass(entries: String = "") throws {
        let content = """
            <?xml version="1.0" encoding="UTF-8"?>
            <KeePassFile><Meta><Generator>Docent</Generator><DatabaseName>Home</DatabaseName>
            <CustomData><Item><Key>FDO_SECRETS_EXPOSED_GROUP</Key><Value>\(Self.group)</Value></Item></CustomData></Meta>
            <Root><Group><UUID>YWJjZGVmZ2hpamtsbW5vcA==</UUID><Name>Root</Name>\(entries)</Group></Root></KeePassFile>
            """
        let file = Self.directory.appending(path: "home.xml")
        try Data(content.utf8).write(to: file)
        let password = Array("\(Self.password)\n\(Self.password)\n".utf8)
        let made = try output("keepassxc-cli", ["import", file.path, Self.database, "--set-password"], input: password)
        try #require(made.status == 0, "no database was created")
        let settings = """
            [General]
            ConfigVersion=2
            UpdateCheckMessageShown=true
            [GUI]
            CheckForUpdates=false
            [FdoSecrets]
            Enabled=true
            ShowNotification=false
            ConfirmAccessItem=false
            ConfirmDeleteItem=false
            """
        let folder = Self.directory.appending(path: "XDG_CONFIG_HOME/keepassxc")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(settings.utf8).write(to: folder.appending(path: "keepassxc.ini"))
    }

    /// Starts KeePassXC with the open database.
    func startKeePass() async throws {
        try start("keepassxc", ["--pw-stdin", Self.database], input: Self.password + "\n")
        try await wait { await Keyring(deadline: .seconds(5)).probe() == .available }
    }
}
