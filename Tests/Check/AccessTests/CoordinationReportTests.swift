import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostTesting
import Rights
import Testing

@testable import Access

/// A client's reports about a document reach other clients only if it has the right to write it (I3, 2.4, 2.5).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct CoordinationReportTests {
    private static let owner = Principal(kind: .run, identifier: "owner")

    /// A document that the writer may change and another client's document.
    private static func documents(_ host: TestHost) async throws -> (own: ItemKey, other: ItemKey) {
        let own = try await CoordinationServiceTests.document(host)
        let other = TestProviderKind.inPlace.key(host.store(.inPlace).add("other.txt", "other"))
        try await host.grant(other, to: owner)
        return (own, other)
    }

    /// The code of the refusal of a move that the holder of a claim for moving reports.
    private static func refusal(_ mover: Claimant, from: ItemKey, to: ItemKey) async -> FailureCode? {
        let failure = await #expect(throws: Failure.self) {
            try await mover.host.services.coordination.didMove(mover.session, claim: "move", from: from, to: to)
        }
        return failure?.code
    }

    @Test("2.5, I3: a claim and its presenters do not follow to a moved item without the right to both items")
    func moves() async throws {
        try await TestHost.with { host in
            let (own, other) = try await Self.documents(host)
            let view = Claimant(host, viewer).present(own)
            #expect(await view.next()?.kind == "registered")
            let mover = Claimant(host)
            let claiming = Task {
                try await mover.claim(own, writing: true, options: ["forMoving"], operation: "move")
            }
            let moving = await view.next()
            #expect(moving?.kind == "relinquishToWriter")
            try view.answer(moving)
            let held = try await claiming.value
            #expect(await Self.refusal(mover, from: own, to: other) == .notPermitted)
            held.release()
            #expect(await view.next()?.kind == "reacquire")
            // Messages of a refused move would have arrived before these.
            let client = host.client()
            try await client.begin(own, "more", operation: "save")
            let commit = Task { try await client.commit("save") }
            let saving = await view.next()
            #expect(saving?.kind == "relinquishToWriter")
            try view.answer(saving)
            _ = try await commit.value
            let change = await view.next()
            #expect(change?.kind == "didChange" && change?.version == "v2")
            view.end()
        }
    }

    @Test("2.5: a reported move to another provider or account is refused")
    func elsewhere() async throws {
        try await TestHost.with { host in
            let (own, _) = try await Self.documents(host)
            let mover = Claimant(host)
            let held = try await mover.claim(own, writing: true, options: ["forMoving"], operation: "move")
            for (provider, domain) in [("org.example.None", own.domain), (own.provider, "elsewhere")] {
                let there = ItemKey(provider: provider, domain: domain, identifier: own.identifier)
                #expect(await Self.refusal(mover, from: own, to: there) == .notPermitted)
            }
            held.release()
        }
    }

    @Test("2.4, I3: only a client that may write the document can settle its conflict for others", arguments: [0, 1])
    func resolves(versions: Int) async throws {
        try await TestHost.with { host in
            let (own, other) = try await Self.documents(host)
            let session = host.session()
            let names = (0..<versions).map { "version \($0)" }
            func resolve(_ key: ItemKey) async throws -> FailureCode? {
                do {
                    try await host.services.coordination.resolved(session, key, versions: names)
                    return nil
                } catch let failure as Failure {
                    return failure.code
                }
            }
            #expect(try await resolve(other) == .notPermitted)
            #expect(try await resolve(own) == (versions == 0 ? .invalidArgument : nil))
        }
    }
}
