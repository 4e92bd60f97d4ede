import DaemonCore
import DocentInterfaces
import DocentTestSupport
import ExtensionHosting
import FileProvider
import HostCore
import HostTesting
import Records
import RemoteDocuments
import Rights
import Saving
import Storage
import Synchronization
import Testing
import Transfers

@testable import HostServices

/// Signing out: waiting changes are sent or kept, nothing of the account stays readable, and an interrupted logout is
/// resumed (O7).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct LogoutServiceTests {
    private static func refuses(
        _ code: FailureCode, _ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await body() }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
    }

    private static func make(
        _ host: TestHost, _ name: String, in folder: ItemKey, _ text: String, operation: String
    ) async throws {
        let client = host.client()
        try await client.begin(new: name, in: folder, text, operation: operation)
        try await client.commit(operation)
    }

    @Test("O7: a logout removes the account's content and credential from this machine; the rights stay")
    func logsOut() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let key = try await account.document()
            #expect(try await host.client().read(key) == "old")
            #expect(host.files(in: "Copies").count == 1)
            let outcome = try await account.logout()
            #expect(outcome.kept.isEmpty && outcome.discarded == 0 && outcome.left == nil)
            #expect(!account.isOpen && host.files(in: "Copies").isEmpty)
            let record = try #require(try await account.record())
            #expect(record.signOut == .signedOut && record.credential == nil)
            await Self.refuses(.notAuthenticated) { _ = try await host.client().read(key) }
            #expect(try await host.services.remote.index.item(key) == nil)
            #expect(host.services.grantStore.grant(of: writer, to: key) != nil)
            #expect(!host.store(.remote).calls(.signOut).isEmpty, "the provider forgets the secret")
        }
    }

    @Test("O7: a logout takes its steps in an order that stays safe if it is killed at any of them")
    func order() async throws {
        let steps = Mutex<[SignInCheckpoint]>([])
        try await TestHost.with(signInCrash: { step in
            if step.isOfLogout { steps.withLock { $0.append(step) } }
        }) { host async throws in
            let account = Account(host)
            _ = try await account.document()
            try await account.logout()
            #expect(steps.withLock { $0 } == SignInCheckpoint.allCases.filter(\.isOfLogout))
        }
    }

    @Test("O7: waiting changes are sent first, as far as possible")
    func sends() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let key = try await account.document()
            host.store(.remote).fail(.modify, .busy)
            try await host.client().save(key, "new")
            await host.clock.sleeper("TransferQueue", within: .seconds(10))
            let told = Mutex<[String]>([])
            let gate = host.store(.remote).hold(.modify)
            let logout = Task {
                try await account.logout { stage, left in
                    told.withLock { $0.append(left.map { "\(stage) \($0)" } ?? stage) }
                }
            }
            // The logout starts the upload at once, and polls until it is done.
            try await TransferSupport.eventually { told.withLock { !$0.isEmpty } }
            gate.open()
            try await TransferSupport.eventually {
                try await host.services.journal.unsent(provider: key.provider, domain: key.domain).isEmpty
            }
            let outcome = try await host.clock.letting(["LogoutService"]) { try await logout.value }
            #expect(host.store(.remote).text(key.identifier) == "new")
            #expect(outcome.kept.isEmpty)
            #expect(try await host.services.remote.kept.list(includingSuperseded: false).isEmpty)
            #expect(told.withLock { $0 } == ["uploading 1", "keeping", "deletingCredential", "removingCopies"])
        }
    }

    @Test("O7, law 6: changes not sent in time are kept as versions and named, or dropped if the user says so")
    func timeIsOver() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let key = try await account.document()
            let root = Account.item(".root")
            try await host.grant(root)
            let store = host.store(.remote)
            for discards in [false, true] {
                try await account.login()
                #expect(try await host.client().read(key) == "old")
                let (modify, create) = (store.hold(.modify), store.hold(.create))
                try await host.client().save(key, "unsent", operation: "save-\(discards)")
                try await Self.make(host, "new.txt", in: root, "new", operation: "make-\(discards)")
                await modify.reached()
                await create.reached()
                let logout = Task { try await account.logout(discards: discards, timeout: 30) }
                await host.clock.sleeper("LogoutService")
                host.clock.advance(by: .seconds(30))
                let outcome = try await logout.value
                #expect(outcome.kept.map(\.name).sorted() == (discards ? [] : ["a.txt", "new.txt"]))
                #expect(outcome.discarded == (discards ? 2 : 0))
                let versions = try await host.services.remote.kept.list(includingSuperseded: false).sorted {
                    $0.name < $1.name
                }
                #expect(versions.map(\.name) == ["a.txt", "new.txt"], "the second logout changes nothing of the first")
                for (version, text) in zip(versions, ["unsent", "new"]) {
                    let opened = try await host.services.remoteAdministrator.openVersion(version.id)
                    #expect(opened.file.text == text)
                }
                #expect(store.contents() == ["a.txt": "old"])
                #expect(host.files(in: "Uploads").isEmpty && host.files(in: "Copies").isEmpty)
                #expect(try await host.services.journal.unsent(provider: key.provider, domain: key.domain).isEmpty)
            }
            try await account.login()
            let (items, _) = try await host.services.gateway.children(of: root, page: nil)
            #expect(items.map(\.name) == ["a.txt"])
            #expect(try await host.client().read(key) == "old")
        }
    }

    @Test("O7: a logout waits only a moment for an account that is not signed in")
    func notSignedIn() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let key = try await account.document()
            _ = try await host.client().read(key)
            host.store(.remote).addAccount("ada", password: "hush-inproce2")
            host.store(.remote).fail(.modify, .notAuthenticated, times: 100)
            try await host.client().save(key, "unsent")
            try await TransferSupport.eventually {
                host.services.remote.monitor.state(key.provider, key.domain).waitsForSomebody
            }
            let began = host.clock.now
            let outcome = try await host.clock.letting(["LogoutService"]) { try await account.logout(timeout: 600) }
            #expect(host.clock.now - began < .seconds(60))
            #expect(outcome.kept.count == 1)
        }
    }

    @Test("O7, W0: a client's open writes end with the account, and their content is kept")
    func openWrites() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let key = try await account.document()
            let client = host.client()
            try await client.begin(key, "half", operation: "save")
            let outcome = try await account.logout()
            #expect(outcome.kept.map(\.reason) == ["recovered"])
            #expect(try await client.state("save") == "failed")
            await Self.refuses(.notAuthenticated) { try await client.begin(key, "more", operation: "again") }
        }
    }

    @Test("O7: a logout is refused for a missing provider or account, and for a provider without sign-in")
    func refused() async throws {
        try await TestHost.with { host async throws in
            let logouts = host.services.logouts
            for (name, domain, code) in [
                ("None", "", FailureCode.notFound), (TestProviderKind.remote.identifier, "none", .notFound),
                (TestProviderKind.inPlace.identifier, "", .notSupported),
            ] {
                await Self.refuses(code) {
                    _ = try await logouts.logout(name, domain, discards: false, timeout: nil) { _, _ in }
                }
            }
        }
    }

    @Test("O3: a logout is refused while a login to the account runs")
    func duringLogin() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let key = try await account.document()
            let gate = host.store(.remote).hold(.signIn)
            let login = Task { try await account.login("bob", attempt: "second") }
            await gate.reached()
            await Self.refuses(.conflict) { try await account.logout() }
            #expect(account.isOpen)
            gate.open()
            _ = try await login.value
            #expect(try await host.client().read(key) == "old")
        }
    }

    @Test("O7: a provider that cannot be started does not keep the account signed in")
    func providerGone() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let key = try await account.document()
            _ = try await host.client().read(key)
            host.extensions.refuse(key.provider, Failure(.unavailable, "The library is missing."))
            host.kill(.remote)
            try await account.logout()
            #expect(try await account.record()?.signOut == .signedOut)
            #expect(host.files(in: "Copies").isEmpty)
        }
    }

    @Test("O7: a logout that has begun continues without its client")
    func clientGone() async throws {
        let logout = Mutex<Task<LogoutService.Outcome, any Error>?>(nil)
        try await TestHost.with(signInCrash: { step in
            if step == .signingOutRecorded { logout.withLock { $0?.cancel() } }
        }) { host async throws in
            let account = Account(host)
            _ = try await account.document()
            let running = logout.withLock { task in
                let running = Task { try await account.logout() }
                task = running
                return running
            }
            _ = await running.result
            try await TransferSupport.eventually { try await account.record()?.signOut == .signedOut }
        }
    }

    @Test("O7: an interrupted logout leaves the account closed, and the next daemon completes it")
    func interrupted() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let key = try await account.document()
            _ = try await host.client().read(key)
            var record = try #require(try await account.record())
            record.signOut = .signingOut
            try await host.services.consents.setDomain(record)
            try await host.restarted { next async throws in
                let again = Account(next)
                #expect(!again.isOpen, "it is closed from the start")
                await Self.refuses(.notAuthenticated) { _ = try await next.client().read(key) }
                await next.services.logouts.goOn()
                #expect(try await again.record()?.signOut == .signedOut)
                #expect(try await again.record()?.credential == nil)
                #expect(next.files(in: "Copies").isEmpty)
            }
        }
    }

    @Test("O7: a second logout finds the account signed out")
    func again() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            _ = try await account.document()
            try await account.logout()
            let outcome = try await account.logout()
            #expect(outcome.kept.isEmpty)
            #expect(try await account.record()?.signOut == .signedOut)
        }
    }
}
