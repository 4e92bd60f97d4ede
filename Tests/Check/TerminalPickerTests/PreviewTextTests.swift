import Testing

@testable import TerminalPicker

@Suite struct PreviewTextTests {
    @Test("Text is shown, also if it was cut within a letter; anything else is not")
    func lines() {
        #expect(PreviewText.lines(of: Array("a\n\tb\r\nc".utf8), most: 9) == ["a", "    b", "c"])
        #expect(PreviewText.lines(of: Array("漢".utf8.dropLast()), most: 9) == [""])
        #expect(PreviewText.lines(of: Array("x漢".utf8.dropLast(2)), most: 9) == ["x"])
        #expect(PreviewText.lines(of: [0x61, 0], most: 9) == nil)
        #expect(PreviewText.lines(of: [0xFF, 0xFE, 0x61, 0x62, 0x63, 0x64, 0x65], most: 9) == nil)
        #expect(PreviewText.lines(of: Array(repeating: 10, count: 100), most: 9)?.count == 9)
    }
}
