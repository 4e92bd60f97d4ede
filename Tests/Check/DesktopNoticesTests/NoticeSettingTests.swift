import DocentTestSupport
import Documents
import Testing

@testable import DesktopNotices

/// The file that starts notifications at login.
@Suite struct NoticeSettingTests {
    @Test("a file says whether notifications are on")
    func states() {
        for isOn in [true, false] {
            let text = NoticeSetting.text(program: "/usr/libexec/docent/docent-notifier", isOn: isOn)
            #expect(text.hasPrefix(NoticeSetting.mark + "[Desktop Entry]\n"))
            #expect(NoticeSetting.state(text) == (isOn ? .on : .off))
            #expect(text.contains("Exec=\"/usr/libexec/docent/docent-notifier\"\n"))
        }
        #expect(NoticeSetting.state("[Desktop Entry]\n Hidden = true \n") == .off)
        #expect(NoticeSetting.state("[Desktop Entry]\nName=Hidden=true\n") == .on)
    }

    @Test(
        "the path of the program is one word, whatever is in it",
        arguments: [
            ("/a b/n", "\"/a b/n\""), ("/50%/n", "\"/50%%/n\""), ("/a\"b", "\"/a\\\\\"b\""),
            ("/$a`", "\"/\\\\$a\\\\`\""),
            ("/a\\b", "\"/a\\\\\\\\b\""), ("/a\nHidden=true", "\"/a\\nHidden=true\""),
        ])
    func words(path: String, word: String) { #expect(NoticeSetting.quoted(path) == word) }

    @Test("the file is in the user's own folder of settings")
    func places() throws {
        #expect(try NoticeSetting(["HOME": "/h"]).path == "/h/.config/autostart/org.docent.Notifier.desktop")
        #expect(
            try NoticeSetting(["HOME": "/h", "XDG_CONFIG_HOME": "/c"]).path
                == "/c/autostart/org.docent.Notifier.desktop")
        #expect(throws: DocumentsError.self) { try NoticeSetting([:]) }
        #expect(try NoticeSetting(["HOME": "/nowhere-\(UInt64.random(in: 0...(.max)))"]).state == .unset)
    }
}
