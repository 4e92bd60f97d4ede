import DocentInterfaces
package import Records
package import Storage
import Synchronization

/// One package in progress, between `BeginPackage` and its end. Thread-safe.
package final class PackageSession: Sendable {
    private struct State {
        var plan: PackagePlan
        var files = 0
        var isClosed = false
    }

    /// The row in the journal.
    package let row: JournaledOperation
    /// The version of the package that the change is based on.
    package let baseVersion: String
    private let isReplacing: Bool
    private let staging: PackageStaging
    private let state: Mutex<State>

    /// Begins a session whose folder exists. Blocks.
    package init(row: JournaledOperation, _ session: PackageStaging.Session, staging: PackageStaging) throws {
        self.row = row
        self.staging = staging
        baseVersion = session.baseVersion
        isReplacing = session.isReplacing
        state = Mutex(State(plan: try PackagePlan(base: session.base, replacing: session.isReplacing)))
        try staging.record(session, of: row.id)
    }

    /// Restores the session of an earlier daemon from its record (D3). Blocks.
    ///
    /// - Throws: ``Failure`` `NotFound` if there is no record.
    package init(resuming row: JournaledOperation, staging: PackageStaging) throws {
        guard let (session, changes) = try staging.session(row.id) else {
            throw Failure(.notFound, "The unfinished package is gone.", suggestion: "Begin a new one.")
        }
        self.row = row
        self.staging = staging
        baseVersion = session.baseVersion
        isReplacing = session.isReplacing
        var plan = try PackagePlan(base: session.base, replacing: session.isReplacing)
        // A change that was refused then is refused again.
        for change in changes { _ = try? plan.apply(change) }
        // Names of staged files continue after the last one. A name may have been used for a change, or for a call that
        // was never answered.
        state = Mutex(State(plan: plan, files: changes.count + 1_000_000))
    }

    /// The elements that it began with, by path; empty when replacing.
    package var elements: [PackageManifest.Base] {
        isReplacing ? [] : state.withLock { $0.plan.base.values.sorted { $0.path < $1.path } }
    }

    /// The bytes of its staged files.
    var stagedBytes: UInt64 { state.withLock { $0.plan.stagedBytes } }

    /// How many elements it removes or replaces so far.
    var replacedElements: Int { state.withLock { $0.plan.manifest.replacedElements } }

    /// The element that was at a path when it began.
    func base(_ path: PackagePath) -> PackageManifest.Base? { state.withLock { $0.plan.base[path] } }

    /// A name for another staged file.
    func nextFile() throws -> String {
        try state.withLock { state in
            guard !state.isClosed else { throw Self.closed }
            state.files += 1
            return "e\(state.files)"
        }
    }

    /// Applies a change after recording it. Blocks.
    ///
    /// - Returns: the staged files that are no longer needed.
    /// - Throws: ``Failure`` `Conflict` once the package is being committed or abandoned; what the change throws.
    func apply(_ change: PackageChange) throws -> [String] {
        try state.withLock { state in
            guard !state.isClosed else { throw Self.closed }
            try staging.record(change, of: row.id)
            return try state.plan.apply(change)
        }
    }

    /// Stops accepting changes and returns the resulting package.
    ///
    /// - Throws: ``Failure`` `Conflict` if it is already being committed.
    func close() throws -> PackageManifest {
        try state.withLock { state in
            guard !state.isClosed else { throw Self.closed }
            state.isClosed = true
            return state.plan.manifest
        }
    }

    /// Accepts changes again after a commit that failed before its commit point.
    func reopen() { state.withLock { $0.isClosed = false } }

    private static var closed: Failure {
        Failure(.conflict, "The package is being committed, or was abandoned.", suggestion: "Begin a new change.")
    }
}
