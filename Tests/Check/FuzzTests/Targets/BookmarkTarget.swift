import FoundationEssentials

@testable import Rights

/// The bookmark reader: it opens only tokens that were sealed for this client, to the last bit.
struct BookmarkTarget: FuzzTarget {
    let name = "bookmarks"
    let words = ["b1-", "b2-", "b3-", "=", "==", "-", "_", "+", "/", "AAAA", "\0", "é"]

    private let seal: BookmarkSeal
    private let principal = Principal(kind: .run, identifier: "org.example.fuzz")
    /// Sealed tokens, from which the mutations begin.
    let sealed: String

    init?() {
        guard let seal = BookmarkSeal(key: (0..<32).map { UInt8($0) }) else { return nil }
        let content = BookmarkContent(
            item: ItemKey(provider: "org.example.p", domain: "", identifier: "i"), access: .readWrite,
            created: Date(timeIntervalSince1970: 1), name: "a name", parent: "parent", values: EmbeddedValues())
        guard let text = seal.seal(content, row: Data(repeating: 7, count: BookmarkSeal.rowLength), for: principal)
        else { return nil }
        self.seal = seal
        sealed = text
    }

    func run(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        if let token = BookmarkToken(text: text) {
            guard token.text == text else { throw FuzzFinding("\(text) is read as \(token.text).") }
        }
        if let row = BookmarkSeal.row(of: text) {
            guard row.count == BookmarkSeal.rowLength, BookmarkSeal.isSealed(text) else {
                throw FuzzFinding("A row of \(row.count) bytes is read from \(text).")
            }
        }
        if (try? seal.open(text, for: principal)) != nil, text != sealed {
            throw FuzzFinding("A bookmark that was never made is opened: \(text)")
        }
        let other = Principal(kind: .unconfined, identifier: principal.identifier)
        guard (try? seal.open(text, for: other)) == nil else { throw FuzzFinding("Another client opens \(text).") }
    }
}
