import Testing

@testable import DocentCommands

/// What `docent mount --at-login` and `--bookmark` write.
@Suite struct LoginUnitTests {
    @Test(
        "a unit names the program and the folder as they are, whatever is in their names",
        arguments: ["/home/ä b/Docent", "/home/100%/$HOME", "/x/\"quoted\" \\ \u{7}\n[Service]", "/a b"])
    func unit(_ folder: String) {
        let text = LoginUnit(program: "/opt/a b/bin/docent", folder: folder).text
        #expect(LoginUnit.folder(in: text) == folder)
        let commands = text.split(separator: "\n").filter { $0.hasPrefix("Exec") }
        #expect(
            commands.count == 1 && commands[0].hasPrefix("ExecStart=:\"/opt/a b/bin/docent\" mount --foreground \""))
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("[Service]") }.count == 1)
        #expect(text.utf8.allSatisfy { $0 == 10 || (0x20..<0x7f).contains($0) })
    }

    @Test("a percent sign is doubled, and a dollar sign needs nothing")
    func specifiers() {
        let text = LoginUnit(program: "/bin/docent", folder: "/100%/$A").text
        #expect(text.contains("ExecStart=:\"/bin/docent\" mount --foreground \"/100%%/$A\"\n"))
    }

    @Test("a unit that somebody else wrote names no folder", arguments: ["", "[Service]\nExecStart=/bin/true\n"])
    func foreign(_ text: String) { #expect(LoginUnit.folder(in: text) == nil) }
}

@Suite struct PlacesFileTests {
    private static let url = PlacesFile.url(of: "/home/ä b/Docent")

    @Test("the URL of a folder has only plain characters")
    func encoded() { #expect(Self.url == "file:///home/%C3%A4%20b/Docent") }

    @Test(
        "a line is added once, and removing it gives back what was there",
        arguments: ["", "file:///a A\n", "file:///a A\n\n# odd\r\nfile:///home/%C3%A4%20b/Docent2 x\n"])
    func lines(_ before: String) {
        let added = PlacesFile.addingLine(Self.url, "Docent", to: before)
        #expect(added == before + Self.url + " Docent\n")
        #expect(PlacesFile.addingLine(Self.url, "Docent", to: added) == added)
        #expect(PlacesFile.removingLine(Self.url, from: added) == before)
    }

    @Test("a file without a last line end gets one")
    func unended() {
        #expect(PlacesFile.addingLine(Self.url, "D", to: "file:///a") == "file:///a\n\(Self.url) D\n")
    }

    private static let places = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE xbel>
        <xbel xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks">
         <bookmark href="file:///home/ä"><title>Home</title></bookmark>
        </xbel>

        """

    @Test("a bookmark of KDE is added once, and removing it gives back what was there")
    func bookmarks() throws {
        let added = try #require(PlacesFile.addingBookmark(Self.url, "A & <B>", to: Self.places))
        #expect(
            added.contains(
                " <bookmark href=\"\(Self.url)\">\n  <title>A &amp; &lt;B&gt;</title>\n </bookmark>\n</xbel>"))
        #expect(PlacesFile.addingBookmark(Self.url, "A & <B>", to: added) == added)
        #expect(PlacesFile.removingBookmark(Self.url, from: added) == Self.places)
    }

    @Test("what is not understood stays as it is", arguments: ["", "<html></html>", "<xbel>"])
    func foreign(_ text: String) {
        #expect(PlacesFile.addingBookmark(Self.url, "D", to: text) == nil)
        #expect(PlacesFile.removingBookmark(Self.url, from: text) == text)
    }
}
