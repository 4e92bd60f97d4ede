import HostTesting
import Testing

@testable import HostServices

/// What is taken for a PNG, and what is written anew (K9).
@Suite struct PNGPictureTests {
    /// One grey pixel, as Python's zlib and an image viewer agree.
    private static let real: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
        0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0, 0, 0, 2, 0,
        1, 0x48, 0xAF, 0xA4, 0x71, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]

    @Test("K9: a real picture is taken, and written anew unchanged if nothing is added")
    func real() throws {
        let picture = try #require(PNGPicture(Self.real, most: 1))
        #expect(picture.width == 1 && picture.height == 1 && picture.texts.isEmpty)
        #expect(picture.encoded(texts: []) == Self.real)
        #expect(PNGPicture(TestPicture.png(3, 4), most: 4).map { [$0.width, $0.height] } == [3, 4])
    }

    @Test("K9: texts are written where every reader finds them, and read again; others are left out")
    func texts() throws {
        let others: [(type: String, data: [UInt8])] = [
            ("tEXt", Array("Thumb::URI".utf8) + [0] + Array("file:///etc/passwd".utf8)),
            ("zTXt", Array("Comment".utf8) + [0, 0] + [UInt8](repeating: 7, count: 50)),
            ("iCCP", [UInt8](repeating: 9, count: 100)), ("acTL", [0, 0, 0, 9, 0, 0, 0, 0]), ("gAMA", [0, 0, 1, 0]),
        ]
        let given = try #require(PNGPicture(TestPicture.png(2, 2, extra: others), most: 128))
        let bytes = given.encoded(texts: [("Thumb::URI", "docent://a"), ("Name", "é☃\0")])
        let picture = try #require(PNGPicture(bytes, most: 128))
        #expect(picture.texts == ["Thumb::URI": "docent://a", "Name": "é??"])
        #expect(Array(bytes[33..<45]) == TestPicture.number(21) + Array("tEXtThum".utf8))
        let text = String(decoding: bytes, as: UTF8.self)
        for name in ["passwd", "zTXt", "iCCP", "acTL"] { #expect(!text.contains(name), "\(name)") }
        #expect(text.contains("gAMA"))
    }

    @Test("K9: what is cut anywhere, changed anywhere or no PNG is refused, and nothing is read beyond its end")
    func damaged() {
        let whole = TestPicture.png(2, 2)
        for count in whole.indices { #expect(PNGPicture(Array(whole[..<count]), most: 128) == nil, "\(count)") }
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 0x10
            #expect(PNGPicture(bytes, most: 128) == nil, "\(index)")
        }
        #expect(PNGPicture([], most: 128) == nil)
        #expect(PNGPicture([0xFF, 0xD8, 0xFF, 0xE0] + whole, most: 128) == nil)
        // What follows the end is ignored: a file of fixed size is full of zeros.
        let padded = whole + [UInt8](repeating: 0, count: 1 << 16)
        #expect(PNGPicture(padded, most: 128)?.encoded(texts: []) == whole)
    }

    @Test("K9: a size out of range, and a header that cannot be, are refused")
    func headers() {
        func header(_ data: [UInt8]) -> [UInt8] {
            TestPicture.signature + TestPicture.chunk("IHDR", data) + TestPicture.chunk("IDAT", [1])
                + TestPicture.chunk("IEND", [])
        }
        let two = TestPicture.number(2)
        #expect(PNGPicture(header(two + two + [8, 6, 0, 0, 0]), most: 2) != nil)
        let wrong: [[UInt8]] = [
            TestPicture.number(0) + two + [8, 6, 0, 0, 0], TestPicture.number(3) + two + [8, 6, 0, 0, 0],
            two + TestPicture.number(0xFFFF_FFFF) + [8, 6, 0, 0, 0], two + two + [4, 6, 0, 0, 0],
            two + two + [8, 5, 0, 0, 0], two + two + [8, 6, 1, 0, 0], two + two + [8, 6, 0, 1, 0],
            two + two + [8, 6, 0, 0, 2], two + two + [8, 6, 0, 0], two + two + [8, 6, 0, 0, 0, 0], [],
        ]
        for data in wrong { #expect(PNGPicture(header(data), most: 2) == nil, "\(data)") }
        let end = TestPicture.chunk("IEND", [])
        let first = TestPicture.chunk("IHDR", two + two + [8, 6, 0, 0, 0])
        let pixels = TestPicture.chunk("IDAT", [1])
        let orders = [pixels + first + end, first + end, first + first + pixels + end, end, first + pixels]
        for bytes in orders { #expect(PNGPicture(TestPicture.signature + bytes, most: 2) == nil) }
        // A chunk that nobody knows and that the picture needs, and one whose name is none.
        for name in ["ABCD", "a1cd", "aB\0d"] {
            let bytes = TestPicture.signature + first + TestPicture.chunk(name, []) + pixels + end
            #expect(PNGPicture(bytes, most: 2) == nil, "\(name)")
        }
        #expect(
            PNGPicture(TestPicture.signature + first + TestPicture.chunk("abCd", []) + pixels + end, most: 2) != nil)
        var length = TestPicture.signature + first
        length += [0xFF, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8) + [0, 0, 0, 0]
        #expect(PNGPicture(length, most: 2) == nil)
    }
}
