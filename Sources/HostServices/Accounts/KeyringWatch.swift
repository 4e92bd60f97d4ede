import DocentInterfaces
import HostCore
package import Keyring
package import Logging
package import RemoteDocuments
import Rights
import Transfers

/// Notices when a locked or absent keyring becomes usable, and resumes what was waiting for it. Watches only while
/// something is waiting.
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

    /// Resumes logouts that an earlier daemon began, then watches until the task is cancelled.
    package func run() async {
        let changes = monitor.changes()
        await logouts.goOn()
        await lookAtKeyrings()
        if isWanted { await listen() }
        for await _ in changes where isWanted { await listen() }
    }

    // Reports locked keyrings before a call fails because of them.
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
            // Runs until nothing is waiting. Not every unlock is signalled, so logouts are also retried from time to
            // time.
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
        // Without new calls, nothing else would detect the unlock and the domain would be reported as locked for ever.
        for domain in waiting { monitor.reset(domain.provider, domain.domain) }
        await logouts.goOn()
    }
}
