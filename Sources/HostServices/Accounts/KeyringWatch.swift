import DocentInterfaces
import HostCore
package import Keyring
package import Logging
package import RemoteDocuments
import Rights
import Transfers

/// Notices that a keyring that was locked or away can be used: what waited for it goes on at once. Watches only while
/// something waits.
package struct KeyringWatch: Sendable {
    private let ladder: CredentialLadder
    private let monitor: DomainMonitor
    private let logouts: LogoutService
    private let logger: Logger

    package init(ladder: CredentialLadder, monitor: DomainMonitor, logouts: LogoutService, logger: Logger) {
        self.ladder = ladder
        self.monitor = monitor
        self.logouts = logouts
        self.logger = logger
    }

    /// Goes on with logouts that an earlier daemon began, and then watches until the task is cancelled.
    package func run() async {
        let changes = monitor.changes()
        await logouts.goOn()
        await lookAtKeyrings()
        if isWanted { await listen() }
        for await _ in changes where isWanted { await listen() }
    }

    // Said before anybody tries in vain.
    private func lookAtKeyrings() async {
        for domain in (try? await logouts.domains.consents.domains()) ?? [] {
            let key = DomainKey(provider: domain.provider, domain: domain.identifier)
            guard domain.credential?.source == .keyring, monitor.closed.state(key) == nil,
                let rung = domain.credential?.rung.flatMap(CredentialRung.init),
                await ladder.state(of: rung) == .locked
            else { continue }
            monitor.note(
                .locked(message: LockedCredential(.locked, key).failure.message), key.provider, key.domain)
        }
    }

    private var waiting: Set<DomainKey> {
        Set(monitor.troubled.filter { if case .locked = $0.value { true } else { false } }.keys)
    }

    private var isWanted: Bool { !waiting.isEmpty || monitor.closed.isAnyGoing }

    private func listen() async {
        logger.info("waiting for the keyring")
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await rung in ladder.unlocks() {
                    logger.info("the keyring can be used", metadata: ["rung": "\(rung)"])
                    await proceed()
                }
            }
            // Until nothing waits any more. Nobody need tell of every unlocking: logouts are tried now and then too.
            var round = 0
            while !Task.isCancelled, isWanted {
                round += 1
                if round % 30 == 0 { await logouts.goOn() }
                try? await Task.sleep(for: .seconds(2))
            }
            group.cancelAll()
        }
    }

    private func proceed() async {
        // Where nobody asks for anything no call would find out, and it would be called locked for ever.
        for domain in waiting { monitor.reset(domain.provider, domain.domain) }
        await logouts.goOn()
    }
}
