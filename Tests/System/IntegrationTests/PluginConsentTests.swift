import DocentTestSupport
import Foundation
import Testing

/// Enabling is consent (S3): what it covers, and what revokes it.
@Suite(.needs(.daemon, .server)) struct PluginConsentTests {
    static let provider = PluginFaultTests.provider

    @Test("A14: a provider that was copied into place is disabled until it is enabled")
    func offAtFirst() async throws {
        try await Installation.with(localFolder: false) { installation in
            let workshop = PluginWorkshop(installation)
            try await workshop.compile()
            try workshop.writeManifests()
            let refused = try await installation.docent("cat", workshop.location("a.txt"))
            #expect(refused.status == 3)
            #expect(refused.errors.contains("docent provider enable \(Self.provider)"), "\(refused.errors)")
            #expect(try await state(installation) == "disabled")
            try await workshop.enable()
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
            try await installation.docent("provider", "disable", Self.provider).succeeded()
            #expect(try await installation.docent("cat", workshop.location("a.txt")).status == 3)
        }
    }

    @Test("S3: a changed manifest disables its provider until it is enabled again")
    func changed() async throws {
        try await Installation.with(localFolder: false) { installation in
            let workshop = PluginWorkshop(installation)
            try await workshop.install()
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
            let other = PluginWorkshop(installation) { $0.displayName = "Something else" }
            try other.writeManifests()
            let refused = try await installation.docent("cat", workshop.location("a.txt"))
            #expect(refused.status == 3)
            #expect(refused.errors.contains("changed since it was enabled"), "\(refused.errors)")
            #expect(try await state(installation) == "changed")
            #expect(try await installation.docent("doctor").text.contains("changed since it was enabled"))
            try await workshop.enable()
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
        }
    }

    @Test("S1: providers, doctor and their JSON show that a provider runs without a sandbox")
    func unsandboxed() async throws {
        try await Installation.with(localFolder: false) { installation in
            let workshop = PluginWorkshop(installation)
            try installation.write("secret", to: "secret")
            try await workshop.compile(defines: ["SECRET": "\"\(installation.documents)/secret\""])
            try workshop.writeManifests()
            try await workshop.enable("--unsandboxed")
            let table = try await installation.docent("providers").succeeded().text
            #expect(table.contains("ready, unsandboxed"), "\(table)")
            #expect(try await installation.docent("providers", "--json").text.contains("\"sandboxed\": false"))
            #expect(try await installation.docent("doctor").text.contains("without a sandbox"))
            // It really has none, so the text is true.
            let reached = try await installation.docent("info", workshop.location("secret"))
            #expect(reached.errors.contains("secret: 0\n"), "\(reached.errors)")
            try await workshop.enable()
        }
    }

    @Test("S3: a document group of another provider is joined only with --join-groups")
    func joinGroups() async throws {
        try await Installation.with(localFolder: false) { installation in
            let first = PluginWorkshop(installation)
            try await first.install()
            let second = PluginWorkshop(installation) {
                $0.identifier = "org.example.Guest"
                $0.group = "group.org.example.Fault"
            }
            try await second.compile()
            try second.writeManifests()
            let refused = try await installation.docent("provider", "enable", "org.example.Guest", "--yes")
            #expect(refused.status == 3)
            #expect(refused.errors.contains("--join-groups"), "\(refused.errors)")
            #expect(try await state(installation, of: "org.example.Guest") == "disabled")
            try await second.enable("--join-groups")
            #expect(try await state(installation, of: "org.example.Guest") == "ready")
        }
    }

    @Test("S3: a user's manifest never silently replaces one on an earlier part of the path")
    func shadowing() async throws {
        try await Installation.with(localFolder: false) { installation in
            let workshop = PluginWorkshop(installation)
            try await workshop.install()
            // The same identifier again, in the user's own directory, which is later on the path.
            let own = installation.data + "/manifests"
            try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
            for part in ["FileProvider", "Picker"] {
                try FileManager.default.copyItem(
                    atPath: "\(installation.manifests)/\(Self.provider).\(part).json",
                    toPath: "\(own)/\(Self.provider).\(part).json")
            }
            try FileManager.default.copyItem(atPath: workshop.library, toPath: "\(own)/lib\(Self.provider).so")
            let shown = try await installation.docent("providers", "--all").succeeded().text
            #expect(shown.contains("comes first on the search path"), "\(shown)")
            #expect(try await state(installation) == "ready")
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
        }
    }
}
