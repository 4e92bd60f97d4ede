import HostCore
import Testing

@Suite struct DaemonConfigurationTests {
    @Test(
        "A value that is no number is reported by name, with what it must be",
        arguments: [
            ("DOCENT_IDLE_SECONDS", "abc"), ("DOCENT_IDLE_SECONDS", "-1"), ("DOCENT_POLL_SECONDS", "nan"),
            ("DOCENT_FRESH_SECONDS", "inf"), ("DOCENT_CLAIM_SECONDS", "5s"), ("DOCENT_MINIMUM_FREE_BYTES", "1.5"),
            ("DOCENT_LISTING_ITEMS", "0"), ("DOCENT_AUDIT_DAYS", "soon"), ("DOCENT_LOG_LEVEL", "loud"),
        ])
    func refused(name: String, text: String) {
        let problems = DaemonConfiguration.problems(in: [name: text, "DOCENT_PICK_SECONDS": "5"])
        #expect(problems.count == 1 && problems[0].hasPrefix("\(name) is \"\(text)\", but must be "), "\(problems)")
    }

    @Test("A number, an empty value and an unset one are no problem")
    func accepted() {
        #expect(DaemonConfiguration.problems(in: [:]).isEmpty)
        #expect(
            DaemonConfiguration.problems(in: [
                "DOCENT_IDLE_SECONDS": "0", "DOCENT_POLL_SECONDS": "0.5", "DOCENT_RESUME_SECONDS": "",
                "DOCENT_MINIMUM_FREE_BYTES": "0", "DOCENT_LISTING_ITEMS": "1", "DOCENT_AUDIT_DAYS": "0.5",
                "DOCENT_LOG_LEVEL": "debug",
            ]).isEmpty)
    }
}
