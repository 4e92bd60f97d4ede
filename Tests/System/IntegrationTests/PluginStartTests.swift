import DocentTestSupport
import Foundation
import Testing

/// Plugins that fail to start, and plugins that crash repeatedly (law 3).
@Suite(.needs(.daemon, .server)) struct PluginStartTests {
    static let provider = PluginFaultTests.provider

    /// The defect of a library after its provider was enabled, and the text that the client gets.
    enum Spoilt: String, CaseIterable {
        case missing, notALibrary, noSymbol, crashingConstructor, garbageAtStart, floodAtStart, endsAtOnce

        /// Whether there is a library that can be loaded.
        var isLibrary: Bool { self != .missing && self != .notALibrary }

        var says: String {
            switch self {
            case .missing: "was not found in any of its possible places"
            case .notALibrary: "cannot be used"
            case .noSymbol: "has no docent_extension_main_v1"
            case .crashingConstructor: "was killed by signal 6"
            case .garbageAtStart, .floodAtStart: "broke the protocol"
            case .endsAtOnce: "exited by itself"
            }
        }

        func spoil(_ workshop: PluginWorkshop) async throws {
            try? FileManager.default.removeItem(atPath: workshop.library)
            switch self {
            case .missing: break
            case .notALibrary: try Data("no library at all".utf8).write(to: URL(fileURLWithPath: workshop.library))
            case .noSymbol: try await workshop.compile("int something_else;")
            case .crashingConstructor: try await workshop.compile(TestPluginSource.crashingConstructor)
            case .garbageAtStart: try await workshop.compile(defines: ["GARBAGE_AT_START": ""])
            case .floodAtStart: try await workshop.compile(defines: ["FLOOD_AT_START": ""])
            case .endsAtOnce:
                try await workshop.compile(
                    "__attribute__((visibility(\"default\"))) int docent_extension_main_v1(void *c) { (void)c; return 0; }"
                )
            }
        }
    }

    @Test("law 3: a library that cannot serve is reported with the provider's name, and others continue")
    func cannotStart() async throws {
        try await PluginFaultTests.with { workshop in
            let installation = workshop.installation
            let daemon = installation.daemonProcess
            for spoilt in Spoilt.allCases {
                let name = spoilt.rawValue
                try await TestStep.run(name) {
                    try await spoilt.spoil(workshop)
                    // Three failed starts within a minute would be a quarantine.
                    if spoilt.isLibrary {
                        try await installation.docent("provider", "reset", Self.provider).succeeded()
                    }
                    let outcome = try await installation.docent("cat", "--verbose", workshop.location("a.txt"))
                    #expect([1, 2, 5].contains(outcome.status), "\(name): \(outcome)")
                    #expect(outcome.errors.contains(Self.provider), "\(name): \(outcome.errors)")
                    #expect(outcome.errors.contains(spoilt.says), "\(name): \(outcome.errors)")
                    try await PluginFaultTests.expectUndisturbed(installation, daemon, after: name)
                }
            }
        }
    }

    @Test("law 5: a plugin that never introduces itself is ended at the deadline and named")
    func silent() async throws {
        try await PluginFaultTests.with(defines: ["SILENT_AT_START": ""]) { workshop in
            let outcome = try await workshop.installation.docent("cat", "--verbose", workshop.location("a.txt"))
            #expect(outcome.status == 7, "\(outcome)")
            #expect(outcome.errors.contains("\(Self.provider) did not answer within"), "\(outcome.errors)")
        }
    }

    @Test(
        "law 3: three crashes within a minute lead to a quarantine, which is shown, survives a restart and is lifted by reset"
    )
    func quarantineOverRestart() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("well", to: "well.txt")
            let workshop = PluginWorkshop(installation)
            try await workshop.install()
            let daemon = try #require(installation.daemonProcess)
            // More calls than crashes: two may share one start.
            for _ in 0..<3 { _ = try await installation.docent("info", workshop.location("crash")) }
            try await installation.eventually("it is in quarantine") { try await state(installation) == "quarantined" }
            let refused = try await installation.docent("cat", workshop.location("a.txt"))
            #expect(refused.status == 5)
            #expect(refused.errors.contains("docent provider reset \(Self.provider)"), "\(refused.errors)")
            try await showsQuarantine(installation)
            try await PluginFaultTests.expectUndisturbed(installation, daemon, after: "the quarantine")

            try await installation.docent("daemon", "stop").succeeded()
            #expect(try await state(installation) == "quarantined")
            try await showsQuarantine(installation)
            #expect(try await installation.docent("cat", workshop.location("a.txt")).status == 5)
            try await installation.docent("provider", "reset", Self.provider).succeeded()
            #expect(try await state(installation) == "ready")
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
        }
    }

    private func showsQuarantine(_ installation: Installation) async throws {
        let table = try await installation.docent("providers", "--all").succeeded().text
        #expect(
            table.split(separator: "\n").contains { $0.contains(Self.provider) && $0.contains("quarantined") },
            "\(table)")
        let doctor = try await installation.docent("doctor", "--json").json([Check].self)
        let check = try #require(doctor.first { $0.name == Self.provider })
        #expect(check.status == "error")
        #expect(check.remedy == "docent provider reset \(Self.provider)")
        #expect(check.detail.contains("was killed by signal 6"), "\(check.detail)")
    }

    struct Check: Decodable {
        var name: String
        var status: String
        var detail: String
        var remedy: String?
    }
}

/// The state of the faulty provider.
func state(_ installation: Installation, of identifier: String = PluginFaultTests.provider) async throws -> String {
    struct Summary: Decodable {
        var identifier: String
        var state: String
    }
    let all = try await installation.docent("providers", "--all", "--json").succeeded().json([Summary].self)
    return try #require(all.first { $0.identifier == identifier }).state
}
