import Testing

@testable import CommandConsole

@Suite struct FileNamesTests {
    @Test(
        "\\xHH becomes a byte that is not UTF-8; nothing else is converted",
        arguments: [
            ("notes.txt", Array("notes.txt".utf8)), ("caf\\xE9", Array("caf".utf8) + [0xE9]), ("\\xff", [0xFF]),
            ("\\xE9\\xA9", [0xE9, 0xA9]), ("é", [0xC3, 0xA9]), ("a\\x2Fb", Array("a\\x2Fb".utf8)),
            ("\\x00", Array("\\x00".utf8)), ("\\xZZ", Array("\\xZZ".utf8)), ("\\xE", Array("\\xE".utf8)),
            ("\\x+9", Array("\\x+9".utf8)),
        ] as [(String, [UInt8])])
    func bytes(shown: String, expected: [UInt8]) { #expect(FileNames.bytes(shown) == expected) }

    @Test(
        "An invalid name, or one that leads elsewhere, is refused",
        arguments: ["", ".", "..", "a/b", "/etc/passwd", "a\0b", String(repeating: "x", count: 256)])
    func illegal(shown: String) { #expect(FileNames.bytes(shown) == nil) }

    @Test("The last name of a path", arguments: [("a/b", "b"), ("b", "b"), ("/a/b/", "b"), ("/", ""), ("", "")])
    func last(path: String, expected: String) { #expect(FileNames.last(of: path) == expected) }
}
