import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Testing

@testable import DocentCommands

/// What `docent find` asks and prints.
@Suite struct FoundTextTests {
    private static func item(_ name: String, path: String?, domain: String = "work") -> DocumentItem {
        DocumentItem(
            Wire.Item(
                reference: .init(provider: "org.docent.p", domain: domain, identifier: "i d"), name: name, path: path,
                contentType: "public.data", size: 5, isFolder: false, isDownloaded: true, isUploaded: true))
    }

    @Test("options become conditions of the query, and nothing that a person types leaves its condition")
    func query() async throws {
        let command = try await FindCommand.asyncParse([
            "annual", "-", "report", "--type", "public.image", "--newer", "7d", "--larger", "1 -x\"", "--state",
            "cloud",
        ])
        #expect(
            command.query.queryText
                == "annual - report type:\"public.image\" newer:\"7d\" larger:\"1 -x\\\"\" state:\"cloud\"")
        await #expect(throws: (any Error).self) { _ = try await FindCommand.asyncParse(["--limit", "0"]) }
    }

    @Test("a result is a location that other commands take, escaped for a terminal; without a path, a reference")
    func lines() {
        #expect(FoundText.line(Self.item("a.txt", path: "/b/a.txt"), isLong: false) == "org.docent.p@work:/b/a.txt")
        #expect(
            !FoundText.line(Self.item("\u{1B}[2J", path: "/\u{1B}[2J"), isLong: false).unicodeScalars.contains("\u{1B}")
        )
        #expect(FoundText.line(Self.item("a", path: nil), isLong: false).hasPrefix("docent://"))
        let long = FoundText.line(Self.item("a.txt", path: "/b/a.txt", domain: ""), isLong: true)
        #expect(long.hasSuffix("  org.docent.p:/b/a.txt") && long.hasPrefix("- "))
    }

    @Test("what is missing is a sentence, escaped for a terminal, also without one from the daemon")
    func gaps() {
        for (kind, words) in [("offline", "offline"), ("listing", "40 %"), ("unlisted", "Nobody"), ("new", "new")] {
            let gap = SearchGap(
                Wire.SearchGap(provider: "p\u{1B}", domain: "d", kind: kind, progress: 0.4, message: nil))
            let text = FoundText.gap(gap)
            #expect(text.contains(words) && !text.unicodeScalars.contains("\u{1B}") && text.hasSuffix("\n"), "\(text)")
        }
    }

    @Test("a record has the keys of docent ls, the provider and the domain")
    func records() {
        let text = FoundText.record(Self.item("a", path: "/a"), event: "found").compact
        for key in ["provider", "domain", "path", "identifier", "remembered", "event", "uploadState"] {
            #expect(text.contains("\"\(key)\""), "\(key)")
        }
    }
}
