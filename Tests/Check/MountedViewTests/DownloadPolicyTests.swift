import Testing

@testable import ViewPolicies

/// The rules by which documents are downloaded for programs.
@Suite struct DownloadPolicyTests {
    private static func program(_ name: String) -> CallingProgram { CallingProgram(executable: "/usr/bin/" + name) }

    private static func isRefused(_ program: CallingProgram, _ policy: DownloadPolicy = DownloadPolicy()) -> Bool {
        if case .refuse = policy.verdict(on: program) { true } else { false }
    }

    @Test(
        "indexers, thumbnailers and backups download nothing",
        arguments: [
            "tracker-miner-fs-3", "tracker-extract-3", "localsearch-3", "localsearch-extractor-3", "baloo_file",
            "baloo_file_extractor", "recollindex", "updatedb", "updatedb.plocate", "plocate", "mlocate", "tumblerd",
            "gdk-pixbuf-thumbnailer", "evince-thumbnailer", "totem-video-thumbnailer", "ffmpegthumbnailer",
            "gnome-thumbnail-font", "restic", "borg", "borgmatic", "borg-linux64", "duplicity", "deja-dup-monitor",
            "rdiff-backup", "kopia", "rsnapshot", "timeshift", "clamscan", "clamd",
        ])
    func refused(name: String) { #expect(Self.isRefused(Self.program(name))) }

    @Test(
        "what a person runs has the limit that is set",
        arguments: [
            "rsync", "cp", "tar", "grep", "rg", "cat", "vim", "soffice.bin", "nautilus", "rclone", "python3.11",
        ])
    func limited(name: String) {
        #expect(DownloadPolicy().verdict(on: Self.program(name)) == .limit(DownloadPolicy.standardLimit))
        #expect(DownloadPolicy(documentsPerMinute: nil).verdict(on: Self.program(name)) == .limit(nil))
    }

    @Test("every standard pattern is a rule, and none is there twice")
    func standard() {
        let patterns = DownloadRule.programs + DownloadRule.units
        #expect(DownloadRule.standard.count == patterns.count && Set(DownloadRule.standard).count == patterns.count)
        #expect(DownloadRule.standard.allSatisfy { $0.downloads == .refuse })
    }

    @Test("the user's rules come before the standard ones, and the last one that was set before the earlier ones")
    func order() throws {
        var policy = DownloadPolicy()
        let borg = try #require(DownloadRule.Subject("/usr/local/bin/borg"))
        let all = try #require(DownloadRule.Subject("b*"))
        policy.set(.allow, for: borg)
        #expect(policy.verdict(on: Self.program("borg")) == .allow(DownloadRule(borg, .allow)))
        policy.set(.refuse, for: all)
        #expect(policy.verdict(on: Self.program("borg")) == .refuse(DownloadRule(all, .refuse)))
        policy.set(.allow, for: borg)
        #expect(policy.own.count == 2 && !Self.isRefused(Self.program("borg"), policy))
        let removed = [policy.remove(borg), policy.remove(borg)]
        #expect(removed == [true, false] && policy.own.count == 1)
    }

    @Test("a script, the program that started another one, and a unit are recognised")
    func otherNames() {
        #expect(Self.isRefused(CallingProgram(executable: "/usr/bin/python3.11", script: "borg")))
        #expect(Self.isRefused(CallingProgram(executable: "/usr/bin/rsync", starter: ["rsnapshot", "perl"])))
        #expect(Self.isRefused(CallingProgram(executable: "/usr/bin/pdftotext", unit: "recollindex.service")))
        #expect(!Self.isRefused(CallingProgram(executable: "/usr/bin/bash", unit: "session-2.scope")))
    }

    @Test("a person names programs and units in one way")
    func subjects() throws {
        let subject = try #require(DownloadRule.Subject("restic@home.service"))
        let rule = DownloadRule(subject, .refuse)
        #expect(rule.matches(CallingProgram(executable: "/bin/a", unit: "restic@home.service")))
        #expect(!rule.matches(Self.program("restic@home.service")))
        for text in ["", "/", "a/", "a\0b", String(repeating: "a", count: 256)] {
            #expect(DownloadRule.Subject(text) == nil, "\(text)")
        }
    }

    @Test("a star stands for any text, and many of them take no time to speak of")
    func patterns() throws {
        for (pattern, name, isExpected) in [
            ("a*", "a", true), ("a*", "abc", true), ("*b*", "abc", true), ("a*c", "abd", false), ("a", "ab", false),
            ("*", "", true), ("a*b*c", "aXbYbZc", true), ("ä*", "äö", true), ("A*", "abc", false),
        ] {
            let parsed = try #require(ProgramPattern(pattern))
            #expect(parsed.matches(name) == isExpected, "\(pattern) \(name)")
        }
        let slow = try #require(ProgramPattern(String(repeating: "*a", count: 100) + "*b"))
        #expect(!slow.matches(String(repeating: "a", count: 4000)))
    }
}
