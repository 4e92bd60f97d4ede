import DocentInterfaces
import Testing

@testable import HostCore
@testable import RemoteDocuments

/// Pages of a folder that is listed in place, from a provider whose listing does not end (HAZARDS 6 and 11).
@Suite struct CountedPageTests {
    private static func limits(_ items: Int) -> PageSequence.Limits {
        var limits = PageSequence.Limits.inPlace
        limits.items = items
        return limits
    }

    private func message(_ items: Int, pages: Int, limit: Int = 1_000, token: (Int) -> String) -> String? {
        do {
            var text: String?
            for page in 0..<pages {
                text = try CountedPage(text).following(
                    token(page), items: items, provider: "p", folder: "/Pictures", limits: Self.limits(limit))
            }
            return nil
        } catch { return error.message }
    }

    @Test("HAZARDS 11: the provider's token comes back unchanged, whatever it is, and the last page has none")
    func tokens() throws {
        for token in ["", ".", "a.b.c", "é", String(repeating: "x", count: 500)] {
            let text = try CountedPage(nil).following(
                token, items: 3, provider: "p", folder: "f", limits: .inPlace)
            let page = try CountedPage(text)
            #expect(page.token == token && page.items == 3 && page.emptyPages == 0)
            #expect(try page.following(nil, items: 1, provider: "p", folder: "f", limits: .inPlace) == nil)
        }
    }

    @Test("HAZARDS 11: too many items, empty pages and repeated pages end the listing; the error names the folder")
    func ends() {
        #expect(message(100, pages: 10) { "\($0)" } == nil)
        #expect(message(100, pages: 11) { "\($0)" } == "p returned more than 1000 items for the folder \"/Pictures\".")
        #expect(message(0, pages: 999) { "\($0)" } == nil)
        #expect(message(0, pages: 1_000) { "\($0)" }?.contains("empty page") == true)
        #expect(message(1, pages: 2) { _ in "again" }?.contains("leads nowhere") == true)
        #expect(message(1, pages: 1) { _ in String(repeating: "x", count: 501) }?.contains("leads nowhere") == true)
    }

    @Test(
        "HAZARDS 11: an invalid token is refused",
        arguments: ["", "x", "1", "1.2", "-1.0.a", "1.-1.a", "99999999999999999999.0.a"])
    func refused(_ text: String) {
        #expect { try CountedPage(text) } throws: { ($0 as? Failure)?.code == .invalidArgument }
    }
}
