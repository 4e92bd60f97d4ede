import DocentTestSupport
import Foundation
import Testing

/// The folder with what was granted, attacked from inside (`docent run --view`).
@Suite(.needs(.daemon, .server)) struct HostileViewTests {
    @Test("G7: paths, links, descriptors, races of names and mounts give no more than the rights")
    func attacks() async throws {
        try await HostileStage.with { stage in
            let canaries = try CanaryTree(in: stage.installation)
            let lines = try await stage.attackInRun("view", ["--view"])
            lines.expect("honest", ["worked"])
            lines.expect("path", ["ENOENT"])
            lines.expect("above", ["own"])
            lines.expect("link", ["EPERM"])
            lines.expect("descriptor", ["EACCES", "EBADF", "EINVAL", "EPERM", "EOPNOTSUPP"])
            lines.expect("attribute", ["ENODATA"])
            lines.expect("race", ["own"])
            lines.expect("mount", ["ENOENT", "EPERM", "EBUSY", "EROFS", "EACCES"])
            lines.expect("options", ["closed"])
            let documents = stage.installation.documents
            #expect(stage.installation.read(documents + "/read.txt") == "the content of read.txt")
            #expect(stage.installation.read(documents + "/secret.txt") == "the content of secret.txt")
            #expect(stage.installation.read(documents + "/victim.txt") == "the content of victim.txt")
            #expect(stage.installation.read(documents + "/write.txt") == "hostile")
            // The documents themselves are what it may change.
            let changes = try canaries.changes().filter { !$0.hasPrefix(documents) }
            #expect(changes.isEmpty, "\(changes)")
        }
    }
}
