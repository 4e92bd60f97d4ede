import DocentTestSupport
import Foundation
import Testing

/// A provider that uses folders of the home, with a directory that stands for the home.
@Suite(.needs(.daemon)) struct HomeValidationTests {
    /// Records what is in the home of the case when it is to pause; otherwise the ready program for directories.
    private static func service(noting notes: String) -> String {
        """
        case $1 in
            pause)
                { cat "$DOCENT_SERVICE_HOME/Documents/inner/letter"; ls "$DOCENT_SERVICE_HOME"; } >'\(notes)' 2>&1
                exit 3
                ;;
        esac
        exec '\(Repository.root)/packaging/services/directory' "$@"
        """
    }

    @Test(
        "with --home a provider works in copies of the folders that its manifest asks for, and passes",
        arguments: Sample.shared.of(["sandbox", "daemon"]))
    func home(transport: String) async throws {
        try await Installation.with { installation in
            let files = FileManager.default
            let given = installation.root + "/other-home"
            for folder in ["Documents/inner", "Unasked"] {
                try files.createDirectory(atPath: "\(given)/\(folder)", withIntermediateDirectories: true)
                try Data("a letter\n".utf8).write(to: URL(filePath: "\(given)/\(folder)/letter"))
            }
            let before = try files.subpathsOfDirectory(atPath: given).sorted()
            let notes = installation.root + "/notes"
            let service = installation.root + "/service"
            try Data(Self.service(noting: notes).utf8).write(to: URL(filePath: service))
            var names = ["listing.root", "reading.shown", "creating.document", "creating.kept", "deleting.document"]
            // What the program writes into that home is what the provider shows.
            if transport == "sandbox" { names.append("foreign.listing") }
            let filter = (names + ["unreachable.reading"]).joined(separator: "|")
            let (run, outcome) = try await ValidationRun.make(
                installation,
                [
                    "LocalFolder", "--home", given, "--service", "sh '\(service)'", "--transport", transport,
                    "--filter", "^(\(filter))$", "--seed", "1",
                ])
            #expect(run.passed && outcome.status == 0, "\(run.complaints)")
            for name in names {
                #expect(run.named(name)?.outcome == "passed", "\(name): \(run.named(name)?.reason ?? "not run")")
            }
            let paused = run.named("unreachable.reading")
            let seen = try #require(installation.read(notes), "\(paused?.reason ?? "not run")")
            #expect(seen.hasPrefix("a letter\n") && seen.contains("Documents"), "\(seen)")
            #expect(!seen.contains("Unasked"), "\(seen)")
            #expect(try files.subpathsOfDirectory(atPath: given).sorted() == before)
            #expect(try files.contentsOfDirectory(atPath: installation.documents).isEmpty)
            #expect(ValidationRun.leftovers(below: installation.root + "/tmp").isEmpty)
        }
    }
}
