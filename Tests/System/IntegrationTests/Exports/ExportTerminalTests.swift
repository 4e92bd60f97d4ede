import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// The progress bar of `docent export` and `docent move` on a terminal.
@Suite(.needs(.daemon, .server)) struct ExportTerminalTests {
    private static let half = "publishing  [##########----------] 2.0 MB of 4.0 MB"

    private static func command(_ verb: String, _ plugin: SlowPlugin, _ options: String...) -> [String] {
        [Installation.binaries + "/docent", verb, plugin.file, plugin.location.description] + options
    }

    @Test(
        "On a terminal the progress of a provider or its own picker is shown, and then cleared",
        arguments: Sample.shared.of(["export", "move"], [false, true]))
    func bar(verb: String, hasOwnPicker: Bool) async throws {
        try await SlowPlugin.with(hasOwnPicker: hasOwnPicker) { plugin in
            let outcome = try await plugin.installation.onTerminal(
                Self.command(verb, plugin), [(Self.half, .touch(plugin.go))])
            #expect(outcome.status == 0, "\(outcome.text)")
            let label = (verb == "export" ? "Exporting " : "Moving ") + plugin.file
            #expect(outcome.text.contains("\r\u{1B}[K\(label), \(Self.half)"), "\(outcome.text)")
            // The bar is cleared before the result is printed.
            let rest = outcome.text.components(separatedBy: Self.half).last ?? ""
            #expect(rest.contains("\r\u{1B}[K\(plugin.workshop.shape.identifier):/"), "\(outcome.text)")
            #expect(FileManager.default.fileExists(atPath: plugin.file) == (verb == "export"))
            #expect(plugin.madeSize == SlowPlugin.size)
        }
    }

    @Test(
        "--no-progress shows no progress on a terminal; without a terminal none is shown either",
        arguments: Sample.shared.of([false, true]))
    func noBar(isTerminal: Bool) async throws {
        try await SlowPlugin.with { plugin in
            async let outcome =
                isTerminal
                ? plugin.installation.onTerminal(Self.command("export", plugin, "--no-progress"))
                : plugin.installation.docent("export", plugin.file, plugin.location.description)
            try await plugin.installation.eventually("it is halfway", within: 60) {
                plugin.workshop.pickerLog.contains("Create half")
            }
            // The bar would be drawn after one second.
            try await Task.sleep(for: .milliseconds(1_600))
            _ = FileManager.default.createFile(atPath: plugin.go, contents: nil)
            let ended = try await outcome
            #expect(ended.status == 0, "\(ended.errors)")
            #expect(
                ended.text.trimmingCharacters(in: .whitespacesAndNewlines)
                    == plugin.workshop.location("big.bin"), "\(ended.text)")
            #expect(ended.errors.isEmpty, "\(ended.errors)")
        }
    }

    @Test(
        "T3: Ctrl-C while the progress bar is shown cancels what is not committed: the exit code is 7, and the source of a move stays"
    )
    func interrupted() async throws {
        try await SlowPlugin.with(hasOwnPicker: true) { plugin in
            let outcome = try await plugin.installation.onTerminal(
                Self.command("move", plugin), [(Self.half, .type("\u{3}"))])
            #expect(outcome.status == 7, "\(outcome.text)")
            #expect(FileManager.default.fileExists(atPath: plugin.file))
            _ = FileManager.default.createFile(atPath: plugin.go, contents: nil)
        }
    }
}
