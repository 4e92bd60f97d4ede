import DocentTestSupport
import Foundation
import Testing

/// F1 to F3: descriptors of every wrong kind, and packages with links out of themselves.
@Suite(.needs(.daemon, .server)) struct HostileForeignTests {
    @Test(
        "F1, F3: only a regular file that is open for reading is accepted, completely, and a package has no way out of itself"
    )
    func foreign() async throws {
        try await HostileStage.with { stage in
            let report = try await Victim(stage).during {
                let lines = try await stage.attack("foreign")
                lines.expect("control", ["worked"])
                for line in lines where line.attack.hasPrefix("descriptor: ") {
                    if line.attack.hasPrefix("descriptor: file that") {
                        // A copy of its state at one moment, or refused: never a crash.
                        #expect(["worked", "Conflict", "InvalidArgument"].contains(line.came), "\(line)")
                    } else if line.attack.contains("8 TiB") {
                        #expect(
                            ["NoSpace", "Unavailable", "InvalidArgument", "not made"].contains(line.came), "\(line)")
                    } else {
                        #expect(["InvalidArgument", "not made"].contains(line.came), "\(line)")
                    }
                }
                lines.expect("descriptors: ", ["closed", "InvalidArgument", "InvalidParameter"])
                for line in lines where line.attack.hasPrefix("package path") && !line.attack.contains(".docent") {
                    #expect(line.came == "InvalidArgument", "\(line)")
                }
                lines.expect("package element from", ["InvalidArgument", "NotFound", "Conflict"])
                lines.expect("package name", ["InvalidArgument"])
            }
            #expect(report.failures.isEmpty && report.rounds > 0, "\(report)")
            let installation = stage.installation
            let names = try FileManager.default.contentsOfDirectory(atPath: installation.documents)
            #expect(
                Set(names) == ["read.txt", "write.txt", "secret.txt", "victim.txt", "folder", "Box.rtfd"], "\(names)")
            // The package has the staged content, and nothing forbidden.
            let box = try FileManager.default.subpathsOfDirectory(atPath: installation.documents + "/Box.rtfd")
            #expect(box == ["content.txt"], "\(box)")
            #expect(installation.read(installation.documents + "/Box.rtfd/content.txt") == "plain")
            #expect(installation.read(installation.documents + "/secret.txt") == "the content of secret.txt")
        }
    }
}
