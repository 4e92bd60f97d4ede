import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// An installation with the provider of ``LinkingPluginSource``: `a.txt`, `secret.txt`, a `folder` with `b.txt`, and
/// links.
struct LinkingStage {
    let installation: Installation
    let workshop: PluginWorkshop

    static func with(_ body: (LinkingStage) async throws -> Void) async throws {
        try await Installation.withLocalFolder { installation in
            let workshop = PluginWorkshop(installation) { $0.identifier = "org.example.Linking" }
            try await workshop.compile(LinkingPluginSource.whole)
            try workshop.writeManifests()
            try await workshop.enable()
            let stage = LinkingStage(installation: installation, workshop: workshop)
            try FileManager.default.createDirectory(
                atPath: workshop.storage + "/folder", withIntermediateDirectories: true)
            for name in ["a.txt", "secret.txt", "folder/b.txt"] { try stage.write("the content of \(name)", name) }
            try await body(stage)
        }
    }

    func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(workshop.storage)/\(name)"))
    }

    /// Creates a link, or changes its target, atomically.
    func link(_ name: String, to target: String) throws {
        let draft = workshop.storage + "/.draft"
        try #require(symlink(target, draft) == 0)
        try #require(rename(draft, "\(workshop.storage)/\(name)") == 0)
    }

    func location(_ path: String) -> DocumentLocation {
        DocumentLocation(provider: workshop.shape.identifier, path: path)
    }

    /// The item of an identifier, which is its path.
    func reference(_ identifier: String) -> DocumentReference {
        DocumentReference(provider: workshop.shape.identifier, identifier: identifier)
    }
}
