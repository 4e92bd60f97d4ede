import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import HostCore
import HostServices
import HostTesting
import Rights
import Synchronization
import Testing

@testable import Access

/// Claims of clients: which wait for which, how they are answered, and how they end (SEMANTICS 2.3, 2.8).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct CoordinationServiceTests {
    static func document(_ host: TestHost, _ kind: TestProviderKind = .inPlace) async throws -> ItemKey {
        let key = kind.key(host.store(kind).add("a.txt", "old"))
        for principal in [writer, viewer] { try await host.grant(key, to: principal) }
        return key
    }

    /// Waits until a claim waits for its turn.
    static func waits(_ host: TestHost, _ operation: String) async throws {
        try await TransferSupport.eventually {
            host.services.coordination.ledger().claims.contains { $0.operation == operation && $0.state == "waiting" }
        }
    }

    @Test("2.3: a writer waits for a reader, and is granted when the reader has finished")
    func waitsForTurn() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let (reader, author) = (Claimant(host, viewer), Claimant(host))
            let reading = try await reader.claim(key, writing: false, operation: "read")
            #expect(reading.reply.state == "granted" && reading.reply.items?.first?.item?.name == "a.txt")
            let writing = Task { try await author.claim(key, writing: true, operation: "write") }
            try await Self.waits(host, "write")
            // Another reader comes after the writer and must not overtake it.
            let late = Task { try await reader.claim(key, writing: false, operation: "late") }
            try await Self.waits(host, "late")
            reading.release()
            let written = try await writing.value
            #expect(host.services.coordination.ledger().claims.map(\.operation).sorted() == ["late", "write"])
            written.release()
            try await late.value.release()
            #expect(!host.services.coordination.isBusy)
        }
    }

    @Test("2.3: readers do not wait for each other, and neither do claims with one purpose")
    func togetherAtOnce() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let (one, two) = (Claimant(host, viewer), Claimant(host))
            let first = try await one.claim(key, writing: false, operation: "a")
            let second = try await two.claim(key, writing: false, operation: "b")
            first.release()
            second.release()
            let held = try await one.claim(key, writing: true, operation: "c") { $0.purpose = "org.example.Sync" }
            let shared = try await two.claim(key, writing: true, operation: "d") { $0.purpose = "org.example.Sync" }
            held.release()
            shared.release()
        }
    }

    @Test(
        "2.3: a read claim waits for remote content and opens it",
        arguments: [TestProviderKind.inPlace, .remote])
    func opens(kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host, kind)
            let held = try await Claimant(host).claim(key, writing: false, operation: "read") { $0.open = true }
            #expect(try held.text() == "old")
            #expect(host.store(kind).calls(kind == .remote ? .fetch : .open).count == 1)
            held.release()
        }
    }

    @Test("2.3: a claim whose content cannot be fetched fails with the provider's reason, and is not held")
    func fetchFails() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host, .remote)
            host.store(.remote).fail(.fetch, .notPermitted, times: 9)
            let failure = await #expect(throws: Failure.self) {
                _ = try await Claimant(host).claim(key, writing: false, operation: "read")
            }
            #expect(failure?.message.contains("The test says so.") == true, "\(String(describing: failure))")
            #expect(!host.services.coordination.isBusy)
        }
    }

    @Test("G7: without a right nothing is claimed, and the provider is not asked for content")
    func withoutRight() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.txt", "old"))
            try await host.grant(key, .read)
            for (principal, writing) in [(viewer, false), (writer, true)] {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await Claimant(host, principal).claim(key, writing: writing, operation: "claim")
                }
                #expect(failure?.code == .notPermitted)
            }
            #expect(host.store(.inPlace).calls(.open).isEmpty && !host.services.coordination.isBusy)
        }
    }

    @Test(
        "G7: without a right in the account the provider is not asked for a name, and no refusal shows what exists",
        arguments: [TestProviderKind.inPlace, .remote])
    func namesWithoutRight(kind: TestProviderKind) async throws {
        try await TestHost.with { host in
            host.store(kind).add("a.txt", "old")
            try await Self.expectRefusals(host, kind)
            #expect(host.store(kind).calls().isEmpty && host.extensions.starts(of: kind.identifier) == 0)
            // With a right to another document the provider has to be asked what the name refers to.
            try await host.grant(kind.key(host.store(kind).add("c.txt")), to: viewer)
            try await Self.expectRefusals(host, kind)
        }
    }

    /// Expects the same refusal for a document, for a missing name, and for a missing folder.
    private static func expectRefusals(_ host: TestHost, _ kind: TestProviderKind) async throws {
        let places = [(kind.root, "a.txt"), (kind.root, "b.txt"), (kind.key("no folder"), "a.txt")]
        for writing in [false, true] {
            var told: Set<String> = []
            for (folder, name) in places {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await Claimant(host, viewer).claim(folder, writing: writing, operation: "claim") {
                        $0.accesses[0].place.name = name
                    }
                }
                #expect(failure?.code == .notPermitted)
                told.insert(failure?.message ?? "")
            }
            #expect(told.count == 1, "\(told)")
        }
    }

    @Test("Law 5: a claim that is not granted in time fails, and the error says what it waited for")
    func deadline() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let (reader, author) = (Claimant(host, viewer), Claimant(host))
            let reading = try await reader.claim(key, writing: false, operation: "read")
            let writing = Task { try await author.claim(key, writing: true, operation: "write") { $0.deadline = 60 } }
            try await Self.waits(host, "write")
            host.clock.advance(by: .seconds(59))
            #expect(!host.services.coordination.ledger().claims.filter { $0.operation == "write" }.isEmpty)
            host.clock.advance(by: .seconds(1))
            let failure = await #expect(throws: Failure.self) { _ = try await writing.value }
            #expect(failure?.code == .deadlineExceeded)
            #expect(
                failure?.message.contains("It waited for a claim of another client.") == true,
                "\(String(describing: failure))")
            #expect(host.services.coordination.ledger().claims.map(\.operation) == ["read"])
            reading.release()
        }
    }

    @Test("2.8: a waiting client learns after a quarter of a second what it waits for, and again only if that changes")
    func tells() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let (reader, author) = (Claimant(host, viewer), Claimant(host))
            let reading = try await reader.claim(key, writing: false, operation: "read")
            let told = Mutex<[DocumentsInterface.Coordinate.Reply]>([])
            let writing = Task {
                try await author.claim(
                    key, writing: true, operation: "write",
                    tell: { new in
                        told.withLock { $0.append(new) }
                    })
            }
            #expect(await host.clock.pass("CoordinationService+Coordinate") == .milliseconds(250))
            try await TransferSupport.eventually { told.withLock { !$0.isEmpty } }
            #expect(await host.clock.pass("CoordinationService+Coordinate") == .seconds(1))
            #expect(await host.clock.sleeper("CoordinationService+Coordinate") == .seconds(1))
            #expect(told.withLock { $0.map(\.state) } == ["waiting"])
            #expect(told.withLock { $0.first?.waitsFor } == ["a claim of another client"])
            reading.release()
            try await writing.value.release()
        }
    }

    @Test("2.8: a cancelled claim ends, and the claims behind it are granted")
    func cancelled() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let (reader, author) = (Claimant(host, viewer), Claimant(host))
            let reading = try await reader.claim(key, writing: false, operation: "read")
            let writing = Task { try await author.claim(key, writing: true, operation: "write") }
            try await Self.waits(host, "write")
            let late = Task { try await reader.claim(key, writing: false, operation: "late") }
            try await Self.waits(host, "late")
            writing.cancel()
            let failure = await #expect(throws: Failure.self) { _ = try await writing.value }
            #expect(failure?.code == .cancelled)
            try await late.value.release()
            reading.release()
        }
    }

    @Test("T2: the claims of a client that has disconnected end at once")
    func sessionEnds() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let (reader, author) = (Claimant(host, viewer), Claimant(host))
            _ = try await reader.claim(key, writing: false, operation: "read")
            let writing = Task { try await author.claim(key, writing: true, operation: "write") }
            try await Self.waits(host, "write")
            host.end(reader.session)
            try await writing.value.release()
            let failure = await #expect(throws: Failure.self) {
                _ = try await reader.claim(key, writing: false, operation: "again")
            }
            #expect(failure?.code == .cancelled)
        }
    }

    @Test("I3: a claim whose right is revoked is lost: it no longer blocks others, and cannot be used")
    func revoked() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let (author, other) = (Claimant(host), Claimant(host, viewer))
            _ = try await author.claim(key, writing: true, operation: "write")
            let reading = Task { try await other.claim(key, writing: false, operation: "read") }
            try await Self.waits(host, "read")
            #expect(try await host.services.grants.revoke(GrantFilter(principal: writer)).revoked == 1)
            try await reading.value.release()
            #expect(throws: Failure.self) {
                try host.services.coordination.requireHeld(author.session, claim: "write", writing: key)
            }
        }
    }

    @Test("H: a claim that is resumed is refused if the document has changed since")
    func knownVersion() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let author = Claimant(host)
            try await author.claim(key, writing: true, operation: "same") { $0.knownVersion = "v1" }.release()
            host.store(.inPlace).edit(key.identifier, "theirs")
            let failure = await #expect(throws: Failure.self) {
                _ = try await author.claim(key, writing: true, operation: "changed") { $0.knownVersion = "v1" }
            }
            #expect(failure?.code == .claimLost && !host.services.coordination.isBusy)
        }
    }

    @Test("H: invalid parameters are refused")
    func wrongParameters() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let author = Claimant(host)
            typealias Change = @Sendable (inout DocumentsInterface.Coordinate.Parameters) -> Void
            let changes: [(FailureCode, Change)] = [
                (.invalidArgument, { $0.accesses = [] }), (.invalidArgument, { $0.purpose = "" }),
                (.invalidArgument, { $0.operation = "" }), (.invalidArgument, { $0.open = true }),
                (.invalidArgument, { $0.accesses[0].options = ["forMoving", "forDeleting"] }),
                (.notFound, { $0.presenter = "nobody" }),
            ]
            for (code, change) in changes {
                let failure = await #expect(throws: Failure.self) {
                    _ = try await author.claim(key, writing: true, operation: "wrong", change)
                }
                #expect(failure?.code == code, "\(String(describing: failure))")
            }
            #expect(!host.services.coordination.isBusy)
        }
    }

    @Test("H: a claim covers only its item, and a write under it needs no second claim")
    func covers() async throws {
        try await TestHost.with { host in
            let key = try await Self.document(host)
            let other = TestProviderKind.inPlace.key(host.store(.inPlace).add("b.txt", "other"))
            try await host.grant(other)
            let author = Claimant(host)
            let held = try await author.claim(key, writing: true, operation: "write")
            let failure = #expect(throws: Failure.self) {
                try host.services.coordination.requireHeld(author.session, claim: "write", writing: other)
            }
            #expect(failure?.code == .invalidArgument)
            let record = try await host.services.coordination.withClaim(
                author.session, claim: "write", writing: key
            ) { _ in host.services.coordination.ledger().claims.map(\.operation) }
            #expect(record == ["write"], "there is no second claim")
            held.release()
        }
    }
}
