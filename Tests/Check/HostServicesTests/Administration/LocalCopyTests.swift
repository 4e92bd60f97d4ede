import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostCore
import HostTesting
import RemoteDocuments
import Rights
import Storage
import Testing

@testable import HostServices

/// Which local copies of remote documents stay and which are evicted (E7, O1, O2).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct LocalCopyTests {
    private static let provider = TestProviderKind.remote.identifier

    /// Adds the account, with these settings.
    private static func add(_ host: TestHost, _ settings: [String: String] = [:]) async throws {
        let domain = Wire.Domain(
            provider: provider, identifier: Account.name, displayName: Account.name, settings: settings)
        _ = try await host.services.domains.add(domain, credential: nil, isUnchecked: true)
    }

    private static func content(_ name: String) -> String { String(repeating: String(name.prefix(1)), count: 100) }

    /// Puts a document of 100 bytes on the service.
    private static func put(_ host: TestHost, _ name: String, in folder: String = ".root") -> ItemKey {
        Account.item(host.store(.remote).add(name, content(name), in: folder))
    }

    private static func place(_ path: String) -> Wire.Location {
        Wire.Location(provider: provider, domain: Account.name, path: path)
    }

    private static func read(_ host: TestHost, _ key: ItemKey) async throws -> String {
        try await host.services.remote.reading.reader.content(key).1.text
    }

    private static func files(_ host: TestHost, _ name: String) -> Int {
        host.files(in: "Copies").count { $0.hasSuffix("/" + name) }
    }

    private static func placeholders(_ host: TestHost, _ name: String) -> Int {
        files(host, ".\(name).docent-placeholder")
    }

    private static func isHere(_ host: TestHost, _ key: ItemKey) async throws -> Bool {
        let item = try await host.services.gateway.item(key)
        #expect((files(host, item.name) == 0) == !item.isDownloaded)
        return item.isDownloaded
    }

    private static func bytes(_ host: TestHost) async throws -> Int? {
        try await host.services.domains.domain(Account.key).localBytes
    }

    private static func fetches(_ host: TestHost, of key: ItemKey) -> Int {
        host.store(.remote).calls(.fetch).count { $0.subject == key.identifier }
    }

    private static func refuses(
        _ code: FailureCode, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async -> Failure? {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await body() }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
        return failure
    }

    @Test("E7: pin fetches and keeps a copy, evict is refused meanwhile; unpin releases it and leaves a placeholder")
    func pin() async throws {
        try await TestHost.with { host in
            try await Self.add(host)
            let folder = host.store(.remote).addFolder("folder")
            let (a, b) = (Self.put(host, "a", in: folder), Self.put(host, "b", in: folder))
            let c = Self.put(host, "c")
            let administrator = host.services.remoteAdministrator
            #expect(try await administrator.pin(location: Self.place("/folder"), pinned: true) == 2)
            try await TransferSupport.eventually {
                let items = try await [host.services.gateway.item(a), host.services.gateway.item(b)]
                return items.allSatisfy { $0.isPinned == true && $0.isDownloaded }
            }
            #expect(try await !Self.isHere(host, c))
            let refused = await Self.refuses(.conflict) {
                _ = try await administrator.evict(location: Self.place("/folder/a"))
            }
            #expect(refused?.suggestion?.contains("docent unpin") == true, "\(String(describing: refused))")
            #expect(try await administrator.evict(location: Self.place("/")).items == 0)

            try await host.restarted { next async throws in
                let administrator = next.services.remoteAdministrator
                #expect(try await next.services.gateway.item(a).isPinned == true)
                _ = try await administrator.pin(location: Self.place("/folder/a"), pinned: false)
                #expect(try await Self.isHere(next, a))
                let removed = try await administrator.evict(location: Self.place("/"))
                #expect(removed.items == 1 && removed.bytes == 100)
                #expect(try await !Self.isHere(next, a))
                #expect(try await Self.isHere(next, b))
                #expect(Self.placeholders(next, "a") == 1)
                #expect(try await Self.bytes(next) == 100)
            }
        }
    }

    @Test("O1: the least recently used copy is evicted for the quota, and leaves a placeholder")
    func quota() async throws {
        try await TestHost.with { host in
            try await Self.add(host, ["quotaBytes": "250"])
            let (a, b, c) = (Self.put(host, "a"), Self.put(host, "b"), Self.put(host, "c"))
            let large = Account.item(host.store(.remote).add("large", String(repeating: "l", count: 300)))
            for (key, name) in [(a, "a"), (b, "b"), (a, "a"), (c, "c")] {
                #expect(try await Self.read(host, key) == Self.content(name))
                // The times of use are recorded in whole milliseconds.
                let end = ContinuousClock.now + .milliseconds(2)
                try await TransferSupport.eventually { ContinuousClock.now > end }
            }
            #expect(try await Self.isHere(host, a))
            #expect(try await !Self.isHere(host, b))
            #expect(try await Self.isHere(host, c))
            #expect(Self.placeholders(host, "b") == 1)
            #expect(try await Self.bytes(host) == 200)
            // A document that can never fit evicts no other.
            let refused = await Self.refuses(.noSpace) { _ = try await Self.read(host, large) }
            #expect(refused?.suggestion?.contains("quotaBytes") == true, "\(String(describing: refused))")
            #expect(Self.fetches(host, of: large) == 0)
            #expect(try await Self.isHere(host, a))
            #expect(try await Self.isHere(host, c))
            _ = try await host.services.domains.change(
                Account.name, of: Self.provider, displayName: nil, settings: ["quotaBytes": ""], credential: nil)
            #expect(try await Self.read(host, large).utf8.count == 300)
            #expect(try await Self.isHere(host, a))
            #expect(try await Self.isHere(host, c))
        }
    }

    @Test("O2, law 6: an open, pinned or unsent document is never evicted, neither for the quota nor by evict")
    func neverGivesWay() async throws {
        try await TestHost.with { host in
            try await Self.add(host, ["quotaBytes": "350"])
            let (open, pinned) = (Self.put(host, "open"), Self.put(host, "pinned"))
            let (unsent, other) = (Self.put(host, "unsent"), Self.put(host, "other"))
            let administrator = host.services.remoteAdministrator
            let session = host.session()
            try await host.grant(open)
            _ = try await host.services.documents.open(session, open, lease: false)
            _ = try await administrator.pin(location: Self.place("/pinned"), pinned: true)
            try await TransferSupport.eventually { try await host.services.gateway.item(pinned).isDownloaded }
            let gate = host.store(.remote).hold(.modify)
            try await host.grant(unsent)
            let client = host.client()
            try await client.begin(unsent, Self.content("mine"), operation: "save")
            try await client.commit("save")
            await gate.reached()

            _ = await Self.refuses(.noSpace) { _ = try await Self.read(host, other) }
            #expect(Self.fetches(host, of: other) == 0)
            for (name, key, reason) in [
                ("open", open, "a program has it open."), ("pinned", pinned, "it is pinned."),
                ("unsent", unsent, "it has changes that have not been uploaded."),
            ] {
                let refused = await Self.refuses(.conflict) {
                    _ = try await administrator.evict(location: Self.place("/" + name))
                }
                #expect(refused?.message.hasSuffix(reason) == true, "\(String(describing: refused))")
                #expect(try await Self.isHere(host, key))
            }
            #expect(try await administrator.evict(location: Self.place("/")).items == 0)

            host.services.documents.stopAccessing(session, open, started: false)
            #expect(try await Self.read(host, other) == Self.content("other"))
            #expect(try await !Self.isHere(host, open))
            #expect(try await Self.isHere(host, pinned))
            #expect(try await Self.isHere(host, unsent))
            gate.open()
            let left = try await host.clock.letting(["TransferService"]) {
                try await host.services.transfers.drain(timeout: nil)
            }
            #expect(left.pending == 0 && left.failed == 0)
            #expect(host.store(.remote).text(unsent.identifier) == Self.content("mine"))
            #expect(try await administrator.evict(location: Self.place("/unsent")).items == 1)
        }
    }

    @Test("with less free disk space than required, nothing is fetched and nothing is damaged")
    func minimumFree() async throws {
        let environment = ["DOCENT_MINIMUM_FREE_BYTES": "\(Int64.max / 2)"]
        try await TestHost.with(environment: environment) { host in
            try await Self.add(host)
            let key = Self.put(host, "a")
            let refused = await Self.refuses(.noSpace) { _ = try await Self.read(host, key) }
            #expect(refused?.message.contains("must stay free") == true, "\(String(describing: refused))")
            #expect(host.store(.remote).calls(.fetch).isEmpty && host.files(in: "Downloads").isEmpty)
            #expect(try await host.services.gateway.item(key).size == 100)
            try await host.restarted(environment: [:]) { next async throws in
                #expect(try await Self.read(next, key) == Self.content("a"))
            }
        }
    }
}
