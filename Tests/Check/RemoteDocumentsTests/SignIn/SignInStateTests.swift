import DocentInterfaces
import Foundation
import HostTesting
import Rights
import Testing

@testable import HostCore
@testable import RemoteDocuments
@testable import Transfers

/// States of a domain beside those of its service: signed out, and locked out of its keyring.
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

    @Test(
        "O7: nobody is let into a domain that is signed out, forced or not, whatever its calls say, until it is opened")
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
        #expect(monitor.troubled.isEmpty, "signed out as its user wants it: no trouble")
        monitor.closed.open(key)
        #expect(refusal() == nil)
    }

    @Test(
        "a locked keyring is unavailable and not unauthenticated; it is looked at gently, and at once when told"
    )
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

    @Test("a refused credential names the command, once, and whatever else is suggested stays")
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

    @Test("O7: transfers of a domain that is signed out are not tried, not even to find out")
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
