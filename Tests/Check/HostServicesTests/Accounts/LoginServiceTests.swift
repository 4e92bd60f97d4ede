import DaemonCore
import DocentInterfaces
import DocentTestSupport
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

/// Signing in: the service is asked first, and what it accepts is recorded as a whole or not at all (O1–O3).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct LoginServiceTests {
    private static func refuses(
        _ code: FailureCode, _ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> Failure? {
        let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { try await body() }
        #expect(failure?.code == code, "\(String(describing: failure))", sourceLocation: sourceLocation)
        return failure
    }

    @Test("O1: before a login, its client learns which questions to ask the user")
    func prepares() async throws {
        try await TestHost.with { host async throws in
            let prepared = try await host.services.logins.prepare("Remote", "work", sealedFile: false)
            #expect(prepared.provider == TestProviderKind.remote.identifier && prepared.domain == nil)
            #expect(prepared.forms.map(\.identifier) == ["password"])
            for (name, domain, code) in [("None", "work", FailureCode.notFound), ("Remote", "a/b", .invalidArgument)] {
                _ = await Self.refuses(code) {
                    _ = try await host.services.logins.prepare(name, domain, sealedFile: false)
                }
            }
        }
    }

    @Test("O1: a login that the service accepts creates the account, and its documents can be used")
    func logsIn() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let domain = try await account.login()
            #expect(domain.identifier == "work" && domain.provider == TestProviderKind.remote.identifier)
            let record = try #require(try await account.record())
            #expect(record.credential?.username == "ada" && record.credential?.source == .session)
            #expect(record.signOut == nil)
            let key = Account.item(host.store(.remote).add("a.txt", "text"))
            #expect(try await host.client().read(key) == "text")
        }
    }

    @Test("O1: nothing is recorded before the service accepts the login, and everything when the client is answered")
    func recordsAfter() async throws {
        let steps = Mutex<[SignInCheckpoint]>([])
        try await TestHost.with(signInCrash: { step in steps.withLock { $0.append(step) } }) { host async throws in
            let account = Account(host)
            let gate = host.store(.remote).hold(.signIn)
            let login = Task { try await account.login() }
            await gate.reached()
            #expect(try await account.record() == nil)
            gate.open()
            _ = try await login.value
            #expect(try await account.record() != nil)
            #expect(steps.withLock { $0 } == [.loginTaken, .loginRecorded])
        }
    }

    @Test(
        "O1: a login that the service refuses leaves no account behind",
        arguments: [
            (FileProviderError.Code.notAuthenticated, FailureCode.notAuthenticated),
            (.serverUnreachable, .unavailable), (.busy, .unavailable), (.notPermitted, .notPermitted),
            (.failed, .providerFailed),
        ])
    func refused(code: FileProviderError.Code, answer: FailureCode) async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            host.store(.remote).fail(.signIn, code)
            let failure = await Self.refuses(answer) { try await account.login() }
            if code == .notAuthenticated { #expect(failure?.suggestion == "Try it again.") }
            #expect(try await account.record() == nil)
            try await account.login()
            #expect(try await account.record() != nil, "the next attempt is allowed")
        }
    }

    @Test("O2: a failed login to an account in use does not change the account")
    func refusedAgain() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let key = try await account.document()
            _ = await Self.refuses(.notAuthenticated) { try await account.login("bob", "hush-inproce3") }
            #expect(try await account.record()?.credential?.username == "ada")
            #expect(try await host.client().read(key) == "old")
            try await account.login("bob")
            #expect(try await account.record()?.credential?.username == "bob")
        }
    }

    @Test("O1: a login with a missing answer, or with a redirect to another machine, does not reach the service")
    func wrongParameters() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            _ = await Self.refuses(.invalidArgument) { try await account.login("ada", nil) }
            _ = await Self.refuses(.invalidArgument) { try await account.login(domain: "a/b") }
            var parameters = Account.parameters()
            parameters.redirect = "https://example.org/"
            _ = await Self.refuses(.invalidArgument) { [parameters] in
                _ = try await host.services.logins.login(parameters, step: { _ in })
            }
            parameters = Account.parameters()
            parameters.form = "none"
            _ = await Self.refuses(.invalidArgument) { [parameters] in
                _ = try await host.services.logins.login(parameters, step: { _ in })
            }
            #expect(host.store(.remote).calls(.signIn).isEmpty)
        }
    }

    @Test("O1: a provider without accounts cannot be signed in to")
    func withoutAccounts() async throws {
        try await TestHost.with { host async throws in
            var parameters = Account.parameters()
            parameters.provider = TestProviderKind.inPlace.identifier
            _ = await Self.refuses(.notSupported) { [parameters] in
                _ = try await host.services.logins.login(parameters, step: { _ in })
            }
        }
    }

    @Test("O3: only one login to an account runs at a time; another account does not wait for it")
    func oneAtATime() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let gate = host.store(.remote).hold(.signIn)
            let first = Task { try await account.login() }
            await gate.reached()
            _ = await Self.refuses(.conflict) { try await account.login(attempt: "second") }
            try await account.login(domain: "other", attempt: "third")
            gate.open()
            _ = try await first.value
            #expect(try await account.record("other") != nil)
        }
    }

    @Test("Law 3: a provider that dies during a login leaves no account; the next login works")
    func providerDies() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let gate = host.store(.remote).hold(.signIn)
            let login = Task { try await account.login() }
            await gate.reached()
            host.kill(.remote)
            _ = await Self.refuses(.unavailable) { _ = try await login.value }
            #expect(try await account.record() == nil)
            let again = Task { try await account.login() }
            await host.clock.pass("ExtensionSupervisor")
            _ = try await again.value
            #expect(try await account.record() != nil)
        }
    }

    @Test("O1: a login that its client cancels while the service is asked creates no account")
    func givenUp() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let gate = host.store(.remote).hold(.signIn)
            let login = Task { try await account.login() }
            await gate.reached()
            login.cancel()
            _ = await Self.refuses(.cancelled) { _ = try await login.value }
            gate.open()
            #expect(try await account.record() == nil)
        }
    }

    @Test("O1: a login that the service has accepted is recorded, even if its client has gone")
    func clientGone() async throws {
        let login = Mutex<Task<Wire.Domain, any Error>?>(nil)
        try await TestHost.with(signInCrash: { step in
            if step == .loginTaken { login.withLock { $0?.cancel() } }
        }) { host async throws in
            let account = Account(host)
            let gate = host.store(.remote).hold(.signIn)
            let running = Task { try await account.login() }
            login.withLock { $0 = running }
            gate.open()
            _ = await running.result
            #expect(try await account.record()?.credential?.username == "ada")
        }
    }

    @Test("O6: a login sends the changes that waited for it")
    func sendsWhatWaited() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let key = try await account.document()
            _ = try await host.client().read(key)
            // The service does not accept the password any more.
            host.store(.remote).addAccount("ada", password: "hush-inproce2")
            host.store(.remote).fail(.modify, .notAuthenticated)
            let client = host.client()
            try await client.begin(key, "new", operation: "save")
            try await client.commit("save")
            try await TransferSupport.eventually {
                host.services.remote.monitor.state(key.provider, key.domain).waitsForSomebody
            }
            #expect(host.store(.remote).text(key.identifier) == "old")
            try await account.login("ada", "hush-inproce2")
            try await TransferSupport.eventually { host.store(.remote).text(key.identifier) == "new" }
            #expect(host.services.remote.monitor.state(key.provider, key.domain) == .ready)
        }
    }

    @Test("O7: a login reopens a signed-out account with the rights that it had")
    func opensAgain() async throws {
        try await TestHost.with { host async throws in
            let account = Account(host)
            let key = try await account.document()
            try await account.logout()
            #expect(!account.isOpen)
            try await account.login()
            #expect(account.isOpen)
            #expect(try await host.client().read(key) == "old")
            #expect(host.services.grantStore.grant(of: writer, to: key) != nil)
        }
    }
}
