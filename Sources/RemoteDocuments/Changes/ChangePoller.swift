import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Logging
import Records
package import Rights
import Transfers

/// Finds remote changes: each domain in use is asked regularly, less often while nothing changes (HAZARDS 13).
package actor ChangePoller {
    /// How long, in seconds, an item is watched after its last use.
    static let watchSeconds = 600.0
    /// The longest pause, in seconds, before a pinned document that cannot be fetched is tried again.
    private static let longestPinPause = 6 * 3600.0

    private let catalog: RemoteCatalog
    private let reader: RemoteReader
    private let intake: ChangeIntake
    private let recent: RecentUse
    private let monitor: DomainMonitor
    private let base: Double
    private let logger: Logger
    private var schedules: [DomainKey: PollSchedule] = [:]
    private var due: [DomainKey: ContinuousClock.Instant] = [:]
    private var looked: [DomainKey: (moment: ContinuousClock.Instant, date: Date)] = [:]
    private var running: Set<DomainKey> = []
    /// Nil until read.
    private var pinned: Set<DomainKey>?
    private var lookedForPins: ContinuousClock.Instant?
    /// When pinned documents without current content are fetched again, and the pause in seconds before that.
    private var pinFetches: [DomainKey: (due: ContinuousClock.Instant, pause: Double)] = [:]

    package init(
        catalog: RemoteCatalog, reader: RemoteReader, usage: DocumentUsage, monitor: DomainMonitor,
        settings: RemoteSettings, recent: RecentUse, logger: Logger
    ) {
        self.catalog = catalog
        self.reader = reader
        self.recent = recent
        self.monitor = monitor
        base = settings.pollSeconds
        self.logger = logger
        intake = ChangeIntake(catalog: catalog, usage: usage)
    }

    /// Looks for changes until the task is cancelled; a look that is running then continues. A domain joins when one of
    /// its items is used.
    ///
    /// - Parameter presented: returns the presented items. Their domains are asked at the shortest interval, in use or
    ///   not (complaint 11).
    package func run(presented: @Sendable () -> Set<ItemKey>) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            await tick(presented())
        }
    }

    /// Whether something is or may be pinned: keeping it current requires this poller to run.
    package func hasPins() async -> Bool {
        guard base > 0 else { return false }
        await lookForPins()
        // Another call may be reading it now.
        return pinned?.isEmpty != true
    }

    private func lookForPins() async {
        if let lookedForPins, .now - lookedForPins < .seconds(2) { return }
        lookedForPins = .now
        do {
            pinned = Set(
                try await catalog.index.pinnedDomains().map { DomainKey(provider: $0.provider, domain: $0.domain) })
        } catch {
            logger.warning("cannot read what is pinned", metadata: ["why": "\(error)"])
        }
    }

    private func tick(_ presented: Set<ItemKey>) async {
        await recent.flush()
        guard base > 0 else { return }
        await lookForPins()
        let since = Date.now.addingTimeInterval(-Self.watchSeconds)
        let presented = Dictionary(grouping: presented, by: DomainKey.init)
        var domains = recent.usedDomains.filter { $0.value > since }
        // Not marked as used now: that would ask them at the shortest interval forever.
        for domain in pinned ?? [] where domains[domain] == nil { domains[domain] = .distantPast }
        for domain in presented.keys { domains[domain] = .now }
        for (domain, used) in domains where !running.contains(domain) {
            guard let moment = due[domain] else {
                schedules[domain] = PollSchedule(base: base)
                due[domain] = .now + .seconds(base * Double.random(in: 0.8...1.2))
                continue
            }
            // A domain that is used again is asked soon, even after a long time without changes.
            let soon = looked[domain].flatMap { $0.date < used ? $0.moment + .seconds(base) : nil }
            guard min(moment, soon ?? moment) <= .now else { continue }
            running.insert(domain)
            looked[domain] = (.now, .now)
            Task { await self.look(domain, presented[domain] ?? []) }
        }
    }

    private func look(_ domain: DomainKey, _ presented: [ItemKey]) async {
        var changed: Bool?
        if case .ready = monitor.state(domain.provider, domain.domain) {
            do {
                let result = try await intake.look(domain, accept: false, presented: presented)
                changed = result.changed + result.deleted > 0
                try await fetchPins(domain)
            } catch {
                logger.info(
                    "a domain was not asked for changes",
                    metadata: ["provider": "\(domain.provider)", "domain": "\(domain.domain)", "why": "\(error)"])
            }
        }
        var schedule = schedules[domain] ?? PollSchedule(base: base)
        let pause = schedule.next(changed: changed, jitter: Double.random(in: -1...1))
        schedules[domain] = schedule
        due[domain] = .now + .seconds(pause)
        running.remove(domain)
    }

    // Pinned documents are fetched as their changes are found. What is still missing then, because the daemon ended or
    // a download failed for good, is fetched here: at first soon, then less and less often.
    private func fetchPins(_ domain: DomainKey) async throws {
        let last = pinFetches[domain]
        guard last.map({ $0.due <= .now }) ?? true else { return }
        let missing = try await catalog.index.pinned(provider: domain.provider, domain: domain.domain)
            .filter { !$0.isCurrent }
        for item in missing { await reader.fetch(item, priority: .pinned) }
        let pause = missing.isEmpty ? base : min(max(last?.pause ?? base, base) * 2, Self.longestPinPause)
        pinFetches[domain] = (.now + .seconds(pause), pause)
    }

    // MARK: Reported by extensions

    /// Handles an event that an extension sent on its own (Events).
    package func noticed(_ kind: String, _ domain: DomainKey, _ identifiers: [String]) async {
        schedules[domain]?.wake()
        switch kind {
        case "changed":
            for identifier in identifiers.prefix(1000) {
                let key = ItemKey(provider: domain.provider, domain: domain.domain, identifier: identifier)
                await intake.check(key)
            }
        // The event is not trusted; the provider is asked instead.
        case "deleted":
            for identifier in identifiers.prefix(1000) {
                await intake.check(ItemKey(provider: domain.provider, domain: domain.domain, identifier: identifier))
            }
        case "resync": due[domain] = .now
        default: break
        }
    }

    /// Asks now, at the user's request (`docent refresh`).
    ///
    /// - Parameters:
    ///   - key: a document, or a folder with all listed ones below it.
    ///   - accept: whether to believe listings that lack most of the known items.
    package func refresh(_ key: ItemKey, accept: Bool) async throws -> ChangeIntake.Result {
        await recent.flush()
        schedules[DomainKey(key)]?.wake()
        return try await intake.refresh(key, accept: accept)
    }

    /// Removes a deleted domain from the schedule.
    package func forget(_ domain: DomainKey) {
        schedules[domain] = nil
        due[domain] = nil
        looked[domain] = nil
        pinFetches[domain] = nil
        recent.forget(domain)
    }
}
