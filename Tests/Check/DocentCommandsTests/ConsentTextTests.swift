import DocentInterfaces
import Testing

@testable import DocentCommands

/// What a person reads before they agree to a provider.
@Suite struct ConsentTextTests {
    private static func consent(limits: [Wire.Limit]? = nil, requests: [Wire.Request] = []) -> Wire.Consent {
        Wire.Consent(
            provider: "org.example.Pages", displayName: "Pages", digest: "d", isSystem: false, manifests: ["/a.json"],
            libraries: ["/a.so"], requests: requests, problems: [], enabled: false, state: "new", limits: limits)
    }

    @Test("The limits are named with their units, whether or not the provider asks for anything")
    func limits() {
        let limits = [
            ("memory", "2 GiB"), ("processes", "256"), ("disk", "2 GiB"), ("files", "100,000"),
            ("processorWeight", "50"),
        ].map { Wire.Limit(kind: $0.0, amount: 1, text: $0.1, standard: 1) }
        let text = ConsentText.text(Self.consent(limits: limits))
        #expect(text.contains("It asks for nothing beyond its own sandbox.\n"))
        #expect(
            text.contains(
                """
                It may use:
                  2 GiB of memory
                  256 processes and threads
                  2 GiB on disk, for its own files
                  100,000 files on disk
                  50 percent of a program's share of a busy processor

                """), "\(text)")
        #expect(!ConsentText.text(Self.consent()).contains("It may use"))
    }

    @Test("A request and an unknown limit cannot move the cursor")
    func escaped() {
        let text = ConsentText.text(
            Self.consent(
                limits: [Wire.Limit(kind: "\u{1B}[2J", amount: 1, text: "1\u{1B}[A", standard: 1)],
                requests: [Wire.Request(kind: "network", value: "", explanation: "talks\nIt asks for nothing")]))
        #expect(text.contains("It asks for:\n") && !text.contains("\u{1B}"), "\(text)")
        #expect(!text.contains("\nIt asks for nothing"), "\(text)")
    }
}
