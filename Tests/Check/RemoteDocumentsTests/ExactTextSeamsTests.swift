import DocentInterfaces
import ExtensionManifest
import Records
import Rights
import Testing

@testable import ExtensionHosting
@testable import HostCore
@testable import RemoteDocuments

/// The host compares providers' texts byte by byte: "é" as one character differs from an e with a combining accent.
@Suite struct ExactTextSeamsTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    private func key(_ identifier: String) -> ItemKey {
        ItemKey(provider: "org.example.Cloud", domain: "work", identifier: identifier)
    }

    @Test("page tokens that look the same are two pages, and the listing ends")
    func pages() throws {
        var pages = PageSequence(provider: "p", folder: "f")
        for token in [Self.composed, Self.decomposed] { #expect(try pages.next(token, items: 1) == token) }
        #expect(throws: Failure.self) { try pages.next(Self.composed, items: 1) }
    }

    @Test("a copy at a version that only looks like the present one is not current")
    func versions() {
        func isCurrent(_ version: String) -> Bool {
            RemoteItem(
                key: key("a"),
                description: ItemDescription(
                    identifier: "a", parent: ".root", name: "a", size: 1, version: Self.composed),
                local: LocalCopy(name: "a", version: version, size: 1)
            ).isCurrent
        }
        #expect(isCurrent(Self.composed))
        #expect(!isCurrent(Self.decomposed))
    }

    @Test("unsent changes and former versions belong to exactly one item and version")
    func uploads() {
        let states = UploadStates()
        states.set(.queued, of: key(Self.composed))
        #expect(!states.contains(key(Self.decomposed)))
        let unsent = states.identifiers(provider: "org.example.Cloud", domain: "work")
        #expect(unsent.contains(BytewiseText(Self.composed)) && !unsent.contains(BytewiseText(Self.decomposed)))
        states.confirmed(SentVersion(key: key("a"), version: Self.composed, former: "local-1"))
        #expect(states.former(of: key("a"), version: Self.composed) == "local-1")
        #expect(states.former(of: key("a"), version: Self.decomposed) == nil)
    }

    @Test("the host separates paths at every slash, as the kernel does, also before a lone combining accent")
    func slashes() throws {
        let path = try ItemPath("/a/\u{301}b/c")
        #expect(path.names == ["a", "\u{301}b", "c"])
        #expect(throws: Failure.self) { try ItemPath.name("a/\u{301}") }
        #expect(URLRule.normalised("/a/\u{301}x/../b") == "/a/b")
    }

    @Test("X3: a folder whose path only looks like that of the document storage is not the storage")
    func storage() throws {
        let storage = "/data/" + Self.composed
        let inside = PickedLocation.file(path: storage + "/d/\u{E9}.txt")
        let outside = PickedLocation.file(path: "/data/" + Self.decomposed + "/d/a.txt")
        let found = try URLRule.judge(inside, mode: .open, facts: nil, provider: "p", storage: storage)
        #expect(found == .storage(relativePath: "d/\u{E9}.txt"))
        #expect(throws: Failure.self) {
            try URLRule.judge(outside, mode: .open, facts: nil, provider: "p", storage: storage)
        }
    }
}
