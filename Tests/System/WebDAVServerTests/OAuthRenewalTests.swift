import DocentTestSupport
import FileProvider
import FoundationEssentials
import Synchronization
import Testing

@testable import WebDAV

/// Renewing, saving and revoking tokens, with a real identity server and a real WebDAV server that accepts its tokens.
@Suite(.needs(.server, within: .seconds(180))) struct OAuthRenewalTests {
    private static func create(_ provider: WebDAVProvider, _ name: String) async throws -> FileProviderItem {
        try await provider.createItem(
            basedOn: ItemTemplate(parent: .rootContainer, filename: name),
            contents: WebDAVFixture.contents(String(repeating: "0123456789", count: 200_000)),
            operation: ChangeOperation(identifier: name))
    }

    static func wait(
        _ what: String, _ isTrue: () throws -> Bool, while body: () async throws -> Void = {}
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try !isTrue() {
            guard ContinuousClock.now < deadline else { throw ServerProblem(description: "never: \(what)") }
            try await body()
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    static func refresh(of credential: Credential?) throws -> String? {
        try OAuthCredential(secret: credential?.secret ?? "").refresh
    }

    @Test(
        "a token that is no longer accepted is renewed once, and the request is repeated, uploads included"
    )
    func renewsWhenRejected() async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            try fixture.control("expire")
            #expect(try await provider.item(for: .rootContainer).isFolder)
            #expect(try fixture.state().renewals == 1)
            try fixture.control("expire")
            let item = try await Self.create(provider, "a.txt")
            #expect(try fixture.state().renewals == 2)
            try fixture.control("expire")
            #expect(try await WebDAVFixture.fetch(provider, item.identifier).text.utf8.count == 2_000_000)
            let state = try fixture.state()
            #expect(state.renewals == 3)
            #expect(try host.saved.map(Self.refresh).last == state.refresh.first)
            #expect(host.saved.count == 6 && host.saved.allSatisfy { $0.kind == .oauth })
        }
    }

    @Test("a token is renewed before it expires, and another instance continues with the saved one")
    func renewsBeforehand() async throws {
        try await IdentityFixture.with { fixture in
            try fixture.control("settings", #"{"expires": 4}"#)
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            // A renewal during the sign-in is not saved by the provider: the host saves what signed in.
            try await Self.wait("a renewal") {
                try fixture.state().renewals > 0 && host.saved.last != nil
            } while: {
                _ = try await provider.item(for: .rootContainer)
            }
            let saved = try #require(host.saved.last)
            try fixture.control("settings", #"{"expires": 3600}"#)
            await provider.signOut()
            let another = try fixture.provider(host.host)
            _ = try await another.signIn(saved)
            #expect(try await another.item(for: .rootContainer).isFolder)
        }
    }

    @Test("concurrent requests that need a token share one renewal")
    func sharesRenewal() async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            try fixture.control("expire")
            try fixture.control("fault", #"{"path": "/token", "kind": "delay", "seconds": 1}"#)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { try await provider.item(for: .rootContainer).isFolder } }
                for try await isFolder in group { #expect(isFolder) }
            }
            #expect(try fixture.state().renewals == 1)
            #expect(host.saved.count == 2)
        }
    }

    @Test("a request that gives up waiting neither cancels the renewal for others nor loses its result")
    func survivesCancelling() async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            try fixture.control("expire")
            try fixture.control("fault", #"{"path": "/token", "kind": "delay", "seconds": 1}"#)
            let first = Task { try await provider.item(for: .rootContainer) }
            try await Self.wait("the renewal") { try fixture.state().renewals == 1 }
            first.cancel()
            _ = try? await first.value
            #expect(try await provider.item(for: .rootContainer).isFolder)
            #expect(try fixture.state().renewals == 1)
            #expect(host.saved.count == 2)
        }
    }

    @Test("a revoked sign-in is \"not authenticated\", and the identity server is asked only once")
    func revoked() async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            try fixture.control("revoke")
            for _ in 0..<10 {
                #expect(await code { try await provider.item(for: .rootContainer) } == .notAuthenticated)
            }
            #expect(try fixture.state().renewals == 1)
            _ = try await provider.signIn(try await fixture.signIn().credential)
            #expect(try await provider.item(for: .rootContainer).isFolder)
        }
    }

    @Test(
        "an identity server that is down is \"unreachable\", and causes no sign-out",
        arguments: [
            #""kind": "cut""#, #""kind": "answer", "status": 503"#,
            #""kind": "answer", "status": 200, "body": "<html>""#,
        ])
    func away(_ fault: String) async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            try fixture.control("expire")
            try fixture.control("fault", #"{"path": "/token", "count": 2, \#(fault)}"#)
            for _ in 0..<2 {
                #expect(await code { try await provider.item(for: .rootContainer) } == .serverUnreachable)
            }
            #expect(try await provider.item(for: .rootContainer).isFolder)
        }
    }

    @Test("a server that accepts no token does not cause endless renewals")
    func noStorm() async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            try fixture.control("settings", #"{"blind": true}"#)
            for _ in 0..<10 {
                #expect(await code { try await provider.item(for: .rootContainer) } == .notAuthenticated)
            }
            #expect(try fixture.state().renewals == 1)
            try fixture.control("settings", #"{"blind": false}"#)
            #expect(try await provider.item(for: .rootContainer).isFolder)
        }
    }

    @Test("a new instance with the previous one's credential continues the session")
    func sharesSession() async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let credential = try await fixture.signIn().credential
            let first = try fixture.provider(host.host)
            _ = try await first.signIn(credential)
            try fixture.control("expire")
            #expect(try await first.item(for: .rootContainer).isFolder)
            let second = try fixture.provider(host.host)
            _ = try await second.signIn(credential)
            try fixture.control("expire")
            #expect(try await second.item(for: .rootContainer).isFolder)
            #expect(try await first.item(for: .rootContainer).isFolder)
            #expect(try fixture.state().renewals == 2)
        }
    }

    @Test("the refresh token of a server without rotation is kept")
    func withoutRotation() async throws {
        try await IdentityFixture.with { fixture in
            try fixture.control("settings", #"{"rotate": false}"#)
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            for _ in 0..<2 {
                try fixture.control("expire")
                #expect(try await provider.item(for: .rootContainer).isFolder)
            }
            let state = try fixture.state()
            #expect(state.refresh.count == 1)
            #expect(try Self.refresh(of: host.saved.last) == state.refresh.first)
        }
    }

    @Test(
        "an invalid credential cannot be used to sign in",
        arguments: ["", "{}", "hush-not-json-1", #"{"version": 2}"#])
    func strangeCredential(_ secret: String) async throws {
        try await IdentityFixture.with { fixture in
            let provider = try fixture.provider()
            #expect(
                await code { try await provider.signIn(Credential(kind: .oauth, secret: secret)) } == .notAuthenticated)
        }
    }

    @Test("a sign-in is never printed")
    func hidden() async throws {
        try await IdentityFixture.with { fixture in
            let credential = try await fixture.signIn().credential
            let kept = try OAuthCredential(secret: credential.secret ?? "")
            var dumped = ""
            dump(kept, to: &dumped)
            dump(credential, to: &dumped)
            #expect(!"\(kept) \(String(reflecting: kept)) \(credential) \(dumped)".contains("hush"))
            #expect(kept.access.contains("hush"))
        }
    }
}
