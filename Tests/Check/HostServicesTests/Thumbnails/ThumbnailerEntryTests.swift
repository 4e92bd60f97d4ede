import Testing

@testable import HostServices

/// The files that describe the desktop's thumbnailers.
@Suite struct ThumbnailerEntryTests {
    @Test("A file as it is installed is read, with its placeholders and types")
    func real() throws {
        let entry = try #require(
            ThumbnailerEntry(
                """
                # a comment
                [Other]
                Exec=other
                [Thumbnailer Entry]
                TryExec=gdk-pixbuf-thumbnailer
                Exec = /usr/bin/gdk-pixbuf-thumbnailer -s %s %u %o
                Exec=second
                MimeType=image/png; IMAGE/jpeg;;
                [Later]
                TryExec=none
                """))
        #expect(entry.command == ["/usr/bin/gdk-pixbuf-thumbnailer", "-s", "%s", "%u", "%o"])
        #expect(entry.types == ["image/png", "image/jpeg"])
        #expect(entry.requiredProgram == "gdk-pixbuf-thumbnailer")
        #expect(
            entry.arguments(document: "/tmp/in/a b", picture: "/tmp/out/p", size: 256)
                == ["-s", "256", "file:///tmp/in/a b", "/tmp/out/p"])
    }

    @Test(
        "A command line is split as the desktop does, and one without an end is refused",
        arguments: [
            ("a  b\tc", ["a", "b", "c"]), ("\"a b\" c\\d", ["a b", "c\\d"]), ("\"a\\\"b\\\\\"", ["a\"b\\"]),
            ("\"\" x", ["", "x"]), ("", []), ("a \"b", nil), ("\"a\\", nil),
        ] as [(String, [String]?)])
    func words(text: String, words: [String]?) {
        #expect(ThumbnailerEntry.words(text) == words)
    }

    @Test("What describes no program is none, and unknown placeholders vanish")
    func others() throws {
        for text in ["", "[Thumbnailer Entry]\nMimeType=a/b", "[Thumbnailer Entry]\nExec=", "Exec=a"] {
            #expect(ThumbnailerEntry(text) == nil, "\(text)")
        }
        let entry = try #require(ThumbnailerEntry("[Thumbnailer Entry]\nExec=a %i%% %x% --o=%o\n"))
        #expect(entry.arguments(document: "d", picture: "p", size: 1) == ["d%", "", "--o=p"])
        #expect(entry.types.isEmpty && entry.requiredProgram == nil)
    }
}
