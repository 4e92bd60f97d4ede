import DocentTestSupport
import FileProvider
import FoundationEssentials
import Synchronization
import Testing

@testable import WebDAV

/// Saving renewed tokens with the host, and the behaviour when it cannot store them.
@Suite(.needs(.server, within: .seconds(180))) struct OAuthSavingTests {
    @Test("a renewed token is saved before it is sent to the server")
    func savesFirst() async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            try fixture.control("expire")
            host.hold(after: 1)
            let asking = Task { try await provider.item(for: .rootContainer).isFolder }
            try await OAuthRenewalTests.wait("the wish to save") { host.asked == 2 }
            let introspections = try fixture.state().requests.count { $0.path == "/introspect" }
            // Long enough for a request that would not wait.
            try await Task.sleep(for: .milliseconds(300))
            #expect(try fixture.state().requests.count { $0.path == "/introspect" } == introspections)
            host.release()
            #expect(try await asking.value)
            #expect(try fixture.state().requests.count { $0.path == "/introspect" } > introspections)
        }
    }

    @Test(
        "while the keyring is locked no token is renewed, so that a kill loses nothing; after unlocking everything continues"
    )
    func locked() async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            try fixture.control("expire")
            host.refuse("Unavailable")
            for _ in 0..<2 {
                #expect(await code { try await provider.item(for: .rootContainer) } == .keychainUnavailable)
            }
            #expect(try fixture.state().renewals == 0)
            host.refuse(nil)
            #expect(try await provider.item(for: .rootContainer).isFolder)
            #expect(try fixture.state().renewals == 1)
        }
    }

    @Test("a valid token is still used while the keyring is locked")
    func lockedWhileGood() async throws {
        try await IdentityFixture.with { fixture in
            try fixture.control("settings", #"{"expires": 40}"#)
            let host = SavingHost()
            let kept = try OAuthCredential(secret: try await fixture.signIn().credential.secret ?? "")
            let client = OAuthClient(certificateAuthority: nil)
            let clock = TestClock(kept.issued)
            let session = OAuthSession(kept, client, now: { clock.now }) { try await host.host.save($0) }
            host.refuse("Unavailable")
            clock.advance(30)
            #expect(try await session.token() == kept.access)
            #expect(try await session.token() == kept.access)
            #expect(host.asked == 1, "not asked again for each request")
            clock.advance(11)
            #expect(await code { try await session.token() } == .keychainUnavailable)
            host.refuse(nil)
            #expect(try await session.token() != kept.access)
            #expect(try fixture.state().renewals == 1)
        }
    }

    @Test("a renewed token that cannot be saved is used, and no other is requested until it is saved")
    func keepsUnsaved() async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            try fixture.control("expire")
            host.refuse("Unavailable", after: 1)
            #expect(try await provider.item(for: .rootContainer).isFolder)
            #expect(host.asked == 2 && host.saved.count == 1)
            // The new refresh token is not saved anywhere: it must not be used up.
            try fixture.control("expire")
            #expect(await code { try await provider.item(for: .rootContainer) } == .keychainUnavailable)
            #expect(try fixture.state().renewals == 1)
            host.refuse(nil)
            #expect(try await provider.item(for: .rootContainer).isFolder)
            let state = try fixture.state()
            #expect(state.renewals == 2)
            #expect(try OAuthRenewalTests.refresh(of: host.saved.last) == state.refresh.first)
        }
    }

    @Test("O7: a renewal that arrives after signing out is neither saved nor used", arguments: [0, 1])
    func refusedAfterLogout(renewals: Int) async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            try fixture.control("expire")
            host.refuse("NotAuthenticated", after: renewals)
            #expect(await code { try await provider.item(for: .rootContainer) } == .notAuthenticated)
            host.refuse(nil)
            #expect(await code { try await provider.item(for: .rootContainer) } == .notAuthenticated)
            #expect(try fixture.state().renewals == renewals)
        }
    }

    @Test(
        "where refresh tokens are used once, a lost reply to a renewal ends the sign-in, and this is reported"
    )
    func lostReply() async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let provider = try await fixture.signedIn(host)
            try fixture.control("expire")
            try fixture.control("fault", #"{"path": "/token", "kind": "lose"}"#)
            #expect(await code { try await provider.item(for: .rootContainer) } == .serverUnreachable)
            #expect(await code { try await provider.item(for: .rootContainer) } == .notAuthenticated)
            #expect(try fixture.state().renewals == 2)
        }
    }

    @Test("a running renewal of an earlier sign-in does not replace a later sign-in")
    func retires() async throws {
        try await IdentityFixture.with { fixture in
            let host = SavingHost()
            let first = try await fixture.signIn().credential
            let provider = try fixture.provider(host.host)
            _ = try await provider.signIn(first)
            try fixture.control("expire")
            let second = try await fixture.signIn().credential
            try fixture.control("fault", #"{"path": "/token", "kind": "delay", "seconds": 10}"#)
            let asking = Task { try await provider.item(for: .rootContainer) }
            try await OAuthRenewalTests.wait("the renewal") { try fixture.state().renewals == 1 }
            _ = try await provider.signIn(second)
            _ = try? await asking.value
            #expect(try await provider.item(for: .rootContainer).isFolder)
            // The first one was only tried before its renewal; the second one is not renewed.
            #expect(host.saved == [first])
            #expect(try fixture.state().renewals == 1)
        }
    }
}

/// A clock that is set manually.
private final class TestClock: Sendable {
    private let time: Mutex<Double>

    init(_ time: Double) { self.time = Mutex(time) }

    var now: Double { time.withLock { $0 } }
    func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
}
