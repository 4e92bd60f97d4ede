import Foundation
import HostTesting
import Testing

@testable import Rights

@Suite struct BookmarkSealTests {
    private let key = (0..<32).map { UInt8($0) }
    private let row = Data((0..<16).map { UInt8($0) })
    private let content = BookmarkContent(
        item: ItemKey(provider: "org.docent.test", domain: "work", identifier: "a/ä\u{1F4D6}"), access: .readWrite,
        created: Date(timeIntervalSince1970: 1.25), name: "a.txt", parent: ".root", values: Self.values,
        relativeTo: document("folder"))

    private static var values: EmbeddedValues {
        var values = EmbeddedValues()
        (values.name, values.size, values.path) = ("a.txt", 3, "/a.txt")
        return values
    }

    private func seal(_ key: [UInt8]? = nil) throws -> BookmarkSeal { try #require(BookmarkSeal(key: key ?? self.key)) }

    @Test("G4: a sealed bookmark is opened by its client, unchanged")
    func roundTrip() throws {
        let token = try #require(try seal().seal(content, row: row, for: writer))
        #expect(token.hasPrefix("b2-"))
        #expect(token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        #expect(BookmarkSeal.isSealed(token) && BookmarkSeal.row(of: token) == row)
        let opened = try seal().open(token, for: writer)
        #expect(opened.content == content)
        #expect(opened.row == row)
        // Nothing in it can be read from outside.
        let coded = token.dropFirst(3).replacing("-", with: "+").replacing("_", with: "/")
        let bytes = try #require(
            Data(base64Encoded: coded + String(repeating: "=", count: (4 - coded.count % 4) % 4)))
        #expect(bytes.range(of: Data("a.txt".utf8)) == nil)
        #expect(try seal().seal(content, row: row, for: writer) != token, "no nonce is used twice")
    }

    @Test("G8: no bit of a token can be changed")
    func everyBit() throws {
        let seal = try seal()
        let token = try #require(seal.seal(content, row: row, for: writer))
        let coded = token.dropFirst(3).replacing("-", with: "+").replacing("_", with: "/")
        let bytes = try #require(
            Data(base64Encoded: coded + String(repeating: "=", count: (4 - coded.count % 4) % 4)))
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let text =
                "b2-"
                + changed.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            #expect(throws: BookmarkFault.forged) { try seal.open(text, for: writer) }
        }
    }

    @Test("G8: a token that is truncated, extended, encoded differently or invented is refused")
    func truncated() throws {
        let seal = try seal()
        let token = try #require(seal.seal(content, row: row, for: writer))
        var texts = ["", "b2-", "b2", "b1-AAAA", "b2-AAAA", token + "=", token + "A", " " + token, token + "\n"]
        texts += ["b2-" + String(repeating: "A", count: 59), "b2-" + String(repeating: "A", count: 100_000)]
        texts.append("b2-" + token.dropFirst(3).replacing("_", with: "/").replacing("-", with: "+") + "==")
        for length in 0..<token.count { texts.append(String(token.prefix(length))) }
        for text in texts { #expect(throws: BookmarkFault.self, "\(text)") { try seal.open(text, for: writer) } }
    }

    @Test("G8, I2: no other client can open a token, even one with the same identifier and another kind")
    func otherClients() throws {
        let seal = try seal()
        let token = try #require(seal.seal(content, row: row, for: writer))
        var strangers = Principal.Kind.allCases.filter { $0 != writer.kind }
            .map { Principal(kind: $0, identifier: writer.identifier) }
        strangers += [viewer, Principal(kind: writer.kind, identifier: writer.identifier + "2")]
        for stranger in strangers {
            #expect(throws: BookmarkFault.forged) { try seal.open(token, for: stranger) }
        }
    }

    @Test("G8: no other key opens a token, and different keys have different names")
    func otherKey() throws {
        let token = try #require(try seal().seal(content, row: row, for: writer))
        let other = try seal(BookmarkSeal.makeKey())
        #expect(throws: BookmarkFault.forged) { try other.open(token, for: writer) }
        #expect(try other.name != seal().name)
        #expect(BookmarkSeal(key: []) == nil)
        #expect(BookmarkSeal(key: Array(key.dropLast())) == nil)
    }

    @Test("A bookmark that is too long for a token is refused, not cut off")
    func tooLong() throws {
        var long = content
        long.values.path = String(repeating: "x", count: BookmarkSeal.maximumLength)
        #expect(try seal().seal(long, row: row, for: writer) == nil)
        long.values.path = String(repeating: "x", count: BookmarkSeal.maximumLength - 1000)
        let token = try #require(try seal().seal(long, row: row, for: writer))
        #expect(try seal().open(token, for: writer).content == long)
    }
}
