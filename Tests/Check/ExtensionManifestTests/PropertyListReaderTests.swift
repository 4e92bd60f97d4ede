import Foundation
import Testing

@testable import ExtensionManifest

@Suite struct PropertyListReaderTests {
    static let sample: PropertyListValue = [
        "text": "Grüße 🌍", "number": -7, "large": 4_294_967_296, "half": .real(0.5), "yes": true, "no": false,
        "list": ["a", ["b", 3]], "empty": [], "nothing": [:], "nested": ["deep": ["er": "x"]],
    ]

    @Test(
        "6: XML, binary and JSON are recognised by content and give the same values",
        arguments: PropertyListReader
            .Format.allCases)
    func formats(format: PropertyListReader.Format) throws {
        let bytes = try Self.sample.bytes(format)
        #expect(PropertyListReader.format(of: bytes) == format)
        #expect(try PropertyListReader.read(bytes) == Self.sample)
    }

    @Test(
        "6: dates, data and long strings survive in property lists",
        arguments: [
            PropertyListReader.Format.xml, .binary,
        ])
    func datesAndData(format: PropertyListReader.Format) throws {
        let value: PropertyListValue = [
            "when": .date(Date(timeIntervalSinceReferenceDate: 1000)), "data": .data(Data(0...255)),
            "long": .string(String(repeating: "ä", count: 70_000)), "many": .array((0..<300).map { .integer($0) }),
        ]
        #expect(try PropertyListReader.read(value.bytes(format)) == value)
    }

    @Test("6: a byte order mark and leading white space are accepted")
    func byteOrderMark() throws {
        let json = [0xEF, 0xBB, 0xBF] + Array(" \n{\"a\": 1}".utf8)
        #expect(try PropertyListReader.read(json) == ["a": 1])
        let xml = [0xEF, 0xBB, 0xBF] + (try PropertyListValue.dictionary(["a": 1]).bytes(.xml))
        #expect(try PropertyListReader.read(xml) == ["a": 1])
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let found: String

        init(_ name: String, _ bytes: [UInt8], _ found: String) {
            testDescription = name
            self.bytes = bytes
            self.found = found
        }

        init(_ name: String, _ text: String, _ found: String) {
            self.init(name, Array(text.utf8), found)
        }
    }

    static func nestedJSON(_ depth: Int) -> String {
        "{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
    }

    static func nestedXML(_ depth: Int) -> String {
        "<plist>" + String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
            + "</plist>"
    }

    /// A binary list of arrays, each holding the next one twice: 2^n values in a few bytes.
    static func doublingBinary(_ count: Int, cyclic: Bool) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for index in 0..<count {
            offsets.append(UInt8(bytes.count))
            let next = UInt8(index + 1 == count ? (cyclic ? 0 : index) : index + 1)
            bytes += index + 1 == count && !cyclic ? [0x09] : [0xA2, next, next]
        }
        let table = UInt8(bytes.count)
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 1, 1]
        bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(count)] + [UInt8](repeating: 0, count: 8)
        return bytes + [0, 0, 0, 0, 0, 0, 0, table]
    }

    static let refusals: [Refusal] = [
        .init("nothing", "", "an empty file"),
        .init("prose", "hello", "something else"),
        .init("ELF", [0x7F, 0x45, 0x4C, 0x46], "something else"),
        .init("old property list text", "( a, b )", "something else"),
        .init("too large", [UInt8](repeating: 0x20, count: (1 << 20) + 1), "1048577 bytes"),
        .init("JSON too deep", nestedJSON(33), "values nested more than 32 deep"),
        .init("XML too deep", nestedXML(40), "values nested more than 32 deep"),
        .init("XML so deep that the stack would end", nestedXML(60_000), "values nested more than 32 deep"),
        .init("JSON so deep that the stack would end", nestedJSON(500_000), "values nested more than 32 deep"),
        .init(
            "XML deep behind closing tags in comments",
            "<plist>" + String(repeating: "<array><!-- </array> -->", count: 20_000), "values nested more than 32 deep"),
        .init("binary that doubles", doublingBinary(30, cyclic: false), "more than 20000 values"),
        .init("binary that holds itself", doublingBinary(3, cyclic: true), "values nested more than 32 deep"),
        .init("binary in a circle of one", doublingBinary(1, cyclic: true), "values nested more than 32 deep"),
        .init("too many values", "{\"a\":[" + String(repeating: "1,", count: 20_001) + "1]}", "more than 20000 values"),
        .init("JSON null", "{\"a\":{\"b\":[1,null]}}", "null"),
        .init("JSON cut off", "{\"a\":", "a syntax error"),
        .init("JSON not UTF-8", Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8), "bytes that are not UTF-8"),
        .init("XML not UTF-8", Array("<plist><string>".utf8) + [0xC3, 0x28], "bytes that are not UTF-8"),
        .init(
            "XML of another encoding", "<?xml version=\"1.0\" encoding=\"UTF-7\"?><plist><dict/></plist>",
            "another encoding"),
        .init(
            "XML with entities", "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>",
            "a document type with declarations"),
        .init("XML cut off", "<plist><dict>", "an element that is never closed"),
        .init("XML with crossed tags", "<plist><dict></plist></dict>", "a closing tag that closes nothing"),
        .init("binary of two bytes too few", Array("bplist00".utf8) + [UInt8](repeating: 0, count: 30), "too short"),
        .init("binary of zeros", Array("bplist00".utf8) + [UInt8](repeating: 0, count: 60), "a trailer"),
        .init("binary of ones", Array("bplist00".utf8) + [UInt8](repeating: 0xFF, count: 60), "a trailer"),
    ]

    @Test("6: hostile or damaged files are refused with a reason", arguments: refusals)
    func refused(refusal: Refusal) {
        let failure = #expect(throws: PropertyListReader.Failure.self) { try PropertyListReader.read(refusal.bytes) }
        #expect(failure?.found.contains(refusal.found) == true, "\(String(describing: failure))")
    }

    static let misplaced: [Refusal] = [
        .init("JSON with a key twice", "{\"a\": 1,\n \"b\": {\"c\": 1, \"c\": 2}}", "the key \"c\" a second time"),
        .init("JSON with text after the end", "{\"a\": 1}\n {}", "text after the end"),
        .init("JSON with a comma too many", "{\"a\": 1,\n}", "a syntax error"),
        .init("JSON with a control character", "{\"a\": \"\n\"}", "a syntax error"),
        .init("JSON with half a character", "{\"a\":\n \"\\ud800\"}", "a syntax error"),
        .init(
            "XML with a key twice",
            "<plist><dict><key>c</key><true/>\n<key>c</key><false/></dict></plist>", "the key \"c\" a second time"),
        .init("XML with text after the end", "<plist><dict/></plist>\nmore", "text after the end"),
        .init("XML with a second value", "<plist><dict/>\n<dict/></plist>", "<dict> after the value"),
        .init("XML with text between", "<plist><dict>\n text <key>a</key></dict></plist>", "text between elements"),
        .init("XML with a key alone", "<plist><dict><key>a</key></dict></plist>", "a key without a value"),
        .init("XML with a value alone", "<plist><dict><true/></dict></plist>", "<true> without a key"),
        .init("XML with another element", "<plist><dict><key>a</key><b/></dict></plist>", "the element <b>"),
        .init(
            "XML with a second value of a deceptive name", "<plist><dict/>\n<b\u{202E}/></plist>",
            "<b\\u{202e}> after the value"),
        .init("JSON not UTF-8", Array("{\"a\":\n\"".utf8) + [0xFF] + Array("\"}".utf8), "bytes that are not UTF-8"),
        .init("XML not UTF-8", Array("<plist>\n<string>".utf8) + [0xC3, 0x28], "bytes that are not UTF-8"),
        .init("JSON too deep", "{\"a\":\n" + String(repeating: "[", count: 40), "values nested more than 32 deep"),
        .init("XML too deep", "<plist>\n" + String(repeating: "<array>", count: 40), "values nested more than 32 deep"),
        .init(
            "JSON with too many values", "{\"a\":[\n" + String(repeating: "1,", count: 20_001), "more than 20000 values"
        ),
        .init(
            "XML with too many values", "<plist><array>\n" + String(repeating: "<true/>", count: 20_001),
            "more than 20000 values"),
        .init("XML with an odd number", "<plist><integer>1 2</integer></plist>", "<integer> with another content"),
        .init("XML with an odd date", "<plist><date>2014-13-02T10:00:00Z</date></plist>", "<date> with another"),
        .init("XML with a reference to nothing", "<plist><string>a &b; c</string></plist>", "means nothing"),
    ]

    @Test("6: an error in a text has its line and column, and no other program's texts", arguments: misplaced)
    func places(refusal: Refusal) {
        let failure = #expect(throws: PropertyListReader.Failure.self) { try PropertyListReader.read(refusal.bytes) }
        let line = refusal.bytes.contains(0x0A) ? 2 : 1
        #expect(failure?.found.contains(refusal.found) == true, "\(String(describing: failure))")
        let place = failure?.place ?? ""
        let isLater = place.hasPrefix("line \(line), column ")
        #expect(isLater || refusal.testDescription.contains("control") && place.hasPrefix("line 1,"), "\(place)")
        for word in ["Error", "CodingKey", "debugDescription", "Optional"] {
            #expect(failure?.found.contains(word) == false)
        }
    }

    @Test("6: columns are counted in characters, from one")
    func columns() {
        let failure = #expect(throws: PropertyListReader.Failure.self) {
            try PropertyListReader.read(Array("{\"é\": 1,\n\"ü🌍\": nonsense}".utf8))
        }
        #expect(failure?.place == "line 2, column 7")
        #expect(failure?.key == "ü🌍")
    }

    /// The third part is the place.
    static let placed: [Refusal] = [
        .init("JSON not UTF-8", Array("{\"é\":\n \"ü".utf8) + [0xFF], "line 2, column 4"),
        .init("JSON with a part of a character", Array("{\"é\":\n \"ü".utf8) + [0xEF, 0xBF, 0x20], "line 2, column 4"),
        .init("JSON too deep", nestedJSON(40), "line 1, column 38"),
        .init("XML too deep", nestedXML(40), "line 1, column 239"),
        .init(
            "JSON with too many values", "{\"a\":[\n" + String(repeating: "1,", count: 20_000), "line 2, column 39997"),
        .init(
            "XML with too many values", "<plist><array>\n" + String(repeating: "<true/>", count: 20_000),
            "line 2, column 139994"),
    ]

    @Test(
        "6: the place of an error is that of the first byte that is not UTF-8, or of the value that is too much",
        arguments: placed)
    func exactPlaces(refusal: Refusal) {
        let failure = #expect(throws: PropertyListReader.Failure.self) { try PropertyListReader.read(refusal.bytes) }
        #expect(failure?.place == refusal.found)
    }

    @Test(
        "6: a binary property list with something after its end is refused",
        arguments: ["text", "zeros", "trailer", "list"])
    func afterBinary(what: String) throws {
        let bytes = try Self.sample.bytes(.binary)
        let more: [UInt8] =
            switch what {
            case "text": Array("\nmore".utf8)
            case "zeros": [UInt8](repeating: 0, count: 40)
            case "trailer": Array(bytes.suffix(32))
            default: bytes
            }
        #expect(try PropertyListReader.read(bytes) == Self.sample)
        let failure = #expect(throws: PropertyListReader.Failure.self) { try PropertyListReader.read(bytes + more) }
        #expect(failure?.found == "a trailer that does not fit the file")
    }

    @Test("6: a duplicate key is refused in a binary property list")
    func duplicateInBinary() {
        var bytes = Array("bplist00".utf8) + [0xD2, 1, 2, 3, 3, 0x51, 0x61, 0x51, 0x61, 0x09]
        bytes += [8, 13, 15, 17]
        bytes += [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18]
        let failure = #expect(throws: PropertyListReader.Failure.self) { try PropertyListReader.read(bytes) }
        #expect(failure?.found == "the key \"a\" a second time")
    }

    @Test(
        "6: everything that XML allows is read: comments, character data, references, attributes, all kinds of numbers")
    func oddXML() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><!-- one > two --><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x">
            <plist version="1.0 > 0"><dict>
            <!-- <key>no</key> --><key>a&amp;b</key><string>x<![CDATA[<y>]]>&#233;&#x1F30D;</string>
            <key>h</key><integer> 0x1F </integer><key>n</key><integer>-7</integer><key>big</key><integer>18446744073709551615</integer>
            <key>t</key><true></true><key>r</key><real>1e3</real><key>e</key><string/>
            </dict></plist>
            <!-- end -->
            """
        let value = try PropertyListReader.read(Array(text.utf8))
        #expect(
            value == [
                "a&b": "x<y>é🌍", "h": 31, "n": -7, "big": .real(18_446_744_073_709_551_616), "t": true,
                "r": .real(1000),
                "e": "",
            ])
    }

    @Test("6: 32 levels are read", arguments: PropertyListReader.Format.allCases)
    func deepest(format: PropertyListReader.Format) throws {
        var value: PropertyListValue = "x"
        for _ in 0..<31 { value = [value] }
        let top: PropertyListValue = ["a": value]
        #expect(try PropertyListReader.read(top.bytes(format)) == top)
    }

    @Test("6: brackets and quotes in JSON strings do not count as nesting")
    func bracketsInStrings() throws {
        let text = String(repeating: "[", count: 50) + "\\\"{"
        let json = try PropertyListValue.dictionary(["a": .string(text)]).bytes(.json)
        #expect(try PropertyListReader.read(json) == ["a": .string(text)])
    }

    @Test("6: a key path locates a JSON null")
    func placeOfNull() {
        let failure = #expect(throws: PropertyListReader.Failure.self) {
            try PropertyListReader.read(Array("{\"a\":{\"b\":[1,null]}}".utf8))
        }
        #expect(failure?.key == "a.b[1]")
    }

    @Test("6: no damaged file can end the process", arguments: PropertyListReader.Format.allCases)
    func mutations(format: PropertyListReader.Format) throws {
        let original = try Self.sample.bytes(format)
        var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        var refused = 0
        for _ in 0..<3000 {
            var bytes = original
            for _ in 0...next(3) { bytes[next(bytes.count)] = UInt8(next(256)) }
            if next(4) == 0 { bytes.removeLast(next(bytes.count)) }
            if (try? PropertyListReader.read(bytes)) == nil { refused += 1 }
        }
        #expect(refused > 0)
    }
}
