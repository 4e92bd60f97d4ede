import DocentTestSupport
import Foundation
import Glibc
import Testing

/// `docent mount --at-login` and `--bookmark`.
@Suite(.needs(.daemon)) struct LoginMountTests {
    @Test("a folder is mounted at login and among the places of file dialogs, and both are taken back")
    func added() async throws {
        try await Installation.withLocalFolder { installation in
            let (home, folder) = (installation.home, installation.home + "/Docent")
            let unit = home + "/.config/systemd/user/docent-view.service"
            let link = home + "/.config/systemd/user/default.target.wants/docent-view.service"
            let (gtk, kde) = (home + "/.config/gtk-3.0/bookmarks", home + "/.local/share/user-places.xbel")
            let places = "<xbel>\n</xbel>\n"
            try FileManager.default.createDirectory(atPath: home + "/.local/share", withIntermediateDirectories: true)
            try Data(places.utf8).write(to: URL(filePath: kde))
            try await installation.docent("mount", "--at-login", "--bookmark").succeeded()
            do {
                let text = try #require(installation.read(unit))
                #expect(text.contains(" mount --foreground \"\(folder)\"\n") && text.contains("/docent\" mount"))
                #expect(installation.read(link) == text)
                #expect(installation.read(gtk) == "file://\(folder) Docent\n")
                #expect(installation.read(kde)?.contains("file://\(folder)") == true)
                // Once more changes nothing.
                try await installation.docent("mount", "--at-login", "--bookmark").succeeded()
                #expect(installation.read(gtk) == "file://\(folder) Docent\n" && installation.read(unit) == text)
            }
            try await installation.docent("unmount", "--at-login", "--bookmark").succeeded()
            #expect(installation.read(unit) == nil && installation.read(link) == nil)
            #expect(installation.read(gtk) == "" && installation.read(kde) == places)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test("a unit that somebody else wrote is neither changed nor removed")
    func foreign() async throws {
        try await Installation.withLocalFolder { installation in
            let folder = installation.home + "/.config/systemd/user"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let unit = folder + "/docent-view.service"
            try Data("[Service]\nExecStart=/bin/true\n".utf8).write(to: URL(filePath: unit))
            for command in ["mount", "unmount"] {
                let outcome = try await installation.docent(command, "--at-login")
                #expect(
                    outcome.status != 0 && outcome.errors.contains("not one that Docent wrote"), "\(outcome.errors)")
            }
            #expect(installation.read(unit) == "[Service]\nExecStart=/bin/true\n")
            let status = try await installation.docent("mount", "--status").succeeded().text
            #expect(!status.contains(installation.home), "\(status)")
        }
    }
}
