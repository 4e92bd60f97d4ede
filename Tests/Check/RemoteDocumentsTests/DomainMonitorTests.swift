import DocentInterfaces
import Foundation
import HostTesting
import Testing

@testable import HostCore
@testable import RemoteDocuments
@testable import Transfers

/// Which domains are usable, and when an unusable one is tried again (HAZARDS 3, 4, 6).
@Suite struct DomainMonitorTests {
    private let monitor = DomainMonitor()
    private static let gone = DomainMonitor.Outcome.unreachable(message: "no route", isSlow: false)

    private func at(_ seconds: Double) -> ContinuousClock.Instant { TransferSupport.at(seconds) }

    private func refusal(_ seconds: Double, isForced: Bool = false, domain: String = "d") -> FailureCode? {
        do throws(Failure) {
            try monitor.admit("p", domain, isForced: isForced, now: at(seconds))
            return nil
        } catch {
            return error.code
        }
    }

    private func goOffline() {
        monitor.note(Self.gone, "p", "d", now: at(0))
        monitor.note(Self.gone, "p", "d", now: at(0))
    }

    @Test("one failed call is no outage; two in a row are, and so is one that took long")
    func strikes() {
        monitor.note(Self.gone, "p", "d", now: at(0))
        #expect(monitor.state("p", "d") == .ready)
        monitor.note(.reached, "p", "d", now: at(0))
        monitor.note(Self.gone, "p", "d", now: at(0))
        #expect(monitor.state("p", "d") == .ready)
        monitor.note(Self.gone, "p", "d", now: at(0))
        #expect(monitor.state("p", "d").name == "offline")
        monitor.note(.unreachable(message: "silence", isSlow: true), "p", "e", now: at(0))
        #expect(monitor.state("p", "e").name == "offline")
        #expect(monitor.state("q", "d") == .ready)
    }

    @Test("HAZARDS 6: while a domain is offline calls fail at once, except one at a time that probes it")
    func probes() throws {
        goOffline()
        #expect(refusal(0.1) == .unavailable)
        let first = try #require(monitor.nextProbe("p", "d"))
        #expect(first > at(0.7) && first <= at(1))
        #expect(refusal(1) == nil)
        // Other calls wait for the outcome of that one.
        #expect(refusal(1) == .unavailable)
        monitor.note(Self.gone, "p", "d", now: at(1))
        let second = try #require(monitor.nextProbe("p", "d"))
        #expect(second > at(2.5) && second <= at(3))
        #expect(refusal(1.5, isForced: true) == nil)
    }

    @Test("the time between two probes grows to half a minute and no further")
    func backOff() throws {
        goOffline()
        var now = 0.0
        for _ in 0..<200 {
            let next = try #require(monitor.nextProbe("p", "d"))
            let wait = (next - at(now)) / .seconds(1)
            #expect(wait > 0.7 && wait <= 30)
            now += wait
            monitor.note(Self.gone, "p", "d", now: at(now))
        }
        #expect(now > 200 * 20)
    }

    @Test("the first moment of an outage is kept and shown; its end is reported")
    func tells() async throws {
        let moment = Date(timeIntervalSince1970: 1_000_000)
        let changes = monitor.changes()
        for step in 0..<4 {
            monitor.note(Self.gone, "p", "d", now: at(Double(step)), wall: moment + Double(step))
        }
        #expect(monitor.state("p", "d") == .offline(message: "no route", since: moment + 1))
        let failure = #expect(throws: Failure.self) { try monitor.admit("p", "d", now: at(3)) }
        #expect(failure?.message.contains("offline since 1970-01-12T13:46:41") == true)
        #expect(failure?.providerCode == .serverUnreachable)
        for await _ in changes { break }
        monitor.note(.reached, "p", "d")
        #expect(monitor.state("p", "d") == .ready)
        #expect(monitor.nextProbe("p", "d") == nil)
        for await _ in changes { break }
        #expect(monitor.troubled.isEmpty)
    }

    @Test("a refused credential stays refused until it is replaced; it is not tried all the time")
    func refused() throws {
        monitor.note(.refused(message: "wrong"), "p", "d", now: at(0))
        #expect(monitor.state("p", "d") == .notAuthenticated(message: "wrong"))
        #expect(refusal(0.5) == .notAuthenticated)
        for step in 0..<30 { monitor.note(.refused(message: "wrong"), "p", "d", now: at(Double(step))) }
        #expect(try #require(monitor.nextProbe("p", "d")) > at(29 + 400))
        monitor.reset("p", "d")
        #expect(refusal(30) == nil)
    }

    @Test("the user can have the domain tried at once")
    func probeNow() {
        goOffline()
        monitor.probeNow { $0.domain == "other" }
        #expect(refusal(0.1) == .unavailable)
        monitor.probeNow()
        #expect(refusal(0.1) == nil)
        #expect(refusal(0.1) == .unavailable)
    }

    @Test(
        "HAZARDS 3: what a failed call means for its account",
        arguments: [
            (.serverUnreachable, "unreachable"), (.notAuthenticated, "refused"), (.noSuchItem, "reached"),
            (.busy, "reached"), (.versionOutOfDate, "reached"), (.failed, ""), (.invalidArgument, ""),
            (.notSupported, ""),
        ] as [(FailureCode, String)])
    func outcomes(_ code: FailureCode, _ expected: String) {
        let outcome = ProviderAccess.outcome(
            TransferSupport.failure(code), hasGained: false, took: .milliseconds(1))
        let name =
            switch outcome {
            case .reached: "reached"
            case .unreachable(_, let isSlow): isSlow ? "slow" : "unreachable"
            case .locked: "locked"
            case .refused: "refused"
            case nil: ""
            }
        #expect(name == expected)
    }

    @Test("an interrupted download is no outage, and a provider that exited says nothing about its service")
    func cuts() {
        let failure = TransferSupport.failure(.serverUnreachable)
        #expect(ProviderAccess.outcome(failure, hasGained: true, took: .seconds(60)) == nil)
        #expect(ProviderAccess.outcome(Failure(.unavailable, "ended"), hasGained: false, took: .seconds(9)) == nil)
    }
}
