import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import HostCore
import HostTesting
import Records
import RemoteDocuments
import Rights
import Storage
import Testing

@testable import HostServices

/// An account whose password becomes wrong, whose settings change, or that is removed.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct DomainChangeTests {
    private static let password = "hush-inproces"
    private static let wrong = "hush-inproce4"
    private static let asking = ["DOCENT_FRESH_SECONDS": "0"]

    private static func path(_ host: TestHost) -> String { host.root + "/password" }

    private static func write(_ password: String, to path: String) throws {
        try Data((password + "\n").utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private static func credential(_ path: String) -> Wire.Credential {
        Wire.Credential(kind: "password", source: "file", username: "ada", path: path)
    }

    /// Adds the account, which signs in.
    private static func add(_ host: TestHost) async throws {
        let domain = Wire.Domain(
            provider: Account.key.provider, identifier: Account.name, displayName: Account.name,
            settings: ["url": "https://example.org/"])
        _ = try await host.services.domains.add(domain, credential: credential(path(host)), isUnchecked: false)
    }

    private static func names(_ host: TestHost) async throws -> [String] {
        try await host.services.gateway.children(of: Account.item(".root"), page: nil).items.map(\.name)
    }

    private static func drain(_ host: TestHost, timeout: Double? = nil) async throws -> TransferService.Remainder {
        try await host.clock.letting(["TransferService"]) {
            try await host.services.transfers.drain(timeout: timeout)
        }
    }

    private static func refuses(
        _ code: FailureCode, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await body() }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
    }

    @Test("with a password that became wrong, local work continues and changes wait; once corrected they are sent")
    func corrected() async throws {
        try await TestHost.with(environment: Self.asking) { host in
            _ = Account(host)
            let store = host.store(.remote)
            let here = Account.item(store.add("here.txt", "here"))
            let there = Account.item(store.add("there.txt", "there"))
            try Self.write(Self.password, to: Self.path(host))
            try await Self.add(host)
            try await host.grant(here)
            #expect(try await Self.names(host) == ["here.txt", "there.txt"])
            #expect(try await host.client().read(here) == "here")
            try Self.write(Self.wrong, to: Self.path(host))

            try await host.restarted { next async throws in
                let client = next.client()
                await Self.refuses(.notAuthenticated) { _ = try await client.read(there) }
                #expect(try await client.read(here) == "here")
                try await next.client().save(here, "mine")
                #expect(try await client.read(here) == "mine")
                let shown = try await next.services.domains.domain(Account.key)
                #expect(shown.state == "notAuthenticated" && shown.pendingChanges == 1, "\(shown)")
                let began = next.clock.now
                let waiting = try await Self.drain(next, timeout: 600)
                #expect(waiting.pending == 1 && waiting.failed == 0)
                #expect(next.clock.now - began < .seconds(600), "only the user could make progress")
                // It runs for a moment whenever the account is asked again.
                try await TransferSupport.eventually {
                    try await next.services.transfers.transfers(provider: nil).map(\.state) == ["paused"]
                }
                #expect(store.text(here.identifier) == "here")

                try Self.write(Self.password, to: Self.path(next))
                // The next reader signs in with the new password at once, and waiting changes are sent.
                #expect(try await client.read(there) == "there")
                try await next.clock.letting(["TransferQueue"]) {
                    try await TransferSupport.eventually { store.text(here.identifier) == "mine" }
                }
                let left = try await Self.drain(next)
                #expect(left.pending == 0 && left.failed == 0)
                #expect(try await next.services.domains.domain(Account.key).state == "ready")
            }
        }
    }

    @Test("after a refused password readers and uploads together send only a handful of requests")
    func noStorm() async throws {
        try await TestHost.with(environment: Self.asking) { host in
            let account = Account(host)
            let store = host.store(.remote)
            try await account.login()
            let keys = (0..<20).map { Account.item(store.add("\($0).txt", "old")) }
            for key in keys {
                try await host.grant(key)
                #expect(try await host.client().read(key) == "old")
            }
            store.addAccount("ada", password: "hush-inproce2")
            for method in [ProviderCall.Method.item, .child, .children, .fetch, .modify] {
                store.fail(method, .notAuthenticated, times: 1000)
            }
            let before = store.calls().count
            for (number, key) in keys.enumerated() {
                try await host.client().save(key, "mine", operation: "save-\(number)")
            }
            try await TransferSupport.eventually {
                try await host.services.domains.domain(Account.key).state == "notAuthenticated"
            }
            // Twelve seconds of constant readers.
            for _ in 0..<40 {
                await Self.refuses(.notAuthenticated) { _ = try await Self.names(host) }
                host.clock.advance(by: .milliseconds(300))
                // The uploads have had their turn.
                await host.clock.sleeper("TransferQueue")
            }
            // Some calls begin at once; then one probe after 2, 4 and 8 seconds, each with a new sign-in.
            let refused = store.calls().dropFirst(before)
            #expect(refused.count <= 20, "\(refused.count) requests were refused: \(refused)")
            store.clearRules()
            try await account.login("ada", "hush-inproce2")
            let left = try await host.clock.letting(["TransferQueue"]) { try await Self.drain(host) }
            #expect(left.pending == 0 && left.failed == 0)
            #expect(keys.allSatisfy { store.text($0.identifier) == "mine" })
        }
    }

    @Test("a domain's name can be changed; with a wrong password nothing is changed")
    func set() async throws {
        try await TestHost.with(environment: Self.asking) { host in
            let account = Account(host)
            let store = host.store(.remote)
            store.add("a.txt", "above")
            let key = Account.item(store.add("a.txt", "below", in: store.addFolder("folder")))
            try Self.write(Self.password, to: Self.path(host))
            try await Self.add(host)
            #expect(try await host.client().read(key) == "below")
            let domains = host.services.domains
            let named = try await domains.change(
                Account.name, of: Account.key.provider, displayName: "My work", settings: nil, credential: nil)
            #expect(named.displayName == "My work")
            let wrong = host.root + "/wrong"
            try Self.write(Self.wrong, to: wrong)
            await Self.refuses(.notAuthenticated) {
                _ = try await domains.change(
                    Account.name, of: Account.key.provider, displayName: nil, settings: nil,
                    credential: Self.credential(wrong))
            }
            let shown = try await domains.domain(Account.key)
            #expect(shown.credential == "file " + Self.path(host) && shown.displayName == "My work")
            #expect(try await account.record()?.credential?.path == Self.path(host))
            let place = Wire.Location(provider: Account.key.provider, domain: Account.name, path: "/folder/a.txt")
            #expect(try await host.services.remoteAdministrator.evict(location: place).items == 1)
            #expect(try await host.client().read(key) == "below")
            #expect(store.calls(.fetch).count == 2)
        }
    }

    @Test("law 6: a domain with unsent changes is removed only with --force, and they are kept as versions")
    func remove() async throws {
        try await TestHost.with(environment: Self.asking) { host in
            let account = Account(host)
            let store = host.store(.remote)
            let key = Account.item(store.add("a.txt", "old"))
            let root = Account.item(".root")
            try Self.write(Self.password, to: Self.path(host))
            try await Self.add(host)
            for item in [key, root] { try await host.grant(item) }
            let client = host.client()
            #expect(try await client.read(key) == "old")
            let (modify, create) = (store.hold(.modify), store.hold(.create))
            try await host.client().save(key, "mine")
            try await client.begin(new: "new.txt", in: root, "new", operation: "make")
            try await client.commit("make")
            await modify.reached()
            await create.reached()
            let domains = host.services.domains
            await Self.refuses(.conflict) {
                _ = try await domains.remove(
                    Account.name, of: Account.key.provider, isForced: false, leavesSecret: false)
            }
            #expect(try await client.read(key) == "mine")
            _ = try await domains.remove(Account.name, of: Account.key.provider, isForced: true, leavesSecret: false)
            #expect(try await account.record() == nil)
            let versions = try await host.services.remote.kept.list(includingSuperseded: false).sorted {
                $0.name < $1.name
            }
            #expect(versions.map(\.name) == ["a.txt", "new.txt"])
            #expect(versions.map(\.reason) == [.unsent, .unsent])
            for (version, text) in zip(versions, ["mine", "new"]) {
                let opened = try await host.services.remoteAdministrator.openVersion(version.id)
                #expect(opened.file.text == text)
            }
            let copies = host.files(in: "Copies")
            #expect(!copies.contains { $0.hasSuffix("/a.txt") || $0.hasSuffix("/new.txt") }, "\(copies)")
            #expect(try await host.services.transfers.transfers(provider: nil).isEmpty)
            #expect(try await host.services.journal.unsent(provider: nil, domain: nil).isEmpty)
            #expect(store.contents() == ["a.txt": "old"])
            // A new domain with the same name has no data of the old one.
            try await Self.add(host)
            #expect(try await client.read(key) == "old")
            #expect(try await Self.names(host) == ["a.txt"])
            let left = try await Self.drain(host)
            #expect(left.pending == 0 && left.failed == 0)
            #expect(store.contents() == ["a.txt": "old"])
        }
    }
}
