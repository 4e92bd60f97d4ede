import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Links of a provider of remote documents.
@Suite(.needs(.daemon)) struct RemoteLinkTests {
    private struct Item: Decodable {
        var identifier: String
        var symbolicLinkTarget: String?
        var isDownloaded: Bool
    }

    private static func item(_ stage: CoordinatingStage, _ name: String) async throws -> Item {
        try await stage.installation.docent("info", "--json", stage.location(name)).succeeded().json(Item.self)
    }

    @Test("2.3: a remote link has the content of its target; only the target is fetched, saved and sent")
    func remote() async throws {
        try await CoordinatingStage.with(.remote, ["a.txt": "at the server"]) { stage in
            let installation = stage.installation
            #expect(symlink("a.txt", stage.folder + "/link.txt") == 0)
            #expect(symlink("link.txt", stage.folder + "/second.txt") == 0)
            let link = try await Self.item(stage, "link.txt")
            #expect(link.symbolicLinkTarget == (try await Self.item(stage, "a.txt").identifier))
            #expect(try await Self.item(stage, "second.txt").symbolicLinkTarget == link.identifier)
            for name in ["second.txt", "link.txt", "a.txt"] {
                #expect(
                    try await installation.docent("cat", stage.location(name)).succeeded().text == "at the server")
            }
            #expect(stage.callbacks("a.txt").contains("call-Fetch"))
            try await installation.docent("write", stage.location("second.txt"), input: Data("saved here".utf8))
                .succeeded()
            try await installation.docent("drain").succeeded()
            #expect(stage.read("a.txt") == "saved here")
            for name in ["link.txt", "second.txt"] {
                #expect(stage.callbacks(name).isEmpty, "\(stage.callbacks(name))")
                #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: stage.folder + "/" + name)) != nil)
            }
            // The index survives a restart of the daemon.
            if let daemon = installation.daemonProcess { kill(daemon, SIGKILL) }
            #expect(try await Self.item(stage, "link.txt").symbolicLinkTarget == link.symbolicLinkTarget)
            #expect(try await installation.docent("cat", stage.location("link.txt")).succeeded().text == "saved here")
        }
    }
}
