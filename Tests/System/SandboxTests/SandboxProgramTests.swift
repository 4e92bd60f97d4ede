import DocentInterfaces
import DocentTestSupport
import Foundation
import Testing

@testable import ExtensionHosting

@Suite("docent-extension-host and its header", .needs(.programs, within: .seconds(120)))
struct SandboxProgramTests {
    @Test("the host program needs no Swift runtime")
    func linkage() throws {
        let (status, output) = try SandboxWorld.run("/usr/bin/env", ["readelf", "-d", SandboxWorld.hostProgram])
        try #require(status == 0)
        let needed = output.split(separator: "\n").filter { $0.contains("(NEEDED)") }
        #expect(needed.contains { $0.contains("libseccomp") })
        #expect(
            !needed.contains { $0.contains("libswift") || $0.contains("libFoundation") || $0.contains("libdispatch") })
        #expect(!output.contains("RUNPATH") || !output.contains("swift/linux"))
    }

    @Test(
        "the header compiles alone", arguments: ["gcc", "clang"], ["c", "c++"])
    func header(_ compiler: String, _ language: String) throws {
        guard try SandboxWorld.run("/usr/bin/env", ["sh", "-c", "command -v \(compiler)"]).0 == 0 else { return }
        try SandboxWorld.compile(
            "#include \"docent_extension.h\"\n", to: "/dev/null", options: ["-pedantic", "-fsyntax-only"],
            compiler: compiler, language: language)
    }

    @Test("Every layer is available on this machine, and a complete sandbox starts")
    func probe() async throws {
        let checks = SandboxProbe.checks()
        #expect(checks.map(\.name) == ["bubblewrap", "Landlock", "seccomp"])
        #expect(checks.allSatisfy { $0.status != "error" }, "\(checks)")
        #expect(SandboxProbe.checks() == checks)
        let container = try SandboxWorld(nil)
        let rehearsal = await SandboxProbe.rehearse(
            hostProgram: SandboxWorld.hostProgram, container: container.container)
        #expect(rehearsal.status == "ok", "\(rehearsal)")
    }

    @Test(
        "S1: an absent or old Landlock is reported, not refused",
        arguments: [(0, "warning", true), (1, "ok", false), (5, "ok", false), (7, "ok", false)])
    func landlock(_ version: Int, _ status: String, _ hasRemedy: Bool) {
        let check = SandboxProbe.landlockCheck(version: version)
        #expect(check.status == status)
        #expect((check.remedy != nil) == hasRemedy)
    }
}
