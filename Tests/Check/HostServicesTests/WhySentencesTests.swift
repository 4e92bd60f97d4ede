import Foundation
import HostServices
import Rights
import Testing

@Suite struct WhySentencesTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let sentences = WhySentences(name: "film.mkv", now: now)
    private let player = Principal(kind: .run, identifier: "org.example.player")

    private func reach(
        _ way: WhySentences.Way, access: AccessLevel = .read, expires: Date? = nil, isTaken: Bool = true
    ) -> WhySentences.Reach {
        WhySentences.Reach(
            principal: player, access: access, way: way, origin: .open, created: Self.now - 3 * 86_400,
            expires: expires, isTaken: isTaken)
    }

    @Test("a right is described with its client, extent, origin, begin and end")
    func rights() {
        let who = "org.example.player (docent run, enforced by its sandbox)"
        #expect(
            sentences.sentence(reach(.item))
                == "\(who) may read it, through a right to it (picked 3 days ago, taken, no end).")
        #expect(
            sentences.sentence(reach(.folder("/films"), access: .readWrite, expires: Self.now + 5400))
                == "\(who) may read and change it, through the right to the contents of \"/films\" (picked 3 days ago, "
                + "taken, ends in 90 minutes).")
        #expect(
            sentences.sentence(reach(.companion(of: "a.mkv", patterns: ["{stem}.srt", "*.txt"]), isTaken: false))
                == "\(who) may read it, beside \"a.mkv\", with which {stem}.srt, *.txt is granted (picked 3 days ago, "
                + "as long as it runs, no end).")
    }

    @Test("a document without rights gets a sentence of its own")
    func nobody() {
        #expect(sentences.rights([], client: nil) == ["No client has a right to \"film.mkv\"."])
        #expect(
            sentences.rights([], client: "org.example.x") == ["org.example.x has no right to \"film.mkv\"."])
    }

    @Test(
        "I1: a client's name is shown with how far it can be trusted",
        arguments: [
            (Principal.Kind.flatpak, "a (Flatpak, enforced by its sandbox)"),
            (.snap, "a (Snap, enforced by its sandbox)"),
            (.unconfined, "a (stated by /usr/bin/a outside any sandbox)"),
        ])
    func strength(kind: Principal.Kind, text: String) {
        #expect(WhySentences.who(Principal(kind: kind, identifier: "a"), "/usr/bin/a") == text)
    }

    @Test(
        "A time span is given in the largest unit that it contains at least twice",
        arguments: [
            0: "0 seconds", 0.6: "1 second", 90: "90 seconds", 119.9: "2 minutes", 5400: "90 minutes",
            28_799: "8 hours", 86_400: "24 hours", 259_200: "3 days", 1e12: "11574074 days",
            .infinity: "1000000000 days",
        ])
    func spans(seconds: Double, text: String) {
        #expect(WhySentences.span(seconds) == text)
    }
}
