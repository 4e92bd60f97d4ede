import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostCore
import HostTesting
import Records
import RemoteDocuments
import Rights
import Saving
import Testing

@testable import HostServices

/// The rights of clients: a client manages its own, the user grants and revokes them, and open files end with their
/// right (G7, I3).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct GrantServiceTests {
    static func document(_ host: TestHost, _ name: String = "a.txt") -> ItemKey {
        TestProviderKind.inPlace.key(host.store(.inPlace).add(name, "text"))
    }

    static func offer(
        _ access: AccessLevel = .readWrite, persists: Bool = false, isPersistable: Bool = true,
        expires: Double? = nil, companions: [String] = []
    ) throws -> GrantOffer {
        var offer = try GrantTerms.offer(
            access.rawValue, .open, persist: persists, expires: expires, companions: companions)
        offer.isPersistable = isPersistable
        return offer
    }

    // MARK: The client's own rights

    @Test("G7: a client sees its own rights with their terms, page by page")
    func listsOwn() async throws {
        try await TestHost.with { host in
            let session = host.session()
            for number in 0..<(GrantService.pageSize + 1) {
                try await host.grant(Self.document(host, "\(number).txt"), .read)
            }
            try await host.grant(Self.document(host, "other.txt"), to: viewer)
            let first = try await host.services.grants.granted(session, page: nil)
            #expect(first.items.count == GrantService.pageSize)
            #expect(first.items.first?.access == "read" && first.items.first?.isPersistent == true)
            let second = try await host.services.grants.granted(session, page: first.nextPage)
            #expect(second.items.count == 1 && second.nextPage == nil)
            for page in ["-1", "next"] {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await host.services.grants.granted(session, page: page)
                }
                #expect(failure?.code == .invalidArgument)
            }
        }
    }

    @Test("G7: an offered right can be made persistent; a right for the client's run time cannot")
    func takes() async throws {
        try await TestHost.with { host in
            let (lasting, short) = (Self.document(host), Self.document(host, "b.txt"))
            let session = host.session()
            try await host.services.grantStore.record(writer, lasting, Self.offer())
            try await host.services.grantStore.record(writer, short, Self.offer(isPersistable: false))
            try await host.services.grants.take(session, lasting)
            #expect(host.services.grantStore.grant(of: writer, to: lasting)?.isPersistent == true)
            let failure = await #expect(throws: Failure.self) { try await host.services.grants.take(session, short) }
            #expect(failure?.code == .notPermitted)
            #expect(failure?.message == "This right was granted only for as long as the client runs.")
            #expect(host.services.grantStore.grant(of: writer, to: short)?.isPersistent == false)
        }
    }

    @Test("G7: a client learns when its right to a document comes from a folder, and nothing about other documents")
    func explains() async throws {
        try await TestHost.with { host in
            let folder = TestProviderKind.inPlace.key(host.store(.inPlace).addFolder("F"))
            let inside = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.txt", in: folder.identifier))
            let outside = Self.document(host, "b.txt")
            try await host.services.grantStore.record(
                writer, folder, GrantOffer(access: .readWrite, origin: .open, isFolder: true))
            let session = host.session()
            let known = await #expect(throws: Failure.self) { try await host.services.grants.take(session, inside) }
            #expect(
                known?.message
                    == "The right to this document comes from a folder around it or from a document beside it.")
            let unknown = await #expect(throws: Failure.self) {
                try await host.services.grants.narrow(session, outside, to: nil)
            }
            #expect(unknown?.code == .notPermitted && unknown?.message.contains("lies in") == false)
        }
    }

    @Test("G7: a client can reduce or return its right, but not widen it; what needed more ends, content is kept")
    func narrows() async throws {
        try await TestHost.with { host in
            let key = Self.document(host)
            try await host.grant(key)
            let client = host.client()
            try await client.begin(key, "unsaved", operation: "save")
            try await host.services.grants.narrow(client.session, key, to: "read")
            #expect(host.services.grantStore.grant(of: writer, to: key)?.access == .read)
            #expect(try await client.state("save") == "failed")
            #expect(
                try await host.services.remote.kept.list(of: key, includingSuperseded: false).map(\.reason) == [
                    .recovered
                ])
            let failure = await #expect(throws: Failure.self) {
                try await host.services.grants.narrow(client.session, key, to: "readWrite")
            }
            #expect(failure?.message == "A client cannot widen its own right.")
            try await host.services.grants.narrow(client.session, key, to: nil)
            #expect(host.services.grantStore.grant(of: writer, to: key) == nil)
            let wrong = await #expect(throws: Failure.self) {
                try await host.services.grants.narrow(client.session, key, to: "own")
            }
            #expect(wrong?.code == .invalidArgument)
        }
    }

    // MARK: The user's administration

    @Test("I3: when a revocation returns, the right, the leases, the open writes and the claims have ended")
    func revokes() async throws {
        try await TestHost.with { host in
            let key = Self.document(host)
            try await host.grant(key)
            try await host.grant(key, to: viewer)
            let client = host.client()
            try await client.begin(key, "unsaved", operation: "save")
            let lease = try client.session.leases().lease(key)
            #expect(lease != nil)
            let claim = try await host.services.coordination.coordinate(
                client.session,
                .init(
                    accesses: [Wire.ClaimAccess(place: Wire.ItemPlace(reference: key.reference), writing: true)],
                    operation: "claim"), tell: { _ in })
            withExtendedLifetime(claim) {}
            let ended = try await host.services.grants.revoke(GrantFilter(principal: writer))
            #expect(ended.revoked == 1 && ended.openDescriptors == 1)
            #expect(client.session.existingLeases?.count == 0)
            #expect(host.services.coordination.ledger().claims.isEmpty)
            #expect(try await client.state("save") == "failed")
            #expect(try await host.services.remote.kept.list(of: key, includingSuperseded: false).count == 1)
            #expect(host.services.grantStore.grant(of: viewer, to: key) != nil, "the other client keeps its right")
            try await host.restarted { next async throws in
                #expect(next.services.grantStore.grant(of: writer, to: key) == nil, "it is durable")
            }
        }
    }

    @Test("G7: the user grants a client a right to the item at a path, as by a choice in the picker")
    func adds() async throws {
        try await TestHost.with { host in
            let key = Self.document(host)
            let added = try await host.services.grants.add(
                viewer, TestProviderKind.inPlace.place("/a.txt"), Self.offer(.read, persists: true))
            #expect(added.grant.item == key && added.item.name == "a.txt")
            let granted = try #require(host.services.grantStore.grant(of: viewer, to: key))
            #expect(granted.access == .read && granted.isPersistent && added.grant.name == "a.txt")
            // A second grant can only widen the first.
            let wider = try await host.services.grants.add(
                viewer, TestProviderKind.inPlace.place("/a.txt"), Self.offer(.readWrite))
            #expect(wider.grant.id == granted.id && wider.grant.access == .readWrite && wider.grant.isPersistent)
        }
    }

    @Test("G7: an impossible right is not granted")
    func addsNot() async throws {
        try await TestHost.with { host in
            _ = Self.document(host)
            host.store(.inPlace).addFolder("F")
            let place = TestProviderKind.inPlace.place("/a.txt")
            let nobody = Principal(kind: .run, identifier: "no body")
            let wrong: [(Principal, Wire.Location, GrantOffer, FailureCode)] = [
                (nobody, place, try Self.offer(), .invalidArgument),
                (viewer, TestProviderKind.inPlace.place("/b.txt"), try Self.offer(), .notFound),
                (viewer, Wire.Location(provider: "none", domain: "", path: "/"), try Self.offer(), .notFound),
                (viewer, Wire.Location(provider: place.provider, domain: "d", path: "/"), try Self.offer(), .notFound),
                (viewer, TestProviderKind.dropBox.place("/a.txt"), try Self.offer(), .notPermitted),
                (
                    viewer, TestProviderKind.inPlace.place("/F"), try Self.offer(companions: ["{stem}.srt"]),
                    .invalidArgument
                ),
            ]
            for (principal, location, offer, code) in wrong {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await host.services.grants.add(principal, location, offer)
                }
                #expect(failure?.code == code, "\(location.path): \(String(describing: failure))")
            }
            let left = try await host.services.grants.list(GrantFilter(), page: nil).grants
            #expect(left.isEmpty)
        }
    }

    @Test(
        "G7: patterns that match a folder, or lead out of it, are refused", arguments: ["*", "../*", "a/b", "?*", ""])
    func patterns(pattern: String) async throws {
        try await TestHost.with { host in
            _ = Self.document(host)
            let failure = await #expect(throws: Failure.self) {
                let offer = try GrantTerms.offer("read", .open, persist: nil, expires: nil, companions: [pattern])
                _ = try await host.services.grants.add(viewer, TestProviderKind.inPlace.place("/a.txt"), offer)
            }
            #expect(failure?.code == .invalidArgument)
            let left = try await host.services.grants.list(GrantFilter(), page: nil).grants
            #expect(left.isEmpty)
        }
    }

    @Test("G7: rights can be filtered by client, kind, provider, place and age")
    func filters() async throws {
        try await TestHost.with { host in
            let (a, b) = (Self.document(host), Self.document(host, "b.txt"))
            try await host.grant(a)
            try await host.grant(b, to: viewer)
            let grants = host.services.grants
            func found(
                client: String? = nil, kind: String? = nil, provider: String? = nil, location: Wire.Location? = nil,
                olderThan: Double? = nil
            ) async throws -> [String] {
                let filter = try await grants.filter(
                    client: client, kind: kind, provider: provider, location: location, olderThan: olderThan, id: nil)
                return try await grants.list(filter, page: nil).grants.map(\.identifier).sorted()
            }
            let all = [a.identifier, b.identifier].sorted()
            #expect(try await found(client: writer.identifier) == [a.identifier])
            #expect(try await found(kind: "run") == [b.identifier])
            #expect(try await found(provider: "InPlace") == all)
            #expect(try await found(provider: "org.example.Gone") == [])
            #expect(try await found(location: TestProviderKind.inPlace.place("/b.txt")) == [b.identifier])
            #expect(try await found(olderThan: 3600) == [])
            host.clock.advance(by: .seconds(3601))
            #expect(try await found(olderThan: 3600) == all)
            for (kind, age) in [("unknown", nil), (nil, -1.0)] {
                let failure = await #expect(throws: Failure.self) { _ = try await found(kind: kind, olderThan: age) }
                #expect(failure?.code == .invalidArgument)
            }
        }
    }
}
