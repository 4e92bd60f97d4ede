import DocentTestSupport
import Foundation
import Testing

/// Providers with few abilities, and those of the iOS 8 class: cases for missing abilities are skipped, and the report
/// says so.
@Suite(.needs(.daemon)) struct PlainProviderTests {
    @Test(
        "D5-D9: a read-only provider, and one of the iOS 8 class with its URLs and placeholders, pass; every inapplicable case is skipped with the reason",
        arguments: Sample.shared.of([
            ("read-only", "sandbox", "4"), ("classic", "sandbox", "5"), ("classic", "daemon", "3"),
        ]))
    func passes(provider: String, transport: String, level: String) async throws {
        if provider == "read-only" {
            try await Self.readOnly(level: level)
        } else {
            try await Self.classic(transport: transport, level: level)
        }
    }

    private static func readOnly(level: String) async throws {
        try await Installation.with(localFolder: false) { installation in
            for point in ["FileProvider", "Picker"] {
                let name = "org.docent.FaultyReadOnly.\(point).plist"
                try FileManager.default.copyItem(
                    atPath: "\(Repository.root)/Plugins/Faulty/manifests/\(name)",
                    toPath: "\(installation.manifests)/\(name)")
            }
            let (run, outcome) = try await ValidationRun.make(
                installation, ["FaultyReadOnly", "--level", level, "--seed", "1"])
            #expect(run.passed && outcome.status == 0, "\(run.complaints)")
            Self.expectReasons(run)
            // Undeclared abilities are not merely skipped: they are tried, and must be refused.
            for name in ["declaring.content", "declaring.refuses", "listing.root", "reading.shown"] {
                #expect(run.named(name)?.outcome == "passed", "\(name): \(run.named(name)?.reason ?? "not run")")
            }
            for (name, reason) in [
                ("reading.whole", "the provider does not declare write"),
                ("classic.foreignURLs", "the provider does not declare classic"),
                ("changes.anchor", "the provider does not declare changes"),
            ] {
                #expect(run.named(name)?.outcome == "skipped" && run.named(name)?.reason == reason, "\(name)")
            }
            let text = try await installation.docent(
                "provider", "validate", "FaultyReadOnly", "--filter", "^reading.whole$"
            ).succeeded().text
            #expect(text.contains("skipped: ") && text.contains("the provider does not declare write"), "\(text)")
        }
    }

    private static func classic(transport: String, level: String) async throws {
        try await Installation.with(localFolder: false) { installation in
            try await ClassicProbeManifest.install(in: installation)
            let (run, outcome) = try await ValidationRun.make(
                installation,
                [ClassicProbeManifest.bundle, "--level", level, "--seed", "1", "--transport", transport])
            #expect(run.passed && outcome.status == 0, "\(run.complaints)")
            Self.expectReasons(run)
            var names = ["creating.document", "modifying.content", "reading.shown"]
            if transport == "sandbox" {
                names += ["classic.urls", "classic.foreignURLs", "classic.provide", "classic.placeholder"]
                names += ["creating.repeatedAfterRestart", "modifying.repeatedAfterRestart", "writers.oneDocument"]
            }
            for name in names {
                #expect(run.named(name)?.outcome == "passed", "\(name): \(run.named(name)?.reason ?? "not run")")
            }
            #expect(run.named("deleting.document")?.reason?.hasPrefix("the provider does not declare delete") == true)
        }
    }

    private static func expectReasons(_ run: ValidationRun) {
        for testCase in run.cases where testCase.outcome == "skipped" {
            #expect(testCase.reason?.isEmpty == false, "\(testCase.name) is skipped without a reason")
        }
        #expect(run.cases.contains { $0.outcome == "skipped" })
    }
}
