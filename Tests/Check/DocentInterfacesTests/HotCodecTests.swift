import Foundation
import Testing
import Varlink

@testable import DocentInterfaces

/// The generated messages of the hot path are the same JSON as the ordinary coder's (TRIED, latency).
@Suite struct HotCodecTests {
    static let items: [Wire.Item] = [
        Wire.Item(
            reference: .init(provider: "org.docent.LocalFolder", domain: "", identifier: "a.b"), name: "a.txt",
            contentType: "public.plain-text", isFolder: false, isDownloaded: true, isUploaded: true),
        Wire.Item(
            reference: .init(provider: "p", domain: "döm", identifier: "quote\" back\\slash\n\u{1}"), parent: ".root",
            name: "日本語 \"x\"/\\", path: "/a/ß", contentType: "public.data", size: 1 << 40,
            modificationDate: 1_763_000_000.25,
            creationDate: -1.5, isFolder: true, isDownloaded: false, isUploaded: false, version: "é1"),
        Wire.Item(
            reference: .init(provider: "p", domain: "", identifier: "l"), name: "link", contentType: "public.symlink",
            isFolder: false, isDownloaded: true, isUploaded: true, symbolicLinkTarget: "quote\" \u{1}",
            ignoresCase: true),
    ]

    private func read(_ message: [UInt8]) throws -> DocumentsInterface.Open.Reply {
        try message.withUnsafeBufferPointer { try OpenCodec.readReply($0).reply }
    }

    @Test("L1: an item from either encoder is read by the other decoder", arguments: items)
    func item(_ item: Wire.Item) throws {
        let ordinary = try JSONDecoder().decode(Wire.Item.self, from: Data(item.hotJSON))
        #expect(ordinary == item)
        let envelope =
            Array(#"{"parameters":{"file":0,"item":"#.utf8) + Array(try JSONEncoder().encode(item)) + Array("}}".utf8)
        #expect(try read(envelope).item == item)
    }

    @Test("L1: an Open call survives both codecs", arguments: items)
    func call(_ item: Wire.Item) throws {
        struct Call: Decodable {
            var method: String
            var parameters: DocumentsInterface.Open.Parameters
        }
        let parameters = DocumentsInterface.Open.Parameters(reference: item.reference, lease: true)
        let call = try JSONDecoder().decode(Call.self, from: Data(OpenCodec.call(parameters)))
        #expect(call.method == DocumentsInterface.Open.name)
        #expect(call.parameters == parameters)
        #expect(try OpenCodec.parameters(try JSONEncoder().encode(parameters)) == parameters)
    }

    @Test("L1: a reply with lease and descriptors is read back", arguments: items)
    func reply(_ item: Wire.Item) throws {
        let text = OpenCodec.reply(item: item.hotJSON, file: 0, lease: 1, slot: 7, generation: 9, reading: nil)
        let reply = try read(Array(#"{"parameters":"#.utf8) + text + Array("}".utf8))
        #expect(reply == .init(item: item, file: 0, lease: 1, slot: 7, generation: 9))
        #expect(reply.descriptorCount == 2)
    }

    @Test(
        "T5: an error reply becomes its failure, even with an unknown code",
        arguments: ["NotPermitted", "Invented"])
    func error(_ name: String) throws {
        let message =
            #"{"error":"org.docent.Documents.\#(name)","#
            + #""parameters":{"message":"why","causes":[],"retryAfter":7.5}}"#
        #expect(throws: VarlinkCallError.self) { try read(Array(message.utf8)) }
        do {
            _ = try read(Array(message.utf8))
        } catch let error as VarlinkCallError {
            let failure = Failure(error)
            #expect(failure.retryAfter == 7.5)
            #expect(failure.code.rawValue == name)
            #expect(failure.message == "why")
        }
    }

    @Test(
        "T4: garbage is refused and never traps",
        arguments: [
            "", "{", "[]", #"{"reference":{}}"#, #"{"reference":{"provider":"\u00"}}"#, "{\"reference\":\"\u{0}\"}",
        ])
    func garbage(_ text: String) {
        #expect(throws: (any Error).self) { try OpenCodec.parameters(Data(text.utf8)) }
        #expect(throws: (any Error).self) { try read(Array(text.utf8)) }
    }
}
