import Documents
import FoundationEssentials
import Glibc
import Testing

@testable import DocentCommands

@Suite("docent desktop")
struct DesktopSettingTests {
    /// A home with an installed back end.
    private struct Home: ~Copyable {
        let path: String
        var environment: [String: String]

        init() throws {
            path = FileManager.default.temporaryDirectory.path + "/docent-desktop-\(UUID().uuidString)"
            environment = [
                "HOME": path, "XDG_DATA_DIRS": path + "/share", "XDG_CONFIG_DIRS": path + "/etc",
                "XDG_CURRENT_DESKTOP": "Test:GNOME",
            ]
            try write("share/dbus-1/services/org.freedesktop.impl.portal.desktop.docent.service", "")
            try write("share/systemd/user/docent-picker.service", "")
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ name: String, _ text: String) throws {
            let file = path + "/" + name
            let folder = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: file))
        }

        func read(_ name: String) -> String? {
            FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
        }

        /// Everything below the home, with the content of the files.
        func everything() throws -> [String: String] {
            var found: [String: String] = [:]
            for name in try FileManager.default.subpathsOfDirectory(atPath: path) { found[name] = read(name) ?? "" }
            return found
        }

        func setting(_ version: String?) throws -> DesktopSetting {
            try DesktopSetting(environment, portalVersion: version)
        }
    }

    private static let new = "xdg-desktop-portal 1.18.4"
    private static let old = "xdg-desktop-portal 1.16.0"

    @Test("What is enabled is taken back exactly", arguments: [new, old])
    func roundTrip(version: String) throws {
        let home = try Home()
        try home.write(".config/other", "stays")
        let before = try home.everything()
        for _ in 0..<2 {
            try home.setting(version).enable()
            let status = try home.setting(version).status()
            #expect(status.isFileDialog)
            #expect(status.showsRequests)
            #expect(status.isInstalled)
            #expect(!status.files.isEmpty)
        }
        let result = try home.setting(version).disable()
        #expect(result.kept.isEmpty)
        #expect(result.isChanged)
        #expect(result.services == ["docent-picker.service"])
        // The folder of the state stays, and is empty.
        let after = try home.everything().filter { !$0.key.hasPrefix(".local") }
        #expect(after == before)
        #expect(try home.everything().filter { $0.key.hasPrefix(".local") && !$0.value.isEmpty }.isEmpty)
        #expect(try !home.setting(version).status().isFileDialog)
        #expect(try home.setting(version).disable().isChanged == false)
    }

    @Test("A file of the user gets one line, and its content back byte for byte")
    func ownFile() throws {
        let home = try Home()
        let name = ".config/xdg-desktop-portal/gnome-portals.conf"
        let text = "# mine\r\n[preferred]\ndefault = gnome;gtk;\n\n[other]\nx=1"
        try home.write(name, text)
        chmod(home.path + "/" + name, 0o640)
        try home.setting(Self.new).enable()
        #expect(
            home.read(name) == """
                # mine\r
                [preferred]
                org.freedesktop.impl.portal.FileChooser=docent;gnome;gtk
                default = gnome;gtk;

                [other]
                x=1
                """)
        _ = try home.setting(Self.new).disable()
        #expect(home.read(name) == text)
        var status = stat()
        #expect(stat(home.path + "/" + name, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o640)
    }

    @Test("Without a file of the user, that of the system goes on to count for everything else")
    func systemFile() throws {
        let home = try Home()
        try home.write("share/xdg-desktop-portal/gnome-portals.conf", "[preferred]\ndefault=gnome\n")
        try home.setting(Self.new).enable()
        #expect(
            home.read(".config/xdg-desktop-portal/test-portals.conf")
                == "[preferred]\norg.freedesktop.impl.portal.FileChooser=docent;gnome\ndefault=gnome\n")
    }

    @Test("What somebody has changed since stays, and is named")
    func changed() throws {
        let home = try Home()
        try home.setting(Self.new).enable()
        let name = ".config/xdg-desktop-portal/test-portals.conf"
        try home.write(name, "[preferred]\ndefault=kde\n")
        #expect(try home.setting(Self.new).disable().kept == [home.path + "/" + name])
        #expect(home.read(name) == "[preferred]\ndefault=kde\n")
        #expect(throws: DocumentsError.self) { try home.setting(Self.new).enable() }
        // Once it is gone, nothing is left to do.
        unlink(home.path + "/" + name)
        #expect(try home.setting(Self.new).disable().kept.isEmpty)
    }

    @Test("A link is not followed, and nothing else is changed then")
    func link() throws {
        let home = try Home()
        try home.write("dotfiles/portals.conf", "[preferred]\ndefault=gnome\n")
        try home.write(".config/xdg-desktop-portal/x", "")
        symlink(
            home.path + "/dotfiles/portals.conf", home.path + "/.config/xdg-desktop-portal/portals.conf")
        #expect(throws: DocumentsError.self) { try home.setting(Self.new).enable() }
        #expect(home.read("dotfiles/portals.conf") == "[preferred]\ndefault=gnome\n")
        #expect(try home.setting(Self.new).status().files.isEmpty)
    }

    @Test("It says what is missing")
    func missing() throws {
        let home = try Home()
        let noPortal = #expect(throws: DocumentsError.self) { try home.setting(nil).enable() }
        #expect(noPortal?.suggestion?.contains("xdg-desktop-portal") == true)
        unlink(home.path + "/share/dbus-1/services/org.freedesktop.impl.portal.desktop.docent.service")
        let noBackEnd = #expect(throws: DocumentsError.self) { try home.setting(Self.new).enable() }
        #expect(noBackEnd?.suggestion?.contains("make install-desktop") == true)
        #expect(try !home.setting(Self.new).status().isInstalled)
    }

    @Test("Version 1.16 gets a folder of its own with Docent first")
    func oldVersion() throws {
        let home = try Home()
        try home.setting(Self.old).enable()
        #expect(home.read(".local/share/docent/portals/00-docent.portal")?.contains("UseIn=Test;GNOME\n") == true)
        #expect(
            home.read(".config/systemd/user/xdg-desktop-portal.service.d/docent.conf")?
                .contains("Environment=\"XDG_DESKTOP_PORTAL_DIR=\(home.path)/.local/share/docent/portals\"\n") == true)
    }

    @Test(
        "Which versions read portals.conf",
        arguments: [
            ("xdg-desktop-portal 1.16.0", false), ("xdg-desktop-portal 1.17.0", true),
            ("xdg-desktop-portal 1.20.3", true), ("xdg-desktop-portal 2.0", true), ("", true),
        ])
    func versions(text: String, isRead: Bool) { #expect(PortalConfiguration.isRead(by: text) == isRead) }

    @Test(
        "The preference is set once",
        arguments: [
            ("", "[preferred]\norg.freedesktop.impl.portal.FileChooser=docent\n"),
            ("[other]\na=b", "[other]\na=b\n[preferred]\norg.freedesktop.impl.portal.FileChooser=docent\n"),
            (
                "[preferred]\norg.freedesktop.impl.portal.FileChooser = gtk ; docent\n",
                "[preferred]\norg.freedesktop.impl.portal.FileChooser=docent;gtk\n"
            ),
            (
                "[preferred]\ndefault=none\n",
                "[preferred]\norg.freedesktop.impl.portal.FileChooser=docent\ndefault=none\n"
            ),
        ])
    func preference(before: String, after: String) {
        #expect(PortalConfiguration.preferringDocent(before) == after)
        #expect(PortalConfiguration.preferringDocent(after) == after)
        #expect(PortalConfiguration.prefersDocent(after))
        #expect(!PortalConfiguration.prefersDocent(before))
    }
}
