import DocentTestSupport
import Documents
import Testing

/// A client's report of a move reaches the presenters of other clients if it has the right to write both items (I3,
/// 2.5). `CoordinationReportTests` in AccessTests has the refusals.
@Suite(.needs(.daemon)) struct CoordinationRightTests {
    private static func pick(_ client: DocumentsClient, _ name: String) async throws -> DocumentReference {
        try await DocumentPicker(client: client).openDocument(at: try DocumentLocation("LocalFolder:/\(name)"))
            .reference
    }

    @Test("2.5, I3: a claim and its presenters follow to a moved item with the right to both items")
    func moves() async throws {
        try await Installation.withLocalFolder { installation in
            for name in ["own", "other"] { try installation.write(name, to: name + ".txt") }
            let mover = installation.client("org.example.Mover")
            defer { mover.close() }
            let own = try await Self.pick(mover, "own.txt")
            let other = try await Self.pick(mover, "other.txt")
            let watcher = try await Probe(installation)
            let presenting = try watcher.send("present", "LocalFolder:/own.txt", "quick")
            try await watcher.wait(presenting, for: "presenting")
            let coordinator = FileCoordinator(client: mover)
            try await coordinator.coordinate(writingItemAt: own, options: .forMoving) { _ in
                try await coordinator.item(at: own, didMoveTo: other)
            }
            #expect(try await watcher.wait(presenting, for: "didMove")[1] == other.identifier)
        }
    }
}
