import Foundation
import Testing
import Varlink

@testable import DocentInterfaces

/// The generated pages of folders are the same JSON as the ordinary coder's.
@Suite struct PageCodecTests {
    static let providerItems: [Wire.ProviderItem] = [
        Wire.ProviderItem(identifier: "a", parent: ".root", name: "a.txt", isFolder: false),
        Wire.ProviderItem(
            identifier: "quote\" back\\slash\n\u{1}", parent: "ö", name: "日本語/", contentType: "public.data",
            size: 1 << 40, modificationDate: 1_763_000_000.25, creationDate: -1.5e-9, isFolder: true, version: "é1",
            capabilities: ["reading", "we\"ird"], isDownloaded: false, isUploaded: true),
        Wire.ProviderItem(
            identifier: "e", parent: "", name: "", size: 0, modificationDate: 1e300, isFolder: false, capabilities: [],
            symbolicLinkTarget: "t\"", ignoresCase: false),
    ]

    /// A page of `count` items and its token.
    struct Shape: Sendable {
        var count: Int
        var nextPage: String?
    }

    static let shapes = [Shape(count: 0), Shape(count: 1, nextPage: ""), Shape(count: 3, nextPage: "to\"ken")]

    private static func quick<Value: VarlinkMessage>(_ data: Data) -> Value? {
        data.withUnsafeBytes { raw in Value.quickValue(raw.bindMemory(to: UInt8.self)) }
    }

    private static func check<Value: VarlinkMessage & Equatable>(_ value: Value) throws {
        let written = Data(try #require(value.quickJSON))
        #expect(try JSONDecoder().decode(Value.self, from: written) == value)
        #expect(quick(written) == value)
        #expect(quick(try JSONEncoder().encode(value)) == value)
    }

    @Test("L1: a page survives both codecs in both directions", arguments: shapes)
    func page(_ shape: Shape) throws {
        let items = HotCodecTests.items
        let page = (0..<shape.count).map { items[$0 % items.count] }
        try Self.check(PickerInterface.ListFolder.Reply(items: page, nextPage: shape.nextPage))
        try Self.check(DocumentsInterface.List.Reply(items: page, nextPage: shape.nextPage))
        try Self.check(
            FileProviderInterface.Children.Reply(
                items: Array(Self.providerItems.prefix(shape.count)), nextPage: shape.nextPage))
    }

    @Test("the mark of a cached page survives the ordinary coders")
    func remembered() throws {
        let value = PickerInterface.ListFolder.Reply(items: [], remembered: .init(reason: "offline", since: 7))
        #expect(value.quickJSON == nil)
        let written = try JSONEncoder().encode(value)
        let quick: PickerInterface.ListFolder.Reply? = Self.quick(written)
        #expect(quick == nil)
        #expect(try JSONDecoder().decode(PickerInterface.ListFolder.Reply.self, from: written) == value)
    }

    @Test("L1: null means unknown, and members of later versions are ignored")
    func nullAndUnknown() throws {
        let text = #"""
            {"later":{"a":[1,-2.5e3,true,null,{"b":"c"}]},"nextPage":null,"items":[{"identifier":"i","parent":"p",
            "name":"n","size":null,"capabilities":null,"isFolder":true,"later":[[]]}]}
            """#
        let reply: FileProviderInterface.Children.Reply? = Self.quick(Data(text.utf8))
        #expect(reply == .init(items: [.init(identifier: "i", parent: "p", name: "n", isFolder: true)]))
    }

    @Test(
        "T4: anything but a page is left to the ordinary decoder, which reports the error",
        arguments: [
            "{}", #"{"items":null}"#, #"{"items":[1]}"#, #"{"items":[{"identifier":"i"}]}"#, #"{"items":[}"#,
            #"{"items":["#,
            #"{"items":[],"nextPage":7}"#,
            // A duplicate member does not replace a missing one.
            #"{"items":[{"identifier":"i","identifier":"i","name":"n","isFolder":true}]}"#,
            #"{"items":[{"identifier":"i","parent":"p","name":"n","isFolder":true,"modificationDate":1e999}]}"#,
            #"{"items":[{"identifier":"i","parent":"p","name":"n","isFolder":true,"size":1.5}]}"#,
            "{\"items\":[{\"identifier\":\"i\",\"parent\":\"p\",\"name\":\"\\ud83d\\ude00\",\"isFolder\":true}]}",
        ])
    func others(_ text: String) {
        let reply: FileProviderInterface.Children.Reply? = Self.quick(Data(text.utf8))
        #expect(reply == nil)
    }

    @Test("T4: a name that is not UTF-8 is left to the ordinary decoder")
    func invalidText() {
        var bytes = Data(#"{"items":[{"identifier":"i","parent":"p","name":""#.utf8)
        bytes += [0xFF, 0xC0]
        bytes += Data(#"","isFolder":true}]}"#.utf8)
        let reply: FileProviderInterface.Children.Reply? = Self.quick(bytes)
        #expect(reply == nil)
    }
}
