import DocentTestSupport
import Foundation
import Testing

/// The SDK's package of an installed Docent: compiled for one compiler, sources for all others.
@Suite(.needs(.programs, .processor)) struct SDKPackageTests {
    private struct Package: Decodable {
        struct Part: Decodable {
            var name: String
            var targets: [String]?
            var pkgConfig: String?
        }
        var products: [Part]
        var targets: [Part]
    }

    @Test(
        "compiled modules are used only by the compiler that built them, and not if sources are requested"
    )
    func choice() async throws {
        let folder = "/tmp/docent-sdk-\(UUID().uuidString.prefix(8))"
        let files = FileManager.default
        defer { try? files.removeItem(atPath: folder) }
        try files.createDirectory(atPath: folder + "/sdk", withIntermediateDirectories: true)
        let manifest = try String(contentsOfFile: Repository.root + "/packaging/sdk/Package.swift", encoding: .utf8)
        let toolchain = folder + "/sdk/prebuilt/toolchain"

        /// SwiftPM caches a manifest's result by its text.
        var round = 0
        func targets(_ environment: [String: String] = [:]) async throws -> Package {
            round += 1
            try Data((manifest + "\n// \(round)\n").utf8).write(to: URL(filePath: folder + "/sdk/Package.swift"))
            let own = ProcessInfo.processInfo.environment
            var variables = ["PATH": own["PATH"] ?? "", "HOME": own["HOME"] ?? folder, "TMPDIR": folder]
            variables.merge(environment) { $1 }
            return try await Outcome.run(
                "/usr/bin/env", ["swift", "package", "dump-package", "--disable-sandbox"], input: nil,
                environment: variables, folder: folder + "/sdk"
            ).succeeded().json(Package.self)
        }

        let sources = try await targets()
        #expect(sources.targets.map(\.name).contains("FileProvider"))
        #expect(sources.targets.allSatisfy { $0.pkgConfig == nil })

        // As installed by `make install`, from this build's modules.
        let script = Repository.root + "/Scripts/prebuild-sdk.sh"
        let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": folder]
        try await Outcome.run(
            "/bin/bash", [script, Installation.binaries, folder + "/sdk/prebuilt"], input: nil, environment: path,
            folder: folder
        ).succeeded()
        let compiled = try await targets()
        #expect(
            Set(compiled.products.map(\.name)) == [
                "Documents", "FileProvider", "FileProviderValidation", "UniformTypes",
            ])
        #expect(compiled.products.allSatisfy { $0.targets == [$0.name + "Prebuilt"] })
        for target in compiled.targets {
            let flags = try String(contentsOfFile: try #require(target.pkgConfig), encoding: .utf8)
            #expect(flags.contains("-lDocentSDK") && flags.contains("-lswiftCore"))
            // A provider needs only Foundation's essentials.
            #expect(flags.contains("-lFoundation ") == (target.name == "FileProviderValidationPrebuilt"), "\(flags)")
        }
        #expect(try await targets(["DOCENT_SDK_SOURCES": "1"]).targets.map(\.name).contains("FileProvider"))

        let line = try String(contentsOfFile: toolchain, encoding: .utf8)
        #expect(line.contains("swift-compiler-version"))
        let others = [
            line.replacingOccurrences(of: "Swift version ", with: "Swift version 9"), "", "../../../etc/passwd\nroot",
        ]
        for other in others {
            try Data(other.utf8).write(to: URL(filePath: toolchain))
            #expect(try await targets().targets.map(\.name).contains("FileProvider"), "\(other)")
        }
    }
}
