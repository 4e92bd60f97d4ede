import Foundation
import Testing
import UniformTypes

/// Types recognised by content (7.4.5), with and without the machine's MIME database (7.4.6).
struct ContentTypeTests {
    private static let zeros = String(repeating: "\0", count: 257)

    private static func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

    @Test(
        "7.4.5: the first bytes determine the type",
        arguments: [
            ("\u{89}PNG\r\n\u{1A}\n", "public.png"), ("\u{FF}\u{D8}\u{FF}\u{E0}", "public.jpeg"),
            ("GIF89a", "com.compuserve.gif"),
            ("RIFF\0\0\0\0WEBPVP8 ", "org.webmproject.webp"), ("%PDF-1.4", "com.adobe.pdf"),
            ("PK\u{3}\u{4}\u{14}\0", "com.pkware.zip-archive"), ("\u{1F}\u{8B}\u{8}\0", "org.gnu.gnu-zip-archive"),
            (zeros + "ustar\0", "public.tar-archive"), ("{\\rtf1", "public.rtf"),
            ("Milk, bread\n", "public.plain-text"),
            ("Gr\u{C3}\u{BC}\u{C3}", "public.plain-text"),
        ], [[], ["/usr/share/mime"]])
    func told(_ content: (text: String, type: String), directories: [String]) {
        let registry = UniformTypeRegistry(mimeDirectories: directories)
        #expect(registry.type(ofContent: Self.bytes(content.text))?.identifier == content.type)
    }

    @Test("7.4.5: unrecognised content has no type", arguments: ["", "\0\u{1}\u{2}\u{3}", "\u{FF}\u{FE}\u{80}\u{81}"])
    func untold(text: String) {
        #expect(UniformTypeRegistry().type(ofContent: Self.bytes(text)) == nil)
    }

    private static func withMagic(_ rules: String, _ body: (UniformTypeRegistry) -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "magic-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(bytes("MIME-Magic\0\n" + rules)).write(to: folder.appending(path: "magic"))
        body(UniformTypeRegistry(mimeDirectories: [folder.path]))
    }

    @Test("7.4.5: rules have offsets, ranges, masks, words, further conditions and priorities")
    func rules() throws {
        let rules =
            "[40:image/png]\n>0=\0\u{2}AB\n[60:image/gif]\n>0=\0\u{2}AB\n1>4=\0\u{1}C\n1>4=\0\u{1}D\n"
            + "[50:application/pdf]\n>2=\0\u{2}xy+4\n[50:image/jpeg]\n>0=\0\u{2}\u{10}\u{20}&\0\u{F0}~2\n"
        try Self.withMagic(rules) { registry in
            func type(_ text: String) -> String? { registry.type(ofContent: Self.bytes(text))?.identifier }
            #expect(type("AB") == "public.png")
            #expect(type("AB..C") == "com.compuserve.gif")
            #expect(type("AB..D") == "com.compuserve.gif")
            #expect(type("AB..E") == "public.png")
            #expect(type("..xy\0") == "com.adobe.pdf")
            #expect(type("\u{1}....xy\0") == "com.adobe.pdf")
            #expect(type("\u{1}.....xy\0") == nil)
            // A word in the host's order: the bytes are reversed here.
            let (one, other) = (type("\u{20}\u{1}\u{1}"), type("\u{1}\u{20}\u{1}"))
            #expect(Set([one, other]) == ["public.jpeg", nil])
            #expect((one != nil) == (1.littleEndian == 1))
        }
    }

    @Test(
        "7.4.6: a malformed rules file is used as far as it can be read",
        arguments: [
            "", "[", "[50:", "[50:image/png]\n>", "[50:image/png]\n>0=\u{FF}\u{FF}AB", "[x:y]\n",
            "[50:image/png]\n>0=\0\u{1}A",
        ])
    func malformed(rules: String) throws {
        try Self.withMagic(rules) { #expect($0.type(ofContent: Self.bytes("%PDF-1.4"))?.identifier == "com.adobe.pdf") }
    }
}
