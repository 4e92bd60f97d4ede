import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Testing

/// G2, G7: names that are used as rights.
@Suite(.needs(.daemon, .server)) struct HostileNameTests {
    @Test(
        "G2, G7: no identifier, domain or provider without a grant opens anything, and no answer reveals what exists"
    )
    func names() async throws {
        try await HostileStage.with { stage in
            let lines = try await stage.attack("names")
            let refused: Set<String> = ["NotPermitted not started"]
            // Existing and missing items, in existing and other domains: the same answer.
            for attack in ["another item of the same folder", "identifier", "domain", "provider"] {
                lines.expect(attack, refused)
            }
            lines.expect("control: its own name", ["worked"])
            #expect(
                stage.installation.read(stage.installation.documents + "/secret.txt") == "the content of secret.txt")
        }
    }

    @Test("G7: a move extends no right to another item, outside the folder or to the replaced item")
    func moves() async throws {
        try await HostileStage.with { stage in
            let lines = try await stage.attack("moves")
            lines.expect("rename to", ["InvalidArgument"])
            lines.expect("rename over another", ["Conflict"])
            lines.expect("move into a folder without right", ["NotPermitted"])
            lines.expect("move another's item into its folder", ["NotPermitted"])
            lines.expect("move a folder into itself", ["InvalidArgument", "Conflict"])
            lines.expect("move to another provider", ["NotPermitted", "InvalidArgument", "NotSupported"])
            lines.expect("delete another's item", ["NotPermitted"])
            lines.expect("did move", ["ClaimLost", "NotPermitted", "InvalidArgument"])
            lines.expect("control: a claim of its own", ["worked"])
            lines.expect("a place's name", ["InvalidArgument"])
            lines.expect("after all that", ["NotPermitted not started"])
            let names = try FileManager.default.contentsOfDirectory(atPath: stage.installation.documents)
            #expect(
                Set(names) == ["read.txt", "write.txt", "secret.txt", "victim.txt", "folder", "Box.rtfd"], "\(names)")
        }
    }

    @Test("F3: a link that a provider plants among its documents gives no client a way out of the container")
    func plantedLinks() async throws {
        try await HostileStage.with { stage in
            let storage = stage.workshop.storage
            let secret = stage.installation.documents + "/secret.txt"
            let targets = [
                "planted": secret, "upwards": "../../../../docent.sqlite", "passwords": "/etc/passwd",
                "process": "/proc/self/environ", "inside": "a.txt",
            ]
            for (name, target) in targets {
                try FileManager.default.createSymbolicLink(atPath: "\(storage)/\(name)", withDestinationPath: target)
            }
            let outside = stage.installation.client("org.docent.cli")
            defer { outside.close() }
            var granted: [String: Any] = stage.references.mapValues(HostileStage.object)
            var refused: [String] = []
            for name in targets.keys.sorted() {
                do {
                    granted[name] = HostileStage.object(
                        try await HostileStage.grant(
                            outside, .init(provider: stage.workshop.shape.identifier, domain: "", path: "/" + name),
                            "read"))
                } catch {
                    refused.append(name)
                }
            }
            let lines = try await stage.attack("walk", ["references": granted])
            let contents = Set(lines.filter { $0.attack == "document" }.map(\.came))
            for path in [secret, "/etc/passwd", stage.installation.data + "/docent.sqlite"] {
                let digest = try await stage.installation.run("/usr/bin/sha256sum", [path]).succeeded().text
                #expect(!contents.contains(String(digest.prefix(64))), "\(path) was read; not granted: \(refused)")
            }
        }
    }
}
