package import DocentInterfaces
package import ExtensionManifest
import Foundation
package import HostCore
package import Logging
package import Rights
import Storage

/// Keeps one process for each extension in use: started at its first call, ended when idle, restarted with back-off
/// after a crash, quarantined after repeated crashes (law 3).
package actor ExtensionSupervisor {
    private struct Key: Hashable {
        var provider: String
        var point: ExtensionPoint
    }

    private struct Entry {
        var start: Task<ExtensionConnection, any Error>?
        var connection: ExtensionConnection?
        /// Finishes when the connection's process has ended and its end was recorded.
        var watch: Task<Void, Never>?
        /// The last that was told about its domains. They are told one after the other, so that the last one counts.
        var introduction: Task<Void, Never>?
        var crashes: [Double] = []
        var lastMessage: String?
        var lastUse: ContinuousClock.Instant?
        var isStopping = false
    }

    private let launcher: ExtensionLauncher
    private let consents: ProviderConsentStore
    private let policy: CrashPolicy
    private let logger: Logger
    private let clock: any HostClock
    /// The items that file providers watch for the host: such a provider is not idle.
    private let observed: ObservedItems
    /// The limits of containers; nil for none.
    private let quotas: ContainerQuotas?
    private let worker = BlockingWorker(label: "org.docent.folders")
    /// Told when the process of a file provider has ended, because what is known of its items may be out of date.
    private let changes: ContentChanges
    private let started = AsyncStream<ExtensionStart>.makeStream()
    private var entries: [Key: Entry] = [:]

    package init(
        launcher: ExtensionLauncher, consents: ProviderConsentStore, policy: CrashPolicy = CrashPolicy(),
        quotas: ContainerQuotas? = nil, observed: ObservedItems, changes: ContentChanges, logger: Logger,
        clock: any HostClock = SystemClock()
    ) {
        self.clock = clock
        self.observed = observed
        self.changes = changes
        self.quotas = quotas
        self.launcher = launcher
        self.consents = consents
        self.policy = policy
        self.logger = logger
    }

    /// Every start since this object was made, in order, until ``end()``. Only one task may read it: starts before it
    /// begins to read wait for it.
    package nonisolated var starts: AsyncStream<ExtensionStart> { started.stream }

    /// The running extension, started if necessary; simultaneous callers share one start.
    ///
    /// - Throws: ``Failure``: `NotSupported` when the provider has no such extension, `Unavailable` when it is in
    ///   quarantine or was stopped while it was starting, otherwise why it cannot be started.
    package func connection(_ provider: KnownProvider, _ point: ExtensionPoint) async throws -> ExtensionConnection {
        let description = provider.description
        guard let manifest = point == .picker ? description.picker : description.fileProvider else {
            throw Failure(
                .notSupported, "\(provider.identifier) has no \(point == .picker ? "picker" : "file provider").",
                provider: provider.identifier)
        }
        let key = Key(provider: provider.identifier, point: point)
        // A start that is being stopped fails for its own callers only.
        while let start = entries[key]?.start, start.isCancelled { _ = await start.result }
        if let connection = entries[key]?.connection, connection.isAlive, connection.busyCount == 0,
            connection.folders.hasMore
        {
            await stop(key)
        }
        if let connection = entries[key]?.connection, connection.isAlive {
            entries[key]?.lastUse = clock.now
            return connection
        }
        let task: Task<ExtensionConnection, any Error>
        if let running = entries[key]?.start {
            task = running
        } else {
            task = Task { try await self.start(provider, manifest, key) }
            entries[key, default: Entry()].start = task
        }
        return try await task.value
    }

    private func start(
        _ provider: KnownProvider, _ manifest: ExtensionManifest, _ key: Key
    ) async throws -> ExtensionConnection {
        defer { entries[key]?.start = nil }
        if let old = entries[key]?.connection {
            // It has hung up: its end is recorded before the next one starts.
            old.close()
            old.program.terminate()
            await entries[key]?.watch?.value
        }
        switch policy.decide(crashes: entries[key]?.crashes ?? [], now: now) {
        case .start: break
        case .wait(let seconds):
            do { try await clock.sleep(for: .seconds(seconds)) } catch { throw Self.interrupted(key) }
        case .quarantine: throw await quarantine(key)
        }
        do {
            let current = try await present(provider)
            try Task.checkCancellation()
            let connection = try await launcher.launch(current, manifest)
            entries[key]?.connection = connection
            entries[key]?.lastUse = clock.now
            logger.info(
                "extension started", metadata: ["provider": "\(key.provider)", "point": "\(key.point.rawValue)"])
            entries[key]?.watch = Task { await self.watch(connection, key) }
            follow(connection.folders, of: connection, key)
            if let quotas {
                Task { [weak self] in
                    guard let excess = await quotas.follow(provider, connection.program) else { return }
                    await self?.end(connection, key, excess)
                }
            }
            if key.point == .fileProvider { setSuccessor(of: connection, provider) }
            // What an earlier process watched is no longer watched when the first caller gets the connection.
            let items = key.point == .fileProvider ? observed.providerStarted(key.provider) : []
            started.continuation.yield(
                ExtensionStart(provider: provider, point: key.point, connection: connection, observed: items))
            return connection
        } catch let distrust as LibraryFiles.Distrusted {
            // Not a crash: the next call tries again.
            throw distrust.failure
        } catch {
            // Only ``interrupt(_:)`` cancels it, which is no crash.
            if Task.isCancelled { throw Self.interrupted(key) }
            let failure = Failure.from(error)
            // A missing layer of the sandbox is not a crash.
            if !failure.message.contains("could not be sandboxed") { await noteCrash(key, failure.message) }
            throw failure
        }
    }

    private static func interrupted(_ key: Key) -> Failure {
        Failure(
            .unavailable, "\(key.provider) was stopped while it was starting.", suggestion: "Try again.",
            provider: key.provider)
    }

    /// Sets how the process that follows this one is started: with the provider's domains as they are now.
    ///
    /// Only for file providers: a picker's next process does not know what was picked before.
    private func setSuccessor(of connection: ExtensionConnection, _ provider: KnownProvider) {
        connection.isFollowed { [weak self] in
            guard let self else { throw CancellationError() }
            return try await self.connection(provider, .fileProvider)
        }
    }

    /// The limits that no provider may exceed. The administrator sets them.
    package nonisolated var ceilings: [ProviderLimits.Kind: Int] { quotas?.ceilings ?? [:] }

    /// Whether a provider's container was within its limits at the last check.
    package nonisolated func hasRoom(_ provider: String) -> Bool { quotas?.hasRoom(provider) ?? true }

    /// Refuses to add anything to a provider whose container is full.
    ///
    /// - Throws: ``Failure`` `NoSpace`.
    package nonisolated func requireRoom(_ provider: KnownProvider) async throws {
        try await quotas?.requireRoom(provider)
    }

    // A restarted process would only continue, so the provider stays ended until the user has looked.
    private func end(_ connection: ExtensionConnection, _ key: Key, _ excess: String) async {
        logger.error("a container exceeded its limits", metadata: ["provider": "\(key.provider)", "has": "\(excess)"])
        try? await consents.quarantine(key.provider, reason: "it had \(excess), and was stopped")
        connection.program.terminate(for: .disk(excess))
    }

    private func watch(_ connection: ExtensionConnection, _ key: Key) async {
        let exit = await connection.program.waitForExit()
        connection.close()
        let expected = entries[key]?.isStopping == true && entries[key]?.connection === connection
        if entries[key]?.connection === connection {
            entries[key]?.connection = nil
            entries[key]?.isStopping = false
        }
        if key.point == .fileProvider { changes.providerChanged(key.provider) }
        guard !expected else { return }
        let said = connection.errorText.split(separator: "\n").last.map { ": \($0)" } ?? ""
        await noteCrash(key, "\(exit)\(said)")
    }

    private func noteCrash(_ key: Key, _ message: String) async {
        entries[key, default: Entry()].crashes.append(now)
        entries[key]?.lastMessage = message
        logger.error("extension failed", metadata: ["provider": "\(key.provider)", "what": "\(message)"])
        try? await consents.recordCrash(key.provider, detail: message)
        if policy.decide(crashes: entries[key]?.crashes ?? [], now: now) == .quarantine {
            _ = await quarantine(key)
        }
    }

    private func quarantine(_ key: Key) async -> Failure {
        let reason =
            "it failed \(policy.limit) times within \(Int(policy.window)) seconds, the last time: "
            + (entries[key]?.lastMessage ?? "it ended")
        try? await consents.quarantine(key.provider, reason: reason)
        return Failure(
            .unavailable, "\(key.provider) is in quarantine: \(reason)",
            suggestion: "When it is fixed: docent provider reset \(key.provider)", provider: key.provider)
    }

    /// Forgets crashes, after a reset.
    package func forgetCrashes(_ provider: String) {
        for key in entries.keys where key.provider == provider {
            entries[key]?.crashes = []
            entries[key]?.lastMessage = nil
        }
    }

    /// The provider with its domains as they are stored now: whoever calls may have looked before a change.
    private func present(_ provider: KnownProvider) async throws -> KnownProvider {
        var provider = provider
        let consents = try await consents.consents()
        // It may have been disabled since the caller asked. After this a decision stops the start itself.
        if case .disabled = consents.decisions[provider.identifier] { throw Failure.notEnabled(provider.identifier) }
        provider.domains = consents.domains[provider.identifier] ?? []
        if let tried = provider.tried {
            provider.domains.removeAll { $0.identifier == tried.identifier }
            provider.domains.append(tried)
        }
        return provider
    }

    /// Informs a running provider of the present state of its domains, without disturbing its work. If that fails, the
    /// provider is ended, and its next call starts it with them.
    package func introduceAgain(_ provider: KnownProvider) async {
        for key in entries.keys where key.provider == provider.identifier {
            let previous = entries[key]?.introduction
            let introduction = Task {
                await previous?.value
                await self.introduceAgain(provider, key)
            }
            entries[key]?.introduction = introduction
            await introduction.value
        }
    }

    private func introduceAgain(_ provider: KnownProvider, _ key: Key) async {
        // One that is just starting may have received the old domains.
        _ = try? await entries[key]?.start?.value
        guard key.point == .fileProvider, let manifest = provider.description.fileProvider,
            let connection = entries[key]?.connection, connection.isAlive
        else { return await stop(key) }
        do {
            try await launcher.introduceAgain(try await present(provider), manifest, connection)
            // One that was stopped meanwhile has no successor.
            guard let entry = entries[key], entry.connection === connection, !entry.isStopping else { return }
            setSuccessor(of: connection, provider)
        } catch {
            logger.notice(
                "a provider is being restarted", metadata: ["provider": "\(key.provider)", "why": "\(error)"])
            await stop(key)
        }
    }

    /// A domain in the form that its extension receives, whether or not the domain exists.
    package nonisolated func told(_ domain: ProviderDomain, of provider: KnownProvider) -> Wire.ProviderDomain {
        launcher.told(domain, of: provider)
    }

    /// A file provider's connection if it is running; starts nothing.
    package func running(_ provider: String) -> ExtensionConnection? {
        entries[Key(provider: provider, point: .fileProvider)]?.connection.flatMap { $0.isAlive ? $0 : nil }
    }

    /// Ends a provider's processes, also those that are just starting; its next call starts them again.
    package func stop(_ provider: String) async {
        for key in entries.keys where key.provider == provider {
            await interrupt(key)
            await stop(key)
        }
    }

    /// Ends every process, and ``starts``.
    package func end() async {
        for key in entries.keys {
            await interrupt(key)
            await stop(key)
        }
        started.continuation.finish()
    }

    // A start has what the provider was allowed when it began, such as its folders and its sandbox: it must not
    // complete after a decision to the contrary.
    private func interrupt(_ key: Key) async {
        guard let start = entries[key]?.start else { return }
        start.cancel()
        _ = await start.result
    }

    private func stop(_ key: Key) async {
        guard let connection = entries[key]?.connection else { return }
        entries[key]?.isStopping = true
        connection.retire()
        connection.program.terminate()
        _ = await connection.program.waitForExit()
    }

    /// Ends processes that have had no call for this long.
    package func stopIdle(after seconds: Double) async {
        guard seconds > 0 else { return }
        for (key, entry) in entries {
            guard let connection = entry.connection else { continue }
            if connection.busyCount > 0 || (key.point == .fileProvider && observed.observes(key.provider)) {
                entries[key]?.lastUse = clock.now
            } else if let lastUse = entry.lastUse, clock.now - lastUse > .seconds(seconds) {
                await stop(key)
            }
        }
    }

    /// Ends processes whose code others may now change, at once, and processes whose code was replaced, when they have
    /// no call. The next call starts them again, or explains why not.
    package func endChanged() async {
        for (key, entry) in entries {
            guard let connection = entry.connection, !connection.files.isUnchanged else { continue }
            let distrust = connection.files.distrust(provider: key.provider)?.failure
            guard distrust != nil || connection.busyCount == 0 else { continue }
            logger.warning(
                "an extension is being stopped: its library changed",
                metadata: ["provider": "\(key.provider)", "why": "\(distrust?.message ?? "it was replaced")"])
            await stop(key)
        }
    }

    // When another folder takes the place of one, the sandbox still shows the old one. The next call starts a new
    // process.
    private func follow(_ folders: ShownFolders, of connection: ExtensionConnection, _ key: Key) {
        Task { [weak self, weak connection, worker] in
            while true {
                try await Task.sleep(for: .seconds(2))
                // A file system that does not answer delays only this task.
                guard connection?.isAlive == true else { return }
                guard try await !worker.run({ _ in folders.isUnchanged }) else { continue }
                guard let self, let connection else { return }
                guard connection.busyCount == 0 else { continue }
                return await self.replace(connection, key)
            }
        }
    }

    private func replace(_ connection: ExtensionConnection, _ key: Key) async {
        guard entries[key]?.connection === connection else { return }
        logger.notice("an extension is being restarted: its folders changed", metadata: ["provider": "\(key.provider)"])
        await stop(key)
    }

    /// Every extension that was used, for `docent daemon status`.
    package func statuses() -> [Wire.ExtensionStatus] {
        entries.map { key, entry in
            let running = entry.connection?.program
            return Wire.ExtensionStatus(
                provider: key.provider, point: key.point.rawValue,
                state: running != nil ? "running" : entry.start != nil ? "starting" : "ended",
                processIdentifier: (running?.pluginProcess ?? running?.outermostProcess).map(Int.init),
                residentBytes: running?.residentBytes,
                crashes: entry.crashes.count, message: entry.lastMessage)
        }.sorted { ($0.provider, $0.point) < ($1.provider, $1.point) }
    }

    /// Closes a sandbox as for an extension, without loading one, and reports the result.
    package func rehearse() async -> Wire.Check { await launcher.rehearse() }

    private var now: Double { clock.date.timeIntervalSince1970 }
}
