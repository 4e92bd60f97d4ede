import DocentInterfaces
import Foundation
import Records
import RemoteDocuments
import Testing

@Suite("Remote catalogue: which answers are accepted")
struct RemoteCatalogDecisionTests {
    private static func failure(_ code: FailureCode, from provider: FailureCode?) -> Failure {
        var failure = Failure(code, "no")
        failure.providerCode = provider
        return failure
    }

    @Test(
        "law 6: only the provider's own NoSuchItem means missing; any other error means unknown",
        arguments: [
            (failure(.notFound, from: .noSuchItem), Existence.missing),
            (failure(.notFound, from: nil), .unknown),
            (failure(.unavailable, from: .serverUnreachable), .unknown),
            (failure(.unavailable, from: .busy), .unknown),
            (failure(.unavailable, from: nil), .unknown),
            (failure(.deadlineExceeded, from: nil), .unknown),
            (failure(.notAuthenticated, from: .notAuthenticated), .unknown),
            (failure(.providerFailed, from: .failed), .unknown),
            (failure(.notPermitted, from: .notPermitted), .refused),
            (failure(.cancelled, from: nil), .refused),
        ])
    func existence(failure: Failure, expected: Existence) {
        #expect(Existence(failure) == expected)
    }

    @Test(
        "N5: a description stays fresh for its seconds; one from the future is stale",
        arguments: [(-11.0, false), (-10, false), (-9.9, true), (0, true), (5, false)])
    func freshness(age: Double, expected: Bool) {
        let settings = RemoteSettings(environment: [:])
        let now = Date(timeIntervalSince1970: 1_000_000)
        #expect(settings.isFresh(now.addingTimeInterval(age), now: now) == expected)
        #expect(!settings.isFresh(nil, now: now))
    }

    @Test("settings come from the environment, and invalid values count as unset")
    func settings() {
        let given = RemoteSettings(environment: [
            "DOCENT_FRESH_SECONDS": "0.5", "DOCENT_POLL_SECONDS": "0", "DOCENT_MINIMUM_FREE_BYTES": "7",
        ])
        #expect(given.freshSeconds == 0.5)
        #expect(given.pollSeconds == 0)
        #expect(given.minimumFreeBytes == 7)
        let usual = RemoteSettings(environment: ["DOCENT_POLL_SECONDS": "often", "DOCENT_FRESH_SECONDS": "-3"])
        #expect(usual.pollSeconds == 30)
        #expect(usual.freshSeconds == 0)
        #expect(usual.minimumFreeBytes == 256 << 20)
    }

    @Test(
        "a local copy is current when it has the described version, or without versions the described size",
        arguments: [
            ("1", 10, "1", 10, true), ("2", 10, "1", 10, false), (nil, 10, nil, 10, true), (nil, 11, nil, 10, false),
            (nil, nil, nil, 10, true), (nil, 10, "1", 10, false), ("1", 10, "local-7", 10, false),
        ] as [(String?, Int64?, String?, Int64, Bool)])
    func current(version: String?, size: Int64?, copied: String?, copiedSize: Int64, expected: Bool) {
        let item = RemoteSample.item(
            "a", size: size, version: version, local: RemoteSample.copy(copied, size: copiedSize))
        #expect(item.isCurrent == expected)
    }

    @Test(
        "an invalid item is left out of a listing",
        arguments: [
            ("", "a", nil), ("x\u{0}", "a", nil), (".docent-new-1", "a", nil), (".root", "a", nil), ("x", "", nil),
            ("x", "a/b", nil), ("x", "..", nil), ("x", "a", ""), ("x", "a", "local-1"),
            ("x", "a", String(repeating: "v", count: 129)),
        ] as [(String, String, String?)])
    func hostile(identifier: String, name: String, version: String?) {
        let item = Wire.ProviderItem(
            identifier: identifier, parent: ".root", name: name, isFolder: false, version: version)
        #expect(ItemDescription.problem(item, isChild: true) != nil)
    }

    @Test(
        "a valid item is accepted, whatever its name looks like",
        arguments: ["a.txt", " ", "é\u{301}", "\\x41", ".hidden"])
    func ordinary(name: String) {
        let item = Wire.ProviderItem(
            identifier: "/" + name, parent: "p", name: name, isFolder: false, version: "\"etag\"")
        #expect(ItemDescription.problem(item, isChild: true) == nil)
        #expect(ItemDescription(item, in: "folder").parent == "folder")
    }

    @Test("a negative size and a huge thumbnail reference are dropped")
    func sanitised() {
        let item = Wire.ProviderItem(
            identifier: "a", parent: "p", name: "a", size: -1, isFolder: false,
            thumbnail: String(repeating: "t", count: 2000))
        #expect(ItemDescription(item).size == nil)
        #expect(ItemDescription(item).thumbnail == nil)
    }
}

@Suite("Remote listings: pages")
struct RemoteListingPageTests {
    private func rows(_ names: [String]) -> [RemoteItem] {
        names.enumerated().map { RemoteSample.item("id\($0.offset)", name: $0.element) }
    }

    @Test("a small folder is one page")
    func one() throws {
        let page = ListingPage.cut(rows(["a", "b"]))
        #expect(page.items.count == 2)
        #expect(page.nextPage == nil)
    }

    @Test("T4: a page ends at its limit of rows or bytes, and its token leads to the next name", arguments: [1, 700])
    func cut(weight: Int) throws {
        let names = (0..<ListingPage.rowLimit).map {
            String(format: "%06d", $0) + String(repeating: "n", count: weight)
        }
        let page = ListingPage.cut(rows(names))
        let token = try #require(page.nextPage)
        #expect(page.items.count < names.count)
        #expect(try ListingPage.start(token) == page.items.last?.description.name)
    }

    @Test("items with the same name are never split between two pages")
    func sameNames() throws {
        let names = (0..<499).map { String(format: "%06d", $0) } + Array(repeating: "same", count: 2)
        let page = ListingPage.cut(rows(names))
        #expect(page.items.count == 499)
        let all = ListingPage.cut(rows(Array(repeating: "same", count: 600)))
        #expect(all.items.count == 600)
    }

    @Test("an invalid token is refused")
    func foreign() {
        #expect(throws: Failure.self) { try ListingPage.start("42") }
    }
}
