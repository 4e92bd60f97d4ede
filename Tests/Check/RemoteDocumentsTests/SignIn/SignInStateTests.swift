import DocentInterfaces
import Foundation
import HostTesting
import Rights
import Testing

@testable import HostCore
@testable import RemoteDocuments
@testable import Transfers

/// Domain states beyond those of the service: signed out, and keyring locked.
@Suite struct SignInStateTests {
    private let monitor = DomainMonitor()
    private let key = DomainKey(provider: "org.docent.WebDAV", domain: "work")

    private func at(_ seconds: Double) -> ContinuousClock.Instant { TransferSupport.at(seconds) }

    private func refusal(_ seconds: Double = 0, isForced: Bool = false) -> Failure? {
        do throws(Failure) {
            try monitor.admit(key.provider, key.domain, isForced: isForced, now: at(seconds))
            return nil
        } catch {
            return error
        }
    }

    @Test("O7: no call enters a signed-out domain, forced or not, whatever its calls report, until it is opened again")
    func closed() {
        for (state, expected) in [
            (ProviderDomain.SignOut.signingOut, DomainState.signingOut), (.discarding, .signingOut),
            (.signedOut, .signedOut),
        ] {
            monitor.closed.close(key, state)
            monitor.note(.reached, key.provider, key.domain)
            monitor.reset(key.provider, key.domain)
            #expect(monitor.state(key.provider, key.domain) == expected)
            for isForced in [false, true] {
                let failure = refusal(isForced: isForced)
                #expect(failure?.code == .notAuthenticated)
                #expect(failure?.suggestion?.contains("docent login webdav@work") == true || failure == nil)
            }
        }
        #expect(monitor.state(key.provider, "home") == .ready)
        #expect(monitor.troubled.isEmpty, "the user signed out: no trouble")
        monitor.closed.open(key)
        #expect(refusal() == nil)
    }

    @Test("a locked keyring means unavailable, not unauthenticated; it is probed rarely, and at once on request")
    func locked() throws {
        monitor.note(.locked(message: "the keyring is locked"), key.provider, key.domain, now: at(0))
        #expect(monitor.state(key.provider, key.domain) == .locked(message: "the keyring is locked"))
        #expect(refusal(0.1)?.code == .unavailable)
        #expect(refusal(0.1)?.suggestion?.contains("docent login") == false)
        var last = at(0)
        for _ in 0..<10 {
            let next = try #require(monitor.nextProbe(key.provider, key.domain))
            #expect(next - last <= .seconds(60))
            last = next
            monitor.note(.locked(message: "the keyring is locked"), key.provider, key.domain, now: next)
        }
        #expect(refusal()?.code == .unavailable)
        monitor.probeNow { $0 == key }
        #expect(refusal() == nil)
        monitor.note(.reached, key.provider, key.domain)
        #expect(monitor.state(key.provider, key.domain) == .ready)
    }

    @Test("a refused credential suggests the login command, once, and other suggestions stay")
    func words() {
        monitor.note(.refused(message: "401"), key.provider, key.domain, now: at(0))
        #expect(refusal(0.1)?.code == .notAuthenticated)
        #expect(refusal(0.1)?.suggestion == "Sign in: docent login webdav@work")
        #expect(SignInWords.suggestion(key, after: nil) == "Sign in: docent login webdav@work")
        #expect(
            SignInWords.suggestion(key, after: "chmod 600 /a")
                == "chmod 600 /a. Or sign in: docent login webdav@work")
        let said = SignInWords.suggestion(key)
        #expect(SignInWords.suggestion(key, after: said) == said)
        #expect(SignInWords.command(DomainKey(provider: "org.docent.WebDAV", domain: "")) == "docent login webdav")
    }

    @Test("O7: transfers of a signed-out domain are not tried, not even as a probe")
    func noProbe() {
        let domains = StatedDomains()
        var scheduler = TransferScheduler()
        _ = scheduler.want(
            TransferKey(kind: .upload, item: ItemKey(provider: "p", domain: "d", identifier: "i")), name: "i",
            priority: .background, waiter: nil, now: at(0))
        for state in [DomainState.signingOut, .signedOut] {
            domains.set(state)
            #expect(scheduler.plan(now: at(10), limits: FixedLimit(limit: 2), domains: domains).start.isEmpty)
        }
        domains.set(.ready)
        #expect(scheduler.plan(now: at(11), limits: FixedLimit(limit: 2), domains: domains).start.count == 1)
    }
}
