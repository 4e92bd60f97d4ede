import DocentTestSupport
import Foundation
import Glibc
import Testing

/// If a provider makes the validator hang or crash, the validator is defective: hostile providers, over each transport.
@Suite(.needs(.daemon)) struct HostileValidationTests {
    /// The modes of Tests/Programs/HostileProvider, and texts of the report on them.
    private static let misdeeds: [(mode: String, words: String)] = [
        ("long", "more than 1048576 bytes"), ("deep", "breaks the protocol"), ("name", "breaks the protocol"),
        ("stream", "breaks the protocol"), ("pages", "the field \"item\" is missing"),
        ("uncalled", "breaks the protocol"), ("descriptors", "too many descriptors"), ("breed", "Not today"),
        ("overflow", "SIGSEGV (signal 11"), ("abort", "SIGABRT (signal 6"), ("exit", "ended with the code 3"),
        ("mute", "closed only this connection"), ("drown", "no answer"), ("stop", "no answer"),
        ("undying", "no answer"), ("init", "the field \"sdk\" is not a text"),
    ]

    /// The misdeeds of this run over each transport without a daemon; those over one transport share an installation.
    private static let chosen: [(String, [(mode: String, words: String)])] = {
        let transports = ["sandbox", "process"]
        let pairs = Sample.shared.of(misdeeds, transports)
        return transports.map { transport in (transport, pairs.filter { $0.1 == transport }.map { $0.0 }) }
            .filter { !$0.1.isEmpty }
    }()

    @Test(
        "whatever a provider does is a finding in a report, and leaves nothing behind",
        arguments: chosen)
    func alone(transport: String, misdeeds: [(mode: String, words: String)]) async throws {
        try await Installation.with(localFolder: false) { installation in
            let bundle = try await Self.bundle(installation)
            for (mode, words) in misdeeds {
                // The first call waits for the start of the provider.
                let callLimit = words == "no answer" ? 4 : 30
                let (run, outcome) = try await Self.validate(
                    installation, bundle, mode, transport, callLimit: callLimit)
                #expect(outcome.status == 1 && !run.passed, "\(mode): \(outcome)")
                #expect(run.complaints.contains(words), "\(mode): \(run.complaints)")
                #expect(!run.complaints.contains("DecodingError"), "\(mode): \(run.complaints)")
                try await Self.expectNothingLeft(installation, mode)
            }
        }
    }

    @Test(
        "through a daemon, too, every run ends with a report",
        arguments: Sample.shared.of(["long", "descriptors", "abort", "stop", "breed", "init"]))
    func behindDaemon(mode: String) async throws {
        try await Installation.with(
            environment: ["DOCENT_PROVIDER_DEADLINE_SECONDS": "3"], localFolder: false
        ) { installation in
            let bundle = try await Self.bundle(installation)
            let (run, outcome) = try await Self.validate(installation, bundle, mode, "daemon", callLimit: 10)
            #expect(outcome.status == 1 && !run.passed, "\(outcome) \(run.complaints)")
            if mode == "abort" { #expect(run.complaints.contains("signal 6"), "\(run.complaints)") }
            try await Self.expectNothingLeft(installation, mode)
        }
    }

    @Test("a library without the symbol, or for another machine, is reported before anything is loaded")
    func libraries() async throws {
        try await Installation.with(localFolder: false) { installation in
            let bundle = try await Self.bundle(installation)
            let library = bundle + "/libHostile.so"
            var bytes = try Data(contentsOf: URL(fileURLWithPath: library))
            bytes[18] = bytes[18] == 183 ? 62 : 183
            try bytes.write(to: URL(fileURLWithPath: library))
            let (foreign, first) = try await ValidationRun.make(installation, [bundle])
            #expect(first.status == 1 && foreign.interruption != nil)
            #expect(foreign.named("manifest.library")?.findings.first?.got == "a library for another kind of machine")
            try await installation.run(
                "/usr/bin/cc", ["-shared", "-fPIC", "-x", "c", "/dev/null", "-o", library]
            ).succeeded()
            let (empty, second) = try await ValidationRun.make(installation, [bundle])
            #expect(second.status == 1 && empty.named("manifest.library")?.outcome == "failed")
            #expect(empty.cases.allSatisfy { $0.name.hasPrefix("manifest.") })
        }
    }

    private static func validate(
        _ installation: Installation, _ bundle: String, _ mode: String, _ transport: String, callLimit: Int
    ) async throws -> (ValidationRun, Outcome) {
        try await ValidationRun.make(
            installation,
            [
                bundle, "--level", "10", "--filter", "^listing\\.root$", "--setting", "mode=\(mode)", "--transport",
                transport, "--time-limit", "60", "--call-limit", "\(callLimit)", "--seed", "1",
            ])
    }

    private static func expectNothingLeft(_ installation: Installation, _ mode: String) async throws {
        let temporary = installation.root + "/tmp"
        #expect(ValidationRun.leftovers(below: temporary).isEmpty, "\(mode)")
        try await installation.eventually("the processes of \"\(mode)\" are gone") {
            ValidationRun.processes(with: temporary).isEmpty
        }
    }

    /// Builds the provider next to its manifests.
    private static func bundle(_ installation: Installation) async throws -> String {
        let bundle = installation.root + "/hostile"
        let source = Repository.root + "/Tests/Programs/HostileProvider"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        for part in ["FileProvider", "Picker"] {
            let name = "org.example.Hostile.\(part).plist"
            try FileManager.default.copyItem(atPath: source + "/" + name, toPath: bundle + "/" + name)
        }
        try await installation.run(
            "/usr/bin/cc",
            [
                "-std=c11", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-pthread", "-I",
                Repository.root + "/Sources/ExtensionABI/include", source + "/hostile.c", "-o",
                bundle + "/libHostile.so",
            ]
        ).succeeded()
        return bundle
    }
}
