import DocentInterfaces
import DocentTestSupport
import Testing

@testable import DesktopNotices

/// The words of notifications.
@Suite struct NoticeTextTests {
    @Test("names from servers are no markup, no second line and no other direction")
    func hostileNames() {
        let name = "a\n<b>bold</b>\u{1B}[2J\u{202E}&'\".txt"
        let notice = NoticeText.conflict(Samples.conflict(name: name, path: "/" + name))
        let rendered = notice.rendered(for: ["actions", "body-markup"])
        for text in [rendered.summary, rendered.body] {
            #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{202E}"].contains($0) }, "\(text)")
        }
        #expect(!rendered.summary.contains("\n") && rendered.body.split(separator: "\n").count == 2)
        #expect(!rendered.body.contains("<b>") && rendered.body.contains("&lt;b&gt;bold&lt;/b&gt;"))
        #expect(rendered.body.contains("&amp;&#39;&quot;.txt"))
        // A server without markup shows the text as it is.
        #expect(notice.rendered(for: ["actions"]).body.contains("<b>bold</b>"))
        // One that does not say what it understands is taken for one with markup.
        #expect(notice.rendered(for: nil).body == rendered.body)
    }

    @Test("long names are cut in the middle, so that the extension stays", arguments: [15, 60])
    func longNames(limit: Int) {
        let text = NoticeText.plain(String(repeating: "n\u{301}", count: 100_000) + ".txt", limit)
        #expect(text.unicodeScalars.count == limit && text.hasSuffix(".txt"))
        #expect(text.unicodeScalars.contains("…"))
        #expect(NoticeText.plain("short", limit) == "short")
        #expect(NoticeText.plain(String(repeating: "\u{7}", count: 1000), limit).unicodeScalars.count == limit)
    }

    @Test(
        "the title says what has happened",
        arguments: [
            ("conflict", "plan.txt was changed elsewhere too"), ("deleted", "plan.txt was deleted elsewhere"),
            ("unsent", "plan.txt can no longer be sent"),
        ])
    func titles(reason: String, title: String) {
        let notice = NoticeText.conflict(Samples.conflict(reason: reason))
        #expect(notice.title == title)
        #expect(notice.actions == [.keepMine, .keepTheirs, .keepBoth, .compare] && notice.standard == .compare)
        // Nothing can be settled where the document is not known.
        let gone = NoticeText.conflict(Samples.conflict(path: nil, reason: reason))
        #expect(gone.actions == [.show] && gone.standard == .show && gone.lines[0].contains("docent conflicts"))
    }

    @Test("a notification without buttons says what to type")
    func withoutActions() {
        let rendered = NoticeText.conflict(Samples.conflict()).rendered(for: ["body"])
        #expect(rendered.actions.isEmpty && rendered.body.hasSuffix("docent conflicts"))
        let keys = NoticeText.conflict(Samples.conflict()).rendered(for: ["actions", "persistence"])
        #expect(
            keys.actions == [
                "default", "Compare", "mine", "Keep mine", "theirs", "Keep theirs", "both", "Keep both", "compare",
                "Compare",
            ])
        #expect(keys.mayExpire && !rendered.mayExpire)
    }

    @Test("a held program is named, with what it did; one in a sandbox is called so")
    func programs() {
        let notice = NoticeText.program(Samples.program("org.\u{202E}Evil<i>"))
        #expect(notice.title == "Changes of org.\\xE2\\x80\\xAEEvil<i> are held")
        #expect(notice.lines.count == 1 && notice.lines[0].contains("51 documents") && notice.isUrgent)
        #expect(NoticeText.program(Samples.program(isNoise: true)).lines[0].contains("random data"))
        #expect(NoticeText.program(Samples.program(kind: "run")).lines[1].contains("confined"))
    }
}
