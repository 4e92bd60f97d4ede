import DocentTestSupport
import Foundation
import Glibc
import Testing

/// The command itself: its arguments, its refusals, and what it leaves behind.
@Suite(.needs(.daemon)) struct ValidateCommandTests {
    @Test("--list shows every case with its level and subject, without a provider")
    func list() async throws {
        try await Installation.with { installation in
            let text = try await installation.docent("provider", "validate", "--list", "--level", "10").succeeded().text
            #expect(
                text.contains("lifecycle.initialize") && text.contains("daemon.evict") && text.contains("sandbox.files")
            )
            let json = try await installation.docent("provider", "validate", "--list", "--json", "--level", "1")
                .succeeded()
            struct Entry: Decodable {
                var name: String
                var group: String
                var level: Int
                var summary: String
                var requirements: [String]
            }
            let entries = try json.json([Entry].self)
            #expect(
                !entries.isEmpty
                    && entries.allSatisfy { $0.level == 1 && !$0.summary.isEmpty && !$0.requirements.isEmpty })
            // As sentences: the numbers are for developers of Docent.
            #expect(entries.flatMap(\.requirements).allSatisfy { $0.split(separator: " ").count > 3 })
            #expect(Set(entries.map(\.name)).count == entries.count)
        }
    }

    @Test("a provider can be named by directory, library, manifest and identifier")
    func targets() async throws {
        try await Installation.with { installation in
            let bundle = installation.root + "/bundle"
            try FileManager.default.createDirectory(atPath: bundle + "/build", withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: installation.manifests, toPath: bundle + "/manifests")
            let library = bundle + "/build/libLocalFolder.so"
            try FileManager.default.copyItem(atPath: Installation.binaries + "/libLocalFolder.so", toPath: library)
            let manifest = bundle + "/manifests/org.docent.LocalFolder.FileProvider.plist"
            // As SwiftPM builds them.
            for name in ["description", "plugin-tools-description"] {
                try Data("{\"swiftCommands\": {}}".utf8).write(to: URL(fileURLWithPath: "\(bundle)/build/\(name).json"))
            }
            for target in [bundle, bundle + "/build", library, manifest, "org.docent.LocalFolder", "localfolder"] {
                let (run, outcome) = try await ValidationRun.make(
                    installation, [target, "--level", "1", "--filter", "^lifecycle"])
                #expect(run.passed && outcome.status == 0, "\(target): \(run.complaints)")
                #expect(run.provider == "org.docent.LocalFolder", "\(target)")
            }
        }
    }

    @Test("an actions extension beside a provider is noted as ignored, and the provider is validated")
    func actions() async throws {
        try await Installation.with { installation in
            let provider = try #require(
                installation.read(installation.manifests + "/org.docent.LocalFolder.FileProvider.plist"))
            let actions = provider.replacingOccurrences(of: "LocalFolder.FileProvider<", with: "LocalFolder.Actions<")
                .replacingOccurrences(of: "com.apple.fileprovider-nonui", with: "com.apple.fileprovider-actionsui")
            let path = installation.manifests + "/org.docent.LocalFolder.Actions.plist"
            try Data(actions.utf8).write(to: URL(filePath: path))
            let arguments = [installation.manifests, "--level", "1", "--filter", "^lifecycle"]
            let shown = try await installation.run(
                Installation.binaries + "/docent", ["provider", "validate"] + arguments)
            #expect(shown.status == 0 && shown.text.contains("\(path): is ignored"), "\(shown)")
            let (run, outcome) = try await ValidationRun.make(installation, arguments)
            #expect(run.passed && outcome.status == 0, "\(run.complaints)")
            let ignored = run.named("manifest.org.docent.LocalFolder.Actions")
            #expect(ignored?.outcome == "skipped" && ignored?.reason?.contains("not supported") == true, "\(run.cases)")
            #expect(run.named("manifest.org.docent.LocalFolder.FileProvider")?.outcome == "passed")
        }
    }

    @Test("an argument that cannot be validated is reported in one sentence, with the exit code of its kind")
    func refusals() async throws {
        try await Installation.with { installation in
            // Deeper than the search for a package goes.
            let empty = installation.home + "/1/2/3/4/empty"
            try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
            let table: [([String], Int32, String)] = [
                (["nothing-of-that-name"], 2, "There is no provider"), ([empty], 2, "has no manifest"),
                ([installation.root + "/no/such/place"], 2, "There is nothing at"),
                (["LocalFolder", "--level", "11"], 64, "The level must be between 0 and 10"),
                (["LocalFolder", "--filter", "("], 64, "is not a regular expression"),
                (["LocalFolder", "--filter", "^nothing-matches-this$"], 64, "No case"),
                (["LocalFolder", "--setting", "novalue"], 64, "KEY=VALUE"),
                (["LocalFolder", "--time-limit", "-1"], 64, "--time-limit"),
                (["LocalFolder", "--folder", installation.root + "/not-there"], 2, "is not a folder"),
                (["LocalFolder", "--home", installation.root + "/not-there"], 2, "is not a folder"),
                (["LocalFolder", "--password-file", installation.root + "/not-there"], 2, "cannot be read"),
                ([], 64, "Name a provider"),
            ]
            for (arguments, status, words) in table {
                let outcome = try await installation.run(
                    Installation.binaries + "/docent", ["provider", "validate"] + arguments)
                #expect(outcome.status == status && outcome.errors.contains(words), "\(arguments): \(outcome)")
            }
            let lacking = try await installation.docent(
                "provider", "validate", "LocalFolder", environment: ["DOCENT_VALIDATOR": installation.root + "/none"])
            #expect(lacking.status == 5, "\(lacking)")
            let hostless = try await installation.docent(
                "provider", "validate", "LocalFolder",
                environment: ["DOCENT_EXTENSION_HOST": installation.root + "/none"])
            #expect(hostless.status == 5 && hostless.errors.contains("DOCENT_EXTENSION_HOST"), "\(hostless)")
        }
    }

    @Test("an invalid library, or one without the symbol, is a finding at once and does not end the validator")
    func noLibrary() async throws {
        try await Installation.with { installation in
            let bundle = installation.root + "/bundle"
            try FileManager.default.copyItem(atPath: installation.manifests, toPath: bundle)
            let library = bundle + "/libLocalFolder.so"
            try Data("hello".utf8).write(to: URL(fileURLWithPath: library))
            let text = try await installation.docent("provider", "validate", bundle)
            #expect(text.status == 1 && text.text.contains("cannot be used"), "\(text)")
            // It begins like a library, but is not one.
            try (Data([0x7F, 0x45, 0x4C, 0x46]) + Data(repeating: 7, count: 5_000)).write(
                to: URL(fileURLWithPath: library))
            let (run, outcome) = try await ValidationRun.make(installation, [bundle, "--level", "10"])
            #expect(outcome.status == 1 && !run.passed && run.interruption != nil, "\(outcome)")
            #expect(run.cases.count < 12, "it stopped early: \(run.cases.count)")
            #expect(run.complaints.contains("a library for another kind of machine"), "\(run.complaints)")
        }
    }

    @Test("the report is also available as JUnit, and the same seed repeats the same run")
    func junit() async throws {
        try await Installation.with { installation in
            let path = installation.root + "/report.xml"
            let outcome = try await installation.docent(
                "provider", "validate", "LocalFolder", "--level", "1", "--seed", "42", "--junit", path
            ).succeeded()
            #expect(outcome.text.contains("seed 42"), "\(outcome.text)")
            let parser = XMLCheck(path)
            #expect(
                parser.isWellFormed && parser.elements.contains("testcase"), "\(installation.read(path) ?? "nothing")")
            let unwritable = try await installation.docent(
                "provider", "validate", "LocalFolder", "--level", "1", "--filter", "^lifecycle", "--junit",
                "/proc/none/x")
            #expect(unwritable.status == 1 && unwritable.errors.contains("cannot be written"), "\(unwritable)")
        }
    }

    @Test(
        "terminated or killed, the validator leaves no process and no file, over each transport",
        arguments: Sample.shared.of([SIGINT, SIGTERM, SIGKILL], ["sandbox", "process", "daemon"]))
    func interrupted(signal: Int32, transport: String) async throws {
        try await Installation.with { installation in
            let errors = installation.root + "/errors"
            _ = FileManager.default.createFile(atPath: errors, contents: nil)
            let process = try ChildProcess(
                Installation.binaries + "/docent",
                [
                    "provider", "validate", "LocalFolder", "--level", "10", "--filter",
                    transport == "daemon" ? "kill.anyCall" : "growth.long", "--transport", transport,
                ],
                environment: installation.environment, folder: installation.home, errors: .file(errors))
            let temporary = installation.root + "/tmp"
            try await installation.eventually("the case runs") {
                !ValidationRun.processes(with: temporary).filter { $0.contains("docent-extension-host") }.isEmpty
            }
            process.send(signal)
            try await installation.eventually("the validator is gone") { !process.isRunning }
            if signal != SIGKILL { #expect(process.terminationStatus == 7) }
            try await installation.eventually("every process that it started is gone") {
                ValidationRun.processes(with: temporary).isEmpty
            }
            try await installation.eventually("its directory is gone") {
                ValidationRun.leftovers(below: temporary).isEmpty
            }
        }
    }

    @Test("killed together with the process of its case, the validator leaves no process and no file")
    func killedWithItsCase() async throws {
        try await Installation.with { installation in
            let process = try ChildProcess(
                Installation.binaries + "/docent",
                ["provider", "validate", "LocalFolder", "--level", "10", "--filter", "growth.long"],
                environment: installation.environment, folder: installation.home)
            let temporary = installation.root + "/tmp"
            try await installation.eventually("the case runs") {
                ValidationRun.processes(with: temporary).contains { $0.contains("docent-extension-host") }
            }
            let running = try #require(ValidationRun.child(of: process.processIdentifier, with: "--case"))
            // A suspended validator does not notice the death of its case.
            process.send(SIGSTOP)
            kill(running, SIGKILL)
            process.send(SIGKILL)
            try await installation.eventually("every process that it started is gone") {
                ValidationRun.processes(with: temporary).isEmpty
            }
            try await installation.eventually("its directory is gone") {
                ValidationRun.leftovers(below: temporary).isEmpty
            }
        }
    }

}

/// Parses XML, checks that every element is closed in order, and returns the elements.
private struct XMLCheck {
    var isWellFormed = false
    var elements: Set<String> = []

    init(_ path: String) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
        var open: [String] = []
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("?") { continue }
            let name = String(tag.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "/" })
            if tag.hasPrefix("/") {
                guard open.popLast() == name else { return }
            } else {
                elements.insert(name)
                if !tag.hasSuffix("/") { open.append(name) }
            }
        }
        isWellFormed = open.isEmpty && !rest.contains("<")
    }
}
