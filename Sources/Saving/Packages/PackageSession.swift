import DocentInterfaces
package import Records
package import Storage
import Synchronization

/// One package in the making, between BeginPackage and its end. Thread-safe.
package final class PackageSession: Sendable {
    private struct State {
        var plan: PackagePlan
        var files = 0
        var isClosed = false
    }

    /// Its row in the journal.
    package let row: JournaledOperation
    /// The version of the package from which it began.
    package let baseVersion: String
    private let isReplacing: Bool
    private let staging: PackageStaging
    private let state: Mutex<State>

    /// A session that begins; its folder is there. Blocks.
    package init(row: JournaledOperation, _ session: PackageStaging.Session, staging: PackageStaging) throws {
        self.row = row
        self.staging = staging
        baseVersion = session.baseVersion
        isReplacing = session.isReplacing
        state = Mutex(State(plan: try PackagePlan(base: session.base, replacing: session.isReplacing)))
        try staging.record(session, of: row.id)
    }

    /// The session of an earlier daemon, as it is on record (D3). Blocks.
    ///
    /// - Throws: ``Failure`` `NotFound` when nothing is on record.
    package init(resuming row: JournaledOperation, staging: PackageStaging) throws {
        guard let (session, changes) = try staging.session(row.id) else {
            throw Failure(.notFound, "The package in the making is gone.", suggestion: "Begin a new one.")
        }
        self.row = row
        self.staging = staging
        baseVersion = session.baseVersion
        isReplacing = session.isReplacing
        var plan = try PackagePlan(base: session.base, replacing: session.isReplacing)
        // What was refused then is refused again.
        for change in changes { _ = try? plan.apply(change) }
        // The names of staged files go on after the last: each was for a change, or for one that was never answered.
        state = Mutex(State(plan: plan, files: changes.count + 1_000_000))
    }

    /// What it began with, by path; nothing when replacing.
    package var elements: [PackageManifest.Base] {
        isReplacing ? [] : state.withLock { $0.plan.base.values.sorted { $0.path < $1.path } }
    }

    /// What was at a path when it began.
    func base(_ path: PackagePath) -> PackageManifest.Base? { state.withLock { $0.plan.base[path] } }

    /// A name for one more staged file.
    func nextFile() throws -> String {
        try state.withLock { state in
            guard !state.isClosed else { throw Self.closed }
            state.files += 1
            return "e\(state.files)"
        }
    }

    /// Makes a change, which is on record first. Blocks.
    ///
    /// - Returns: the staged files that are no longer of use.
    /// - Throws: ``Failure`` `Conflict` once it is being committed or given up; what the change throws.
    func apply(_ change: PackageChange) throws -> [String] {
        try state.withLock { state in
            guard !state.isClosed else { throw Self.closed }
            try staging.record(change, of: row.id)
            return try state.plan.apply(change)
        }
    }

    /// Takes no further change, and tells what the package shall be.
    ///
    /// - Throws: ``Failure`` `Conflict` when it is being committed already.
    func close() throws -> PackageManifest {
        try state.withLock { state in
            guard !state.isClosed else { throw Self.closed }
            state.isClosed = true
            return state.plan.manifest
        }
    }

    /// Takes changes again: a commit failed before its point.
    func reopen() { state.withLock { $0.isClosed = false } }

    private static var closed: Failure {
        Failure(.conflict, "The package is being committed, or was given up.", suggestion: "Begin a new change.")
    }
}
