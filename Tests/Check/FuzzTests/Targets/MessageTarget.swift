import DocentInterfaces
import Foundation

@testable import Varlink

/// The message decoder: the outer object, and the parameters as the types of the interfaces, by the hot codecs and
/// by Foundation.
struct MessageTarget: FuzzTarget {
    let name = "messages"
    let words = [
        #""method":"#, #""parameters":"#, #""error":"#, #""more":true"#, #""oneway":null"#, #""reference":"#,
        #""lease":true"#,
        #"{"provider":"p","domain":"","identifier":"i"}"#, #""accesses":["#, #""place":"#, #""writing":false"#,
        #""options":["#,
        "org.docent.Documents.Open", "\\u0000", "\\ud800", "\\udc00", "1e400", "-0", "9223372036854775808", "[[[[[[[[",
        "]]]]]]]]",
        "\u{FEFF}", "null",
    ]

    private struct Outer: Decodable {
        var method: String?
        var error: String?
        var more: Bool?
        var oneway: Bool?
    }

    func run(_ bytes: [UInt8]) throws {
        guard let envelope = try bytes.withUnsafeBufferPointer(scan) else { return }
        if let outer = try? JSONDecoder().decode(Outer.self, from: Data(bytes)) {
            guard outer.method == envelope.method, outer.error == envelope.error,
                outer.more ?? false == envelope.wantsMore, outer.oneway ?? false == envelope.isOneway
            else { throw FuzzFinding("The outer object is read as \(envelope), and by Foundation as \(outer).") }
        }
        guard let range = envelope.parameters else { return }
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
            throw FuzzFinding("The parameters lie outside of the message: \(range) of \(bytes.count).")
        }
        let parameters = Data(bytes[range])
        try compare(parameters, "Open") { try OpenCodec.parameters($0) }
        try compare(parameters, "Coordinate") { try CoordinateCodec.parameters($0) }
        for decode in Self.others { decode(parameters) }
        _ = try? bytes.withUnsafeBufferPointer { try OpenCodec.readReply($0) }
    }

    private func scan(_ bytes: UnsafeBufferPointer<UInt8>) throws -> Envelope? {
        do throws(VarlinkError) {
            return try EnvelopeScanner.scan(bytes, depthLimit: 32)
        } catch {
            guard error.code == .malformed || error.code == .tooDeep else {
                throw FuzzFinding("A message is refused with \(error).")
            }
            return nil
        }
    }

    /// The hot codec agrees with Foundation, and refuses what Foundation refuses.
    private func compare<Value: Decodable & Equatable>(
        _ data: Data, _ what: String, _ hotCodec: (Data) throws -> Value
    ) throws {
        let hot = try? hotCodec(data)
        let foundation = try? JSONDecoder().decode(Value.self, from: data)
        let mayDiffer =
            DuplicateKeys(in: Array(data)).wereFound || foundation == nil && Self.hasZeroWithExponent(Array(data))
        guard hot == foundation || mayDiffer else {
            throw FuzzFinding(
                "\(what) is read as \(hot.map { "\($0)" } ?? "nothing"), and by Foundation as "
                    + (foundation.map { "\($0)" } ?? "nothing") + ".")
        }
    }

    // JSON has 0E7. Foundation 6.3 accepts 0E0 and 0.0E7, but refuses 0E7.
    private static func hasZeroWithExponent(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast(2).contains { index in
            bytes[index] == UInt8(ascii: "0") && bytes[index + 1] | 0x20 == UInt8(ascii: "e")
                && (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(bytes[index + 2])
        }
    }

    private static let others: [@Sendable (Data) -> Void] = [
        reads(DocumentsInterface.List.Parameters.self), reads(DocumentsInterface.Present.Parameters.self),
        reads(DocumentsInterface.StageElement.Parameters.self),
        reads(DocumentsInterface.StageAttributes.Parameters.self),
        reads(DocumentsInterface.RequestPick.Parameters.self), reads(DocumentsInterface.CreateBookmark.Parameters.self),
        reads(PickerInterface.PickExport.Parameters.self), reads(PickerInterface.PickOpen.Parameters.self),
        reads(AdministrationInterface.AddGrant.Parameters.self), reads(AdministrationInterface.Log.Parameters.self),
        reads(AdministrationInterface.AddDomain.Parameters.self), reads(FileProviderInterface.Children.Reply.self),
    ]

    private static func reads<Value: VarlinkMessage>(_: Value.Type) -> @Sendable (Data) -> Void {
        { data in
            guard let value = try? IncomingCall.decode(Value.self, from: data) else { return }
            // Whatever it counts, it must not trap.
            _ = value.descriptorCount
        }
    }
}
