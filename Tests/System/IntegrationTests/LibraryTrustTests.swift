import DocentTestSupport
import Foundation
import Glibc
import Testing

/// S3: files that others may write are not loaded, even if that changes while they run.
@Suite(.needs(.daemon, .server, within: .seconds(300))) struct LibraryTrustTests {
    private struct Status: Decodable {
        struct Process: Decodable {
            var provider: String
            var processIdentifier: Int?
        }
        var extensions: [Process]
    }

    private static func process(_ workshop: PluginWorkshop) async throws -> Int? {
        try await workshop.installation.docent("daemon", "status", "--json").succeeded().json(Status.self)
            .extensions.first { $0.provider == PluginFaultTests.provider }?.processIdentifier
    }

    private static func expectRefused(
        _ workshop: PluginWorkshop, _ reason: String, status: Int32 = 5
    ) async throws {
        let refused = try await workshop.installation.docent("cat", workshop.location("a.txt"))
        #expect(refused.status == status && refused.errors.contains(reason), "\(refused)")
    }

    @Test(
        "S3: a library that others may write is not loaded, the reason is reported, and it is used again when repaired")
    func writable() async throws {
        try await PluginFaultTests.with { workshop in
            let installation = workshop.installation
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
            let daemon = installation.daemonProcess
            for path in [workshop.library, installation.manifests] {
                let mode = path == workshop.library ? mode_t(0o644) : 0o755
                try #require(try await Self.process(workshop) != nil)
                try #require(chmod(path, mode | 0o022) == 0)
                // Without any call: it is noticed nevertheless.
                try await installation.eventually("its process has ended") { try await Self.process(workshop) == nil }
                // That breaks its manifest, as discovery reports.
                try await Self.expectRefused(workshop, "can be changed by everybody", status: 1)
                let listed = try await installation.docent("providers").succeeded()
                #expect(!listed.text.contains(PluginFaultTests.provider), "\(listed.text)")
                #expect(listed.errors.contains("can be changed by everybody"), "\(listed.errors)")
                try #require(chmod(path, mode) == 0)
                try await installation.docent("cat", workshop.location("a.txt")).succeeded()
                #expect(try await state(installation) == "ready")
            }
            #expect(installation.daemonProcess == daemon)
        }
    }

    @Test("S3: a library replaced while it runs is loaded anew, but no file next to it that others may write")
    func replaced() async throws {
        try await PluginFaultTests.with { workshop in
            let installation = workshop.installation
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
            let first = try #require(try await Self.process(workshop))
            try FileManager.default.copyItem(atPath: workshop.library, toPath: workshop.library + ".new")
            try #require(rename(workshop.library + ".new", workshop.library) == 0)
            try await installation.eventually("its process has ended") { try await Self.process(workshop) != first }
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()

            let companion = installation.manifests + "/libbeside.so"
            try Data("anything".utf8).write(to: URL(fileURLWithPath: companion))
            try #require(chmod(companion, 0o666) == 0)
            try await installation.docent("provider", "reset", PluginFaultTests.provider).succeeded()
            for _ in 0..<4 { try await Self.expectRefused(workshop, "libbeside.so") }
            // None of that counted as a crash.
            try #require(chmod(companion, 0o644) == 0)
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
        }
    }
}
