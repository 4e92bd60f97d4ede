import Testing

@testable import TerminalPicker

@Suite struct KeyDecoderTests {
    private static func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.feed(Array(text.utf8)) + decoder.flush()
    }

    @Test(
        "Keys are decoded as terminals since the VT100 send them",
        arguments: [
            ("a", Key.character("a")), ("é", .character("é")), ("漢", .character("漢")), ("😀", .character("😀")),
            ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
            ("\u{3}", .control("c")), ("\u{1B}", .escape), ("\u{1B}[A", .up), ("\u{1B}OB", .down),
            ("\u{1B}[C", .right), ("\u{1B}[1;5D", .left), ("\u{1B}[H", .home), ("\u{1B}[4~", .end),
            ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}OM", .enter),
        ])
    func single(_ text: String, _ key: Key) { #expect(Self.keys(text) == [key]) }

    @Test("A sequence or a letter that arrives in pieces is one key, wherever it is split")
    func split() {
        let bytes = Array("a\u{1B}[6~é\u{1B}OA漢\u{1B}[200~two\nlines\u{1B}[201~z".utf8)
        let whole: [Key] = [
            .character("a"), .pageDown, .character("é"), .up, .character("漢"), .pasted("two\nlines"), .character("z"),
        ]
        for index in 0...bytes.count {
            var decoder = KeyDecoder()
            #expect(decoder.feed(bytes[..<index]) + decoder.feed(bytes[index...]) == whole, "\(index)")
        }
        var decoder = KeyDecoder()
        #expect(bytes.flatMap { decoder.feed([$0]) } == whole)
        #expect(!decoder.isPending)
    }

    @Test("An escape byte alone is the Escape key only when nothing follows")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.feed([0x1B]).isEmpty)
        #expect(decoder.isPending)
        #expect(decoder.flush() == [.escape])
        #expect(!decoder.isPending)
        #expect(Self.keys("\u{1B}\u{1B}") == [.escape, .escape])
    }

    @Test(
        "What is no key is dropped, and what follows is understood",
        arguments: ["\u{1B}[99~", "\u{1B}[12;34R", "\u{1B}x", "\u{0}", "\u{1C}", "\u{1B}[<0;1;1M", "\u{1B}[?1;2c"])
    func strange(_ text: String) { #expect(Self.keys(text + "q") == [.character("q")]) }

    @Test("Bytes that are not UTF-8 are dropped")
    func broken() {
        var decoder = KeyDecoder()
        #expect(decoder.feed([0xFF, 0xC0, 0x80, 0x61]) == [.character("a")])
        #expect(decoder.feed([0xE6, 0x62]) == [.character("b")])
        #expect(decoder.feed([0xED, 0xA0, 0x80, 0x63]) == [.character("c")])
    }

    @Test("A sequence without an end takes no memory, and a paste is cut")
    func endless() {
        var decoder = KeyDecoder()
        for _ in 0..<100 { _ = decoder.feed(Array("\u{1B}[".utf8) + [UInt8](repeating: 0x30, count: 1000)) }
        _ = decoder.flush()
        #expect(decoder.feed([0x61]) == [.character("a")])
        let paste = decoder.feed(Array("\u{1B}[200~".utf8 + [UInt8](repeating: 0x61, count: 100_000)))
        #expect(paste.isEmpty)
        #expect(decoder.feed(Array("\u{1B}[201~".utf8)) == [.pasted(String(repeating: "a", count: 4096))])
    }
}
