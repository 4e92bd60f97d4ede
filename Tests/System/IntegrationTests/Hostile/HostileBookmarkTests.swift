import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Testing
import Varlink

/// G2 to G6: foreign, incomplete and expired bookmarks.
@Suite(.needs(.daemon, .server)) struct HostileBookmarkTests {
    @Test(
        "G5: a forged, truncated, altered, foreign, revoked or expired bookmark restores no right, and reveals nothing"
    )
    func bookmarks() async throws {
        try await HostileStage.with { stage in
            let installation = stage.installation
            let outside = installation.client("org.docent.cli")
            defer { outside.close() }
            var bookmarks = ["of another client": stage.victimBookmark]
            try installation.write("revoked", to: "revoked.txt")
            try installation.write("expired", to: "expired.txt")
            let revoked = try await HostileStage.grant(outside, HostileStage.location("/revoked.txt"), "read")
            let expired = try await HostileStage.grant(
                outside, HostileStage.location("/expired.txt"), "read", expires: 15)
            let contained = try #require(stage.references["contained"])
            for (name, reference) in [("revoked", revoked), ("expired", expired), ("of a removed provider", contained)]
            {
                bookmarks[name] = try await Self.bookmark(installation, HostileStage.client, reference)
            }
            // For the same document: of another confined client, and of an unconfined one with the same name.
            let read = try #require(stage.references["read"])
            _ = try await outside.call(
                AdministrationInterface.AddGrant.self,
                .init(
                    clientKind: "run", client: "org.example.second", location: HostileStage.location("/read.txt"),
                    access: "read"))
            bookmarks["of another confined client"] = try await Self.bookmark(installation, "org.example.second", read)
            let namesake = installation.client(HostileStage.client)
            defer { namesake.close() }
            _ = try await namesake.call(
                PickerInterface.PickOpen.self,
                .init(location: HostileStage.location("/read.txt"), access: "read", operation: UUID().uuidString))
            bookmarks["of an unconfined namesake"] = try await namesake.call(
                DocumentsInterface.CreateBookmark.self, .init(reference: read)
            ).value.bookmark

            _ = try await outside.call(
                AdministrationInterface.Revoke.self,
                .init(client: HostileStage.client, location: HostileStage.location("/revoked.txt")))
            try await installation.docent("provider", "disable", stage.workshop.shape.identifier).succeeded()
            try await Task.sleep(for: .seconds(16))

            let lines = try await stage.attack("bookmarks", ["bookmarks": bookmarks])
            lines.expect("control", ["worked"])
            lines.expect("two of the same document", ["different"])
            lines.expect("readable in a bookmark", ["sealed"])
            lines.expect("make one without right", ["NotPermitted"])
            let refused: Set<String> = ["NotFound", "NotPermitted", "InvalidArgument", "Unavailable"]
            for line in lines where line.attack.hasPrefix("bookmark ") {
                // Embedded values may still be given to their own client; no client gets the right back.
                if ["bookmark revoked", "bookmark expired", "bookmark of a removed provider"].contains(line.attack) {
                    continue
                }
                #expect(refused.contains(line.came), "\(line)")
            }
            for name in ["revoked", "expired", "of a removed provider"] {
                let came = lines.filter { $0.attack == "bookmark \(name)" }
                #expect(came.count == 2 && came.contains { refused.contains($0.came) }, "\(came)")
                #expect(came.first.map { refused.contains($0.came) } == true, "\(came)")
            }
        }
    }

    private static func bookmark(
        _ installation: Installation, _ client: String, _ reference: Wire.ItemReference
    ) async throws -> String {
        var bookmark: String?
        try await IsolationTests.withConfinedClient(installation, client) { confined in
            bookmark = try await confined.call(DocumentsInterface.CreateBookmark.self, .init(reference: reference))
                .value.bookmark
        }
        return try #require(bookmark)
    }
}
