import ArgumentParser
import CommandConsole
import DocentInterfaces
import Testing

@testable import DocentCommands

@Suite struct GrantTextTests {
    @Test(
        "A moment is a time span before now, or a date in UTC",
        arguments: [
            "90s": 999_999_910.0, "2h": 999_992_800, "1w": 999_395_200, "1970-01-02": 86_400,
            "2001-09-09T01:46:40Z": 1_000_000_000, "2001-09-09 01:46": 999_999_960, "2024-02-29": 1_709_164_800,
            "1969-12-31": -86_400,
        ])
    func moments(text: String, seconds: Double) throws {
        #expect(try MomentText.parse(text, now: 1_000_000_000) == seconds)
    }

    @Test(
        "An invalid moment is refused",
        arguments: [
            "", "yesterday", "2h ago", "-2h", "0s", "2", "2026-13-01", "2026-02-30", "2026-01-01T24:00", "0000-01-01",
            "1e400d", "nans", "infs",
        ])
    func noMoments(text: String) {
        #expect(throws: ValidationError.self) { try MomentText.parse(text, now: 0) }
    }

    @Test("a right is shown with the client's strength, its end and its companions; no text disturbs the terminal")
    func table() {
        let grant = Wire.Grant(
            clientKind: "run", client: "org.example.a", provider: "p", domain: "d", identifier: "i", access: "read",
            origin: "open", created: 1, name: "a\u{1B}[2J", id: 7, strength: "enforced", expires: 60, used: 2,
            isPersistent: false, isFolder: false, companions: ["{stem}.srt", "*.b"])
        let rows = GrantText.table([grant]).text.split(separator: "\n").map(String.init)
        let expected =
            "7   org.example.a  run (enforced)  read    p@d       a\\x1B[2J + {stem}.srt, *.b  open    "
            + "1970-01-01T00:00:01Z  with its client, or 1970-01-01T00:01:00Z  1970-01-01T00:00:02Z"
        #expect(rows.dropFirst() == [expected])
    }

    @Test("an audit entry is one line, whatever texts the client chose")
    func line() {
        let line = LogText.line(Samples.logEntry)
        #expect(line.split(separator: "\n").count == 1)
        #expect(line.hasPrefix("1970-01-01T00:00:02Z refused c unconfined (stated) read p a"))
        #expect(line.hasSuffix("(2 times) no right, process 3\n"))
    }

    @Test("an entry that counts several documents says so")
    func summary() {
        var entry = Wire.LogEntry(
            id: 1, event: "refused", clientKind: "run", client: "c", strength: "enforced", provider: "", domain: "",
            identifier: "", access: "read", detail: "further documents", count: 2, first: 1, last: 2)
        #expect(LogText.line(entry).contains("(several)"))
        entry.detail = "bookmark: malformed"
        #expect(!LogText.line(entry).contains("(several)"))
    }
}
