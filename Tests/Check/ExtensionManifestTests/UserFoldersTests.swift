import Testing

@testable import ExtensionManifest

@Suite struct UserFoldersTests {
    private static let home = "/home/ada"

    @Test(
        "S2: the folder for documents is the one that xdg-user-dir names",
        arguments: [
            ("XDG_DOCUMENTS_DIR=\"$HOME/Dokumente\"\n", "/home/ada/Dokumente"),
            ("# a comment\n  XDG_DOCUMENTS_DIR=\"${HOME}/Mes documents/\"", "/home/ada/Mes documents"),
            ("XDG_DOCUMENTS_DIR=\"/data/ada \\\"x\\\"\"", "/data/ada \"x\""),
            ("XDG_DOCUMENTS_DIR=\"/first\"\nXDG_DOCUMENTS_DIR=\"/last\"", "/last"),
            ("XDG_MUSIC_DIR=\"$HOME/Musik\"", nil), ("", nil), ("XDG_DOCUMENTS_DIR=relative", nil),
            ("#XDG_DOCUMENTS_DIR=\"/no\"", nil), ("XDG_DOCUMENTS_DIR=\"$HOMES/x\"", nil),
        ])
    func settings(_ text: String, _ expected: String?) {
        let found = UserFolders.documents(settings: text, home: Self.home)
        let folders = UserFolders(home: Self.home, documents: found, protected: [])
        #expect(folders.documents == expected ?? "/home/ada/Documents")
    }

    @Test(
        "S2: a folder that no entitlement may name is not used as the one for documents",
        arguments: [
            "/home/ada", "/home/ada/", "/home", "/", "/home/ada/.ssh", "/home/ada/.config/x", "/home/ada/data/docent",
            "/home/ada/data/docent/deep", "/home/ada/data", "/home/ada/../bob", "relative",
        ])
    func refused(_ path: String) {
        let folders = UserFolders(home: Self.home, documents: path, protected: ["/home/ada/data/docent"])
        #expect(folders.documents == "/home/ada/Documents")
    }

    @Test("S2: only `Documents` and paths in it lead there")
    func paths() {
        let folders = UserFolders(home: Self.home, documents: "/data/Dokumente", protected: [])
        #expect(folders.path(of: "Documents") == "/data/Dokumente")
        #expect(folders.path(of: "Documents/Letters") == "/data/Dokumente/Letters")
        #expect(folders.path(of: "Documents2") == "/home/ada/Documents2")
        #expect(folders.path(of: "Pictures") == "/home/ada/Pictures")
        #expect(folders.displayed("/home/ada/Bilder") == "~/Bilder")
        #expect(
            folders.displayed("/data/Dokumente") == "/data/Dokumente" && folders.displayed("/home/ada") == "/home/ada")
    }

    @Test("The file is searched for in the configuration directory, and without the file the variable counts")
    func places() throws {
        let fixture = try ManifestFixture()
        let home = fixture.root + "/home"
        try fixture.write("home/.config/user-dirs.dirs", Array("XDG_DOCUMENTS_DIR=\"$HOME/Papiere\"\n".utf8))
        try fixture.write("conf/user-dirs.dirs", Array("XDG_DOCUMENTS_DIR=\"$HOME/Schriften\"\n".utf8))
        #expect(UserFolders(variables: ["HOME": home]).documents == home + "/Papiere")
        let variables = ["HOME": home, "XDG_CONFIG_HOME": fixture.root + "/conf", "XDG_DOCUMENTS_DIR": "/srv/other"]
        #expect(UserFolders(variables: variables).documents == home + "/Schriften")
        let none = variables.merging(["XDG_CONFIG_HOME": fixture.root + "/none"]) { $1 }
        #expect(UserFolders(variables: none).documents == "/srv/other")
    }
}
