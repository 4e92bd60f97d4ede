import DaemonCore
import DocentInterfaces
import DocentTestSupport
import ExtensionHosting
import FileProvider
import HostCore
import HostServices
import HostTesting
import Records
import Rights
import Saving
import Storage
import Testing
import Transfers

@testable import RemoteDocuments

/// Reading remote documents: when they are fetched, what is served while they cannot be, and when they are gone.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct RemoteReaderTests {
    /// Every read asks the provider for the present version.
    private static let asking = ["DOCENT_FRESH_SECONDS": "0"]
    /// No read asks again about a document that was described once.
    private static let trusting = ["DOCENT_FRESH_SECONDS": "86400"]

    private static func document(_ host: TestHost, _ text: String = "text") async throws -> ItemKey {
        let key = TestProviderKind.remote.key(host.store(.remote).add("a.txt", text))
        try await host.grant(key)
        return key
    }

    private static func read(_ host: TestHost, _ key: ItemKey) async throws -> String {
        try await host.services.remote.reading.reader.content(key).1.text
    }

    private static func refuses(
        _ host: TestHost, _ key: ItemKey, _ code: FailureCode, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) {
            _ = try await Self.read(host, key)
        }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
    }

    @Test("N: a document is fetched once, and then read from the local copy", arguments: [asking, trusting])
    func fetchesOnce(environment: [String: String]) async throws {
        try await TestHost.with(environment: environment) { host in
            let key = try await Self.document(host)
            for _ in 0..<3 { #expect(try await Self.read(host, key) == "text") }
            #expect(host.store(.remote).calls(.fetch).count == 1)
            #expect(host.store(.remote).calls(.item).count == (environment == Self.asking ? 3 : 1))
        }
    }

    @Test("N: a document that was changed elsewhere is fetched again; open descriptors keep the old content")
    func fetchesAgain() async throws {
        try await TestHost.with(environment: Self.asking) { host in
            let key = try await Self.document(host)
            let before = try await host.services.remote.reading.reader.content(key).1
            host.store(.remote).edit(key.identifier, "changed")
            #expect(try await Self.read(host, key) == "changed")
            #expect(before.text == "text" && host.store(.remote).calls(.fetch).count == 2)
        }
    }

    @Test("Law 6: an unsent save is what is read, whatever the provider has, also after a refresh")
    func readsOwnSave() async throws {
        try await TestHost.with(environment: Self.asking) { host in
            let key = try await Self.document(host)
            let gate = host.store(.remote).hold(.modify)
            let client = host.client()
            try await client.begin(key, "saved", operation: "save")
            try await client.commit("save")
            await gate.reached()
            host.store(.remote).edit(key.identifier, "theirs")
            _ = try await host.services.remoteAdministrator.refresh(
                location: TestProviderKind.remote.place("/"), accept: false)
            #expect(try await Self.read(host, key) == "saved")
            #expect(try await host.services.gateway.item(key).size == 5)
            #expect(host.store(.remote).calls(.fetch).isEmpty)
            gate.open()
            try await TransferSupport.eventually { host.services.remote.states.state(of: key) == nil }
            #expect(try await Self.read(host, key) == "theirs")
        }
    }

    @Test(
        "Law 6: while the provider is unreachable the local copy is served; without one the read fails with the reason")
    func offline() async throws {
        try await TestHost.with(environment: Self.asking) { host in
            let key = try await Self.document(host)
            let other = TestProviderKind.remote.key(host.store(.remote).add("b.txt", "other"))
            #expect(try await Self.read(host, key) == "text")
            host.store(.remote).edit(key.identifier, "changed")
            for method in [ProviderCall.Method.item, .children, .fetch] {
                host.store(.remote).fail(method, .serverUnreachable, times: 1000)
            }
            #expect(try await Self.read(host, key) == "text")
            await Self.refuses(host, other, .unavailable)
            host.store(.remote).clearRules()
            host.services.remote.monitor.probeNow()
            #expect(try await Self.read(host, key) == "changed")
            #expect(try await Self.read(host, other) == "other")
        }
    }

    @Test("N: a document that was deleted elsewhere is not found, even with a local copy")
    func gone() async throws {
        try await TestHost.with(environment: Self.asking) { host in
            let key = try await Self.document(host)
            #expect(try await Self.read(host, key) == "text")
            host.store(.remote).remove(key.identifier)
            await Self.refuses(host, key, .notFound)
            await Self.refuses(host, TestProviderKind.remote.key("never"), .notFound)
        }
    }

    @Test("N: a folder has no content")
    func folder() async throws {
        try await TestHost.with { host in
            let folder = TestProviderKind.remote.key(host.store(.remote).addFolder("F"))
            await Self.refuses(host, folder, .invalidArgument)
            #expect(host.store(.remote).calls(.fetch).isEmpty)
        }
    }

    @Test(
        "N: a permanent refusal is reported at once, and nothing is kept",
        arguments: [
            (FileProviderError.Code.notPermitted, FailureCode.notPermitted), (.notSupported, .notSupported),
            (.failed, .providerFailed), (.noSuchItem, .notFound),
        ])
    func refused(code: FileProviderError.Code, answer: FailureCode) async throws {
        try await TestHost.with(environment: Self.trusting) { host in
            let key = try await Self.document(host)
            host.store(.remote).fail(.fetch, code)
            await Self.refuses(host, key, answer)
            #expect(host.store(.remote).calls(.fetch).count == 1 && host.files(in: "Downloads").isEmpty)
        }
    }

    @Test("N9: a failure that may pass is retried a few times while the reader waits")
    func retries() async throws {
        try await TestHost.with(environment: Self.trusting) { host in
            let key = try await Self.document(host)
            host.store(.remote).fail(.fetch, .busy, times: 2)
            let began = host.clock.now
            #expect(try await host.clock.letting(["TransferQueue"]) { try await Self.read(host, key) } == "text")
            #expect(host.store(.remote).calls(.fetch).count == 3)
            #expect((1.2...1.4).contains((host.clock.now - began) / .seconds(1)), "0.3 and 1 second")
            host.store(.remote).edit(key.identifier, "changed")
            _ = try await host.services.remote.reading.catalog.current(key, forced: true)
            host.store(.remote).fail(.fetch, .busy, times: 100)
            let again = try await host.clock.letting(["TransferQueue"]) { try await Self.read(host, key) }
            #expect(again == "text", "the local copy, after the last attempt")
        }
    }

    @Test("N: readers of one document share its download; cancelling one does not affect the others")
    func shares() async throws {
        try await TestHost.with(environment: Self.trusting) { host in
            let key = try await Self.document(host)
            let gate = host.store(.remote).hold(.fetch)
            let first = Task { try await Self.read(host, key) }
            await gate.reached()
            let joined = CallGate()
            let second = Task {
                try await host.services.remote.reading.reader.content(key, follow: { _ in joined.note() }).1.text
            }
            await joined.reached()
            first.cancel()
            await #expect(throws: (any Error).self) { _ = try await first.value }
            gate.open()
            #expect(try await second.value == "text")
            #expect(host.store(.remote).calls(.fetch).count == 1)
        }
    }

    @Test("N: a download without any waiting reader is stopped")
    func stops() async throws {
        try await TestHost.with(environment: Self.trusting) { host in
            let key = try await Self.document(host)
            let gate = host.store(.remote).hold(.fetch)
            let reading = Task { try await Self.read(host, key) }
            await gate.reached()
            reading.cancel()
            await #expect(throws: (any Error).self) { _ = try await reading.value }
            try await TransferSupport.eventually { await host.services.remote.queue.count == 0 }
            gate.open()
            #expect(try await Self.read(host, key) == "text")
        }
    }

    @Test("Law 3: a provider that dies during a download is restarted, and the reader gets its content")
    func providerDies() async throws {
        try await TestHost.with(environment: Self.trusting) { host in
            let key = try await Self.document(host)
            let gate = host.store(.remote).hold(.fetch)
            let reading = Task { try await Self.read(host, key) }
            await gate.reached()
            host.kill(.remote)
            let text = try await host.clock.letting(["TransferQueue", "ExtensionSupervisor"]) {
                try await reading.value
            }
            #expect(text == "text" && host.store(.remote).calls(.fetch).count == 2)
            #expect(host.extensions.starts(of: TestProviderKind.remote.identifier) == 2)
        }
    }

    @Test("Law 5: a provider that delivers nothing until its deadline is not waited for any longer")
    func providerHangs() async throws {
        try await TestHost.with(
            environment: Self.trusting.merging(["DOCENT_PROVIDER_DEADLINE_SECONDS": "30"]) { $1 }
        ) { host in
            let key = try await Self.document(host)
            let gate = host.store(.remote).hold(.fetch)
            let reading = Task { try await Self.read(host, key) }
            await gate.reached()
            try await TransferSupport.eventually { host.clock.sleepers.contains { $0.caller == "ProgressWatch" } }
            host.clock.advance(by: .seconds(30))
            let failure = await #expect(throws: Failure.self) { _ = try await reading.value }
            // The transfer and the call have the same deadline; either may notice first.
            #expect(failure?.message.contains("30.0 seconds") == true, "\(String(describing: failure))")
            #expect(try await Self.read(host, key) == "text", "the next reader tries again")
        }
    }

    @Test("N: a document that changes during its fetch is served in the version that was delivered")
    func changesMeanwhile() async throws {
        try await TestHost.with(environment: Self.trusting) { host in
            let key = try await Self.document(host)
            host.store(.remote).before(.fetch) { _ in host.store(.remote).edit(key.identifier, "changed") }
            #expect(try await Self.read(host, key) == "changed")
            #expect(try await host.services.remote.index.item(key)?.description.version == "v2")
        }
    }

    @Test("HAZARDS 5: in the moment in which a conflict is recorded, readers get what the provider has")
    func conflict() async throws {
        try await TestHost.with(environment: Self.trusting) { host in
            let key = try await Self.document(host)
            let states = host.services.remote.states
            let reading = try await host.services.remote.parts.locks.withLock(on: key) {
                // The content saved here is given up already, the state is not.
                states.set(.uploading, of: key)
                let reading = Task { try await Self.read(host, key) }
                try await Task.sleep(for: .milliseconds(300))
                states.set(nil, of: key)
                return reading
            }
            #expect(try await reading.value == "text")
        }
    }

    @Test("O7: the content of a signed-out account is not served, even if the local copy still exists")
    func signedOut() async throws {
        try await TestHost.with(environment: Self.trusting) { host in
            let key = try await Self.document(host)
            #expect(try await Self.read(host, key) == "text")
            host.services.remote.monitor.closed.close(DomainKey(key), .signedOut)
            let failure = await #expect(throws: Failure.self) { _ = try await Self.read(host, key) }
            #expect(failure?.code == .notAuthenticated, "\(String(describing: failure))")
        }
    }
}
