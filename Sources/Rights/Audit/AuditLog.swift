package import FoundationEssentials
import GRDB
import Synchronization

/// The record of what was granted, taken, revoked, refused, opened, downloaded and merged (I4).
///
/// Guarantees about the disk:
/// - Changes of rights are written by ``GrantStore`` in the transaction of the change itself.
/// - The first refusal for a client, document and reason in each minute is on disk before its call returns;
///   simultaneous calls share one write. Repeated refusals are only counted, and so are those beyond
///   ``AuditTallies/Limits``.
/// - Counts, allowed opens and downloads are in memory until ``run()`` writes them, each second.
package final class AuditLog: Sendable {
    private struct State {
        var tallies = AuditTallies()
        /// The running write, and the one that waits for it and will include everything recorded until it begins.
        var running: Task<Void, any Error>?
        var next: Task<Void, any Error>?
        var writtenSincePruning = 0
    }

    /// How many entries may be written between two prunings.
    private static let pruningInterval = 20_000

    let database: HostDatabase
    /// How long and how much is kept.
    package let retention: AuditRetention
    private let state = Mutex(State())
    private let onFailure: @Sendable (any Error) -> Void

    /// Makes a log in an open database.
    /// - Parameter onFailure: called when counts could not be written; they are kept and tried again.
    package init(
        database: HostDatabase, retention: AuditRetention = AuditRetention(),
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.database = database
        self.retention = retention
        self.onFailure = onFailure
    }

    /// Counts an allowed open. Memory only; callable from any thread.
    /// - Parameters:
    ///   - grant: the right that allows it.
    ///   - process: the client's process.
    ///   - executable: the client's program, if known.
    package func noteOpened(
        _ principal: Principal, _ item: ItemKey, _ access: AccessLevel, grant: Int64? = nil, process: Int? = nil,
        executable: String? = nil, at moment: Date = .now
    ) {
        guard principal.kind != .unknown else { return }
        let key = AuditTallies.Key(
            subject: AuditTallies.Subject(principal), item: item, event: .opened, access: access, detail: "",
            minute: moment.minute)
        let tally = AuditTallies.Tally(
            at: moment, AuditTallies.Circumstances(grant: grant, process: process, executable: executable))
        state.withLock { $0.tallies.note(key, tally) }
    }

    /// Counts a download. Memory only; callable from any thread.
    /// - Parameters:
    ///   - cause: the client for which it begins; nil when Docent itself needs it.
    ///   - detail: its purpose, in a few words.
    package func noteDownloaded(
        _ cause: Principal?, _ item: ItemKey, detail: String, process: Int? = nil, executable: String? = nil,
        at moment: Date = .now
    ) {
        let key = AuditTallies.Key(
            subject: cause.map(AuditTallies.Subject.init) ?? .docent, item: item, event: .downloaded, access: .read,
            detail: detail, minute: moment.minute)
        let tally = AuditTallies.Tally(
            at: moment, AuditTallies.Circumstances(process: process, executable: executable))
        state.withLock { $0.tallies.note(key, tally) }
    }

    /// Records a refusal. The first of its kind in a minute is on disk before this returns.
    /// - Throws: ``HostDatabaseError``; the refusal is kept and tried again.
    package func recordRefused(
        _ principal: Principal, _ item: ItemKey, _ access: AccessLevel, reason: String, process: Int? = nil,
        executable: String? = nil, at moment: Date = .now
    ) async throws {
        let key = AuditTallies.Key(
            subject: AuditTallies.Subject(principal), item: item, event: .refused, access: access, detail: reason,
            minute: moment.minute)
        let tally = AuditTallies.Tally(
            at: moment, AuditTallies.Circumstances(process: process, executable: executable))
        let isFirst = state.withLock { $0.tallies.refuse(key, tally) }
        if isFirst { try await flush() }
    }

    /// Records that Docent has merged a conflict. On disk when this returns.
    ///
    /// - Parameters:
    ///   - name: the name of the document.
    ///   - detail: what was merged, in a few words.
    /// - Throws: ``HostDatabaseError``.
    package func recordMerged(_ item: ItemKey, name: String, detail: String, at moment: Date = .now) async throws {
        let key = AuditTallies.Key(
            subject: .docent, item: item, event: .merged, access: .readWrite, detail: detail, minute: moment.minute)
        let tally = AuditTallies.Tally(at: moment, AuditTallies.Circumstances())
        try await database.write { try Self.add($0, key, tally, name: name) }
    }

    /// Writes the counts each second until the task is cancelled, and once more at that point.
    package func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            do {
                try await flush()
                if isPruningDue() { try await prune() }
            } catch {
                onFailure(error)
            }
        }
    }

    /// Writes everything recorded before this call; simultaneous calls share a write.
    /// - Throws: ``HostDatabaseError``; the counts are kept.
    package func flush() async throws {
        let task = state.withLock { state -> Task<Void, any Error>? in
            if let next = state.next { return next }
            let running = state.running
            if running == nil, state.tallies.isEmpty { return nil }
            let task = Task { [self] in
                _ = await running?.result
                try await writeNext()
            }
            state.next = task
            return task
        }
        try await task?.value
    }

    private func writeNext() async throws {
        let taken = state.withLock { state in
            state.running = state.next
            state.next = nil
            return state.tallies.take()
        }
        defer {
            state.withLock { if $0.next == nil { $0.running = nil } }
        }
        if taken.isEmpty { return }
        do {
            // In chronological order, so that the newest entry has the highest number.
            let ordered = taken.sorted { $0.value.first < $1.value.first }
            try await database.write { database in
                for (key, tally) in ordered { try Self.add(database, key, tally) }
            }
            state.withLock { $0.writtenSincePruning += taken.count }
        } catch {
            state.withLock { $0.tallies.restore(taken) }
            throw error
        }
    }

    private func isPruningDue() -> Bool {
        state.withLock { state in
            guard state.writtenSincePruning >= Self.pruningInterval else { return false }
            state.writtenSincePruning = 0
            return true
        }
    }

    /// Adds an entry for a change of a right, in the transaction of the change.
    static func append(
        _ database: Database, _ event: AuditEntry.Event, _ grant: Grant, detail: String, executable: String? = nil,
        at moment: Date
    ) throws {
        try add(
            database,
            AuditTallies.Key(
                subject: AuditTallies.Subject(grant.principal), item: grant.item, event: event, access: grant.access,
                detail: detail, minute: moment.minute),
            AuditTallies.Tally(at: moment, AuditTallies.Circumstances(grant: grant.id, executable: executable)),
            name: grant.name)
    }

    /// Adds to the entry of the same minute if the index marks the event as counted.
    private static func add(
        _ database: Database, _ key: AuditTallies.Key, _ tally: AuditTallies.Tally, name: String? = nil
    ) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO audit (event, minute, principal_kind, principal_id, provider, domain, item, access, detail,
                    grant_id, process, executable, name, count, first, last)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (minute, principal_kind, principal_id, provider, domain, item, event, access, detail)
                    WHERE event IN ('opened', 'refused', 'downloaded')
                DO UPDATE SET count = count + excluded.count, first = min(first, excluded.first),
                    last = max(last, excluded.last), grant_id = coalesce(excluded.grant_id, grant_id),
                    process = coalesce(excluded.process, process),
                    executable = coalesce(excluded.executable, executable)
                """)
        let (subject, item, circumstances) = (key.subject, key.item, tally.circumstances)
        try statement.execute(arguments: [
            key.event.rawValue, key.minute, subject.kind.rawValue, subject.identifier, item.provider, item.domain,
            item.identifier, key.access.rawValue, key.detail, circumstances.grant, circumstances.process,
            circumstances.executable, name, tally.count, tally.first.milliseconds, tally.last.milliseconds,
        ])
    }
}
