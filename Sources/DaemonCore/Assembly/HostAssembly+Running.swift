import Access
import ExtensionHosting
package import HostCore
import HostServices
import Logging
import RemoteDocuments
import Rights
import Saving
import Storage

extension HostAssembly {
    /// Loads what an earlier daemon left, before any client is served. From here until ``end()``, extensions and
    /// changes of remote documents are followed.
    package func prepare() async {
        Task { [follower] in await follower.run() }
        Task { [reading = remote.reading] in await reading.keepCurrent() }
        // Import copies of sessions that ended with an earlier daemon (C9).
        try? documents.inbox.removeAll()
        do {
            try await policies.load()
            try await limiter.load()
        } catch {
            logger.error("cannot read the rules about versions", metadata: ["why": "\(error)"])
        }
        await writes.recoverOpenSessions()
        await remote.prepare()
        await mover.prepare()
        await recents.prepare()
        await search.follow(changes)
        do {
            try await domains.start()
        } catch {
            logger.error("cannot read the domains", metadata: ["why": "\(error)"])
        }
        // Drop boxes have to be known before the first request (A5).
        _ = await registry.discovered()
        // Recovery may need a provider that hangs, so clients do not wait for it.
        Task { [publisher] in await publisher.rollForward(isAfterRestart: true) }
    }

    /// Does what is done without a request, until the task is cancelled.
    package func run() async {
        mover.run()
        await withTaskGroup { [self] group in
            group.addTask { await self.access.audit.run() }
            group.addTask { await self.keepUp() }
            group.addTask {
                await Upkeep(journal: self.journal, audit: self.access.audit, logger: self.logger).run()
            }
            group.addTask { await self.rights.run() }
            group.addTask { await self.thinner.run() }
            group.addTask { await self.packer.run() }
            group.addTask { await self.merger.run() }
            group.addTask { await self.search.run() }
            group.addTask { await self.remote.run(self.keyring) { self.coordination.presentedItems } }
        }
    }

    private func keepUp() async {
        var round = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(2))
            round += 1
            await supervisor.endChanged()
            await recents.flush()
            await supervisor.stopIdle(after: configuration.extensionIdleSeconds)
            if round % 8 == 0 { await publisher.rollForward() }
        }
    }

    /// Ends every extension and what ``prepare()`` began, so that nothing stays open if the process continues, and
    /// writes what is not on disk yet.
    package func end() async {
        await search.end()
        await recents.flush()
        await supervisor.end()
        remote.reading.end()
        try? await access.audit.flush()
    }

    /// Whether there is work that would be lost or delayed if the daemon exited.
    package func isBusy() async -> Bool {
        if operations.count > 0 || pending.count > 0 || writes.isAwaitingClients || coordination.isBusy { return true }
        if packer.isBusy { return true }
        if await search.isBusy() { return true }
        return await remote.isBusy()
    }

    /// Called when a client has gone, with its session.
    package func sessionEnded(_ session: Session) {
        Task { await broker.sessionEnded(session) }
        documents.sessionEnded(session)
        rights.ended(session)
        let owned = session.end()
        Task {
            await writes.sessionEnded(session, owned.operations)
            guard owned.hasInbox else { return }
            try? await worker.run { [inbox = documents.inbox] _ in
                try inbox.removeSession(
                    principalKind: session.principal.kind.rawValue, principal: session.principal.identifier,
                    session: session.token)
            }
        }
        // The session is marked as ended by now, so no claim is added after this.
        coordination.sessionEnded(session)
    }
}
