import DocentTestSupport
import Faulty
import Foundation
import Testing

/// Faults that only a sandbox shows: a provider's forbidden attempts are caught, although they failed.
@Suite(.needs(.daemon)) struct SandboxFaultTests {
    /// Each fault of that kind, and the case that catches it.
    static let caught = [
        ("sandbox.connect", "sandbox.network"), ("sandbox.run", "sandbox.processes"),
        ("sandbox.writeOutside", "sandbox.files"),
    ]

    private static func validate(
        _ faults: String, _ transport: String, _ installation: Installation
    ) async throws -> (ValidationRun, Outcome) {
        let bundle = installation.root + "/bundle"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        for file in ["org.docent.Faulty.FileProvider.plist", "org.docent.Faulty.Picker.plist"] {
            try FileManager.default.copyItem(
                atPath: "\(Repository.root)/Plugins/Faulty/manifests/\(file)", toPath: "\(bundle)/\(file)")
        }
        try FileManager.default.copyItem(
            atPath: Installation.binaries + "/libFaulty.so", toPath: bundle + "/libFaulty.so")
        return try await ValidationRun.make(
            installation,
            [
                bundle, "--level", "10", "--filter", "^sandbox", "--transport", transport, "--setting",
                "faults=\(faults)",
            ])
    }

    @Test(
        "a provider that tries a connection, a program or a file outside fails that case and no other",
        arguments: Sample.shared.of(caught))
    func tried(fault: String, name: String) async throws {
        try await Installation.with { installation in
            let (run, outcome) = try await Self.validate(fault, "sandbox", installation)
            #expect(outcome.status == 1 && !run.passed, "\(outcome.text)")
            let failed = run.cases.filter { !["passed", "skipped"].contains($0.outcome) }.map(\.name)
            #expect(failed == [name], "\(run.complaints)")
            let findings = run.named(name)?.findings ?? []
            #expect(findings.contains { $0.got.contains("an attempt to") }, "\(run.complaints)")
            #expect(
                findings.allSatisfy { ![$0.did, $0.expected, $0.got, $0.requirement].contains("") },
                "\(run.complaints)")
        }
    }

    @Test("without a fault the same provider passes these cases, with and without a sandbox")
    func correct() async throws {
        for transport in ["sandbox", "process"] {
            try await Installation.with { installation in
                let (run, outcome) = try await Self.validate("", transport, installation)
                #expect(run.passed && outcome.status == 0, "\(transport): \(run.complaints)")
                #expect(run.named("sandbox.network")?.outcome == "passed", "\(transport)")
            }
        }
    }

    @Test("without a sandbox the file created outside is found")
    func written() async throws {
        try await Installation.with { installation in
            let (run, _) = try await Self.validate("sandbox.writeOutside", "process", installation)
            #expect(run.named("sandbox.files")?.outcome == "failed", "\(run.complaints)")
        }
    }

    @Test("every sandbox fault has a case here")
    func complete() {
        #expect(
            Set(Self.caught.map(\.0)) == Set(ProviderFault.all.map(\.name).filter { $0.hasPrefix("sandbox.") }))
    }
}
