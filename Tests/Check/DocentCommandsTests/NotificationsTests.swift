import CommandConsole
import DesktopNotices
import DocentTestSupport
import Documents
import Foundation
import Testing

@testable import DocentCommands

/// `docent notifications`: what it says, and the file that it writes.
@Suite struct NotificationsTests {
    @Test("the state is shown for people and as JSON")
    func texts() {
        var status = NotificationsText.Status(state: .on, isInstalled: true, file: "/h/\u{1B}x")
        #expect(NotificationsText.status(status) == "Notifications:  on\nFile:           /h/\\x1Bx\n")
        #expect(
            status.json.compact == #"""
                {"file": "/h/\u001bx", "installed": true, "state": "on"}
                """#)
        status = .init(state: .unset, isInstalled: false, file: "/h")
        let text = NotificationsText.status(status)
        #expect(text.contains("docent notifications on") && text.contains("not found") && !text.contains("/h"))
        #expect(NotificationsText.on(isStarted: true) == "Notifications are on.\n")
        #expect(NotificationsText.on(isStarted: false).contains("next login"))
    }

    @Test("off is written where nothing is installed too; a file of somebody else stays")
    func files() throws {
        let home = "/tmp/docent-notices-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: home) }
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let programs = try NotifierPrograms(["HOME": home, "PATH": "/nowhere"])
        #expect(programs.status.state == .unset)
        try programs.write(isOn: false)
        #expect(programs.status.state == .off)
        let path = programs.status.file
        #expect(path == home + "/.config/autostart/org.docent.Notifier.desktop")
        try Data("[Desktop Entry]\nExec=other\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect {
            try programs.write(isOn: false)
        } throws: {
            ($0 as? DocumentsError)?.code == .conflict
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[Desktop Entry]\nExec=other\n")
    }
}
