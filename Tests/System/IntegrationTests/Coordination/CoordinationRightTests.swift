import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Testing

/// A client's reports about a document reach other clients only if it has the right to write it (I3, 2.4, 2.5).
@Suite(.needs(.daemon)) struct CoordinationRightTests {
    private static func with(
        _ body: (_ installation: Installation, _ own: DocumentReference, _ other: DocumentReference) async throws ->
            Void
    ) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("own", to: "own.txt")
            try installation.write("other", to: "other.txt")
            let own = try await pick(installation.client("org.example.Mover"), "own.txt")
            let other = try await pick(installation.client("org.example.Other"), "other.txt")
            try await body(installation, own, other)
        }
    }

    private static func pick(_ client: DocumentsClient, _ name: String) async throws -> DocumentReference {
        try await DocumentPicker(client: client).openDocument(at: try DocumentLocation("LocalFolder:/\(name)"))
            .reference
    }

    @Test(
        "2.5, I3: a claim and its presenters follow to a moved item only with the right to both items",
        arguments: [false, true])
    func moves(hasRight: Bool) async throws {
        try await Self.with { installation, own, other in
            let mover = installation.client("org.example.Mover")
            defer { mover.close() }
            if hasRight { _ = try await Self.pick(mover, "other.txt") }
            let watcher = try await Probe(installation)
            let presenting = try watcher.send("present", "LocalFolder:/own.txt", "quick")
            try await watcher.wait(presenting, for: "presenting")
            let coordinator = FileCoordinator(client: mover)
            let failure = try await coordinator.coordinate(writingItemAt: own, options: .forMoving) { _ in
                await IsolationTests.failure { try await coordinator.item(at: own, didMoveTo: other) }
            }
            #expect(failure == (hasRight ? nil : .notPermitted))
            // Messages of a refused move would have arrived before this one.
            try await watcher.run("write", "LocalFolder:/own.txt", "more", until: "ok")
            if hasRight {
                #expect(try await watcher.wait(presenting, for: "didMove")[1] == other.identifier)
            } else {
                #expect(!watcher.kinds(presenting).contains("didMove"))
            }
        }
    }

    @Test("2.5: a reported move to another provider or account is refused")
    func elsewhere() async throws {
        try await Self.with { installation, own, _ in
            let mover = installation.client("org.example.Mover")
            defer { mover.close() }
            let coordinator = FileCoordinator(client: mover)
            for (provider, domain) in [("org.example.None", own.domain), (own.provider, "elsewhere")] {
                let there = DocumentReference(provider: provider, domain: domain, identifier: own.identifier)
                let failure = try await coordinator.coordinate(writingItemAt: own, options: .forMoving) { _ in
                    await IsolationTests.failure { try await coordinator.item(at: own, didMoveTo: there) }
                }
                #expect(failure == .notPermitted)
            }
        }
    }

    @Test(
        "2.4, I3: only a client that may write the document can settle its conflict for others",
        arguments: [0, 1])
    func resolves(versions: Int) async throws {
        try await Self.with { installation, own, other in
            let client = installation.client("org.example.Mover")
            defer { client.close() }
            let names = (0..<versions).map { "version \($0)" }
            func resolve(_ reference: DocumentReference) async -> DocumentsError.Code? {
                await IsolationTests.failure {
                    _ = try await client.call(
                        DocumentsInterface.ResolveConflict.self,
                        .init(reference: reference.wire, versions: names))
                }
            }
            #expect(await resolve(other) == .notPermitted)
            let answer = await resolve(own)
            #expect(answer == (versions == 0 ? .invalidArgument : nil))
        }
    }
}
