import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Testing
import Varlink

/// T4: limits apply per principal, so one confined client cannot lock out another, in however many processes.
@Suite(.needs(.daemon, .userLimits, within: .seconds(300))) struct HostileSharesTests {
    private static let other = "org.example.other"

    @Test(
        "T4: during simultaneous floods by sixty processes, another confined client and unconfined clients are all answered"
    )
    func everyFloodAtOnce() async throws {
        try await HostileStage.with { stage in
            let outside = stage.installation.client("org.docent.cli")
            defer { outside.close() }
            let theirs = try await HostileStage.grant(
                outside, HostileStage.location("/read.txt"), "read", to: Self.other)
            let daemon = try #require(stage.installation.daemonProcess)
            async let flood = stage.attack("floods", ["flood": "everything", "processes": 60])
            try await stage.installation.eventually("the flood is at its peak", within: 200) {
                FileManager.default.fileExists(atPath: stage.shared + "/holding")
            }
            let report = try await Victim(stage).during {
                async let beside = stage.attackInRun(
                    "honest", as: Self.other, [],
                    ["calls": 100, "references": ["read": HostileStage.object(theirs)]])
                for _ in 0..<10 {
                    let said = try await stage.installation.docent("cat", "LocalFolder:/victim.txt")
                    #expect(said.status == 0, "\(said.errors)")
                }
                try await beside.expect("honest calls", ["all answered"])
                // The user's administration is served too.
                let doctor = try await stage.installation.docent("doctor", "--json")
                #expect(doctor.text.contains("\"shares\""), "\(doctor)")
            }
            #expect(report.failures.isEmpty && report.rounds > 0, "\(report)")
            let figures = try DaemonFigures(daemon)
            print("hostile: every flood at once, \(figures) meanwhile; the victim: \(report)")
            #expect(figures.resident < 512 << 20, "\(figures)")
            #expect(figures.descriptors < 1_200, "\(figures)")
            _ = FileManager.default.createFile(atPath: stage.shared + "/over", contents: nil)
            try await flood.expect("every flood at once", ["refused in the end"])
            #expect(stage.installation.daemonProcess == daemon, "the daemon has changed")
        }
    }
}
