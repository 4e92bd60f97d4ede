package import Access
import Foundation
package import HostCore
package import Logging
import Rights
import Synchronization

/// Ends rights that expire and rights that a client did not take before it went, and ends leases whose right has to be
/// checked again. Thread-safe.
package final class RightsKeeper: Sendable {
    /// The time between checks. It is also the longest life of a lease by a right to a folder or to a document beside
    /// (L2), because items can move unnoticed.
    private static let interval = AccessControl.placeAge
    /// The number of checks between searches for expired rights. Expired rights already allow nothing before that.
    private static let roundsPerSweep = 5

    private let service: GrantService
    private let access: AccessControl
    private let sessions: @Sendable () -> [Session]
    private let transientSeconds: Double
    private let logger: Logger
    private let clock: any HostClock
    private let absences = Mutex<[Principal: ContinuousClock.Instant]>([:])

    /// - Parameter transientSeconds: how long a right that was not taken remains after the client's last session has
    ///   ended, or after the daemon has started.
    package init(
        service: GrantService, access: AccessControl, transientSeconds: Double, logger: Logger,
        clock: any HostClock = SystemClock(), sessions: @escaping @Sendable () -> [Session]
    ) {
        self.service = service
        self.clock = clock
        self.access = access
        self.sessions = sessions
        self.transientSeconds = transientSeconds
        self.logger = logger
    }

    /// Called when a session has ended: if it was the client's last, its absence begins now.
    package func ended(_ session: Session) {
        absences.withLock { _ = $0.removeValue(forKey: session.principal) }
    }

    /// Checks repeatedly until the task is cancelled.
    package func run() async {
        var round = 0
        while !Task.isCancelled {
            endLeases()
            do {
                if round % Self.roundsPerSweep == 0 {
                    _ = await service.ended(try await access.grants.expire(at: clock.date))
                }
                try await endTransient(at: clock.now)
            } catch {
                logger.warning("rights could not be ended", metadata: ["why": "\(error)"])
            }
            round += 1
            try? await clock.sleep(for: Self.interval)
        }
    }

    private func endLeases() {
        for session in sessions() {
            session.existingLeases?.end {
                access.grants.check(session.principal, $0, .read) == nil || access.isClosed($0)
            }
        }
    }

    private func endTransient(at now: ContinuousClock.Instant) async throws {
        let concerned = access.grants.principalsWithTransient
        guard !concerned.isEmpty else { return }
        let present = Set(sessions().map(\.principal))
        let over = absences.withLock { absences in
            absences = absences.filter { !present.contains($0.key) }
            return concerned.filter { principal in
                guard !present.contains(principal) else { return false }
                let since = absences[principal] ?? now
                absences[principal] = since
                return now - since >= .seconds(transientSeconds)
            }
        }
        for principal in over {
            absences.withLock { _ = $0.removeValue(forKey: principal) }
            _ = await service.ended(try await access.grants.endTransient(of: principal, at: clock.date))
        }
    }
}
