import DocentInterfaces
import Foundation
import Testing
import Varlink

/// The generated codec of `Coordinate` agrees with the ordinary coder.
@Suite struct CoordinateCodecTests {
    private typealias Interface = DocumentsInterface.Coordinate

    private static let reference = Wire.ItemReference(provider: "p", domain: "d \"ö\"", identifier: "\u{1}i\n")

    private static let parameters: [Interface.Parameters] = [
        .init(accesses: [], operation: "o"),
        .init(
            accesses: [
                .init(place: .init(reference: reference), writing: false, options: ["withoutChanges", "forUploading"]),
                .init(place: .init(reference: reference, name: "näme"), writing: true),
            ], operation: "op-1", purpose: "org.example", presenter: "pr", within: ["a", "b"], answering: [],
            thread: "main",
            open: true, prepares: false, deadline: 1.5, knownVersion: "v"),
    ]

    @Test("A call is read back by the generated decoder and by the ordinary one", arguments: parameters)
    func call(_ parameters: DocumentsInterface.Coordinate.Parameters) throws {
        struct Envelope: Decodable {
            var method: String
            var more: Bool
            var parameters: DocumentsInterface.Coordinate.Parameters
        }
        let bytes = CoordinateCodec.call(parameters)
        let envelope = try JSONDecoder().decode(Envelope.self, from: Data(bytes))
        #expect(envelope.method == Interface.name)
        #expect(envelope.more)
        #expect(envelope.parameters == parameters)
        #expect(try CoordinateCodec.parameters(JSONEncoder().encode(parameters)) == parameters)
    }

    @Test(
        "A granting reply is read with its items, its descriptor, and whether more follows",
        arguments: [true, false])
    func granted(_ continues: Bool) throws {
        let item = Wire.Item(
            reference: Self.reference, name: "n", contentType: "public.text", size: 3, isFolder: false,
            isDownloaded: true, isUploaded: true, version: "v")
        let object = CoordinateCodec.granted(items: [item.hotJSON, nil], file: 0)
        let message = Array(#"{"parameters":"#.utf8) + object + Array((continues ? #","continues":true}"# : "}").utf8)
        let read = try message.withUnsafeBufferPointer { try CoordinateCodec.readReply($0) }
        #expect(read.continues == continues)
        #expect(
            read.reply == Interface.Reply(state: "granted", items: [.init(item: item), .init()], file: 0))
        #expect(try JSONDecoder().decode(Interface.Reply.self, from: Data(object)) == read.reply)
    }

    @Test("An error reply is thrown as an error")
    func errors() throws {
        let message = Array(
            #"{"error":"org.docent.Documents.Deadlock","parameters":{"message":"a cycle","suggestion":null}}"#.utf8)
        let error = try #require(throws: VarlinkCallError.self) {
            try message.withUnsafeBufferPointer { try CoordinateCodec.readReply($0) }
        }
        #expect(Failure(error).code == .deadlock)
        #expect(Failure(error).message == "a cycle")
    }

    @Test(
        "An invalid call is refused",
        arguments: ["", "{", #"{"operation":"o"}"#, #"{"accesses":[{}],"operation":"o"}"#])
    func malformed(_ text: String) {
        #expect(throws: (any Error).self) { try CoordinateCodec.parameters(Data(text.utf8)) }
    }
}
