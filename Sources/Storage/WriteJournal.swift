/// The database's part in a write (W). Each call returns when its record is durable, `staged` with `synchronous=FULL`.
///
/// Called on the blocking worker, never on a task's thread.
package protocol WriteJournal: Sendable {
    /// Step 1: a write session was opened.
    func opened(_ record: WriteRecord) throws
    /// Step 5, **the commit point**: digest and size are set.
    func staged(_ record: WriteRecord) throws
    /// Step 7: the item has the content; its version grows by one. Must be idempotent.
    ///
    /// - Parameter conflict: the name in `VersionStore` of a file that was displaced and was not the base.
    func published(_ record: WriteRecord, conflict: FileName?) throws
    /// Step 9: the server has confirmed. Must be idempotent.
    func uploaded(_ record: WriteRecord) throws
}

/// The numbered steps of W, as tests interrupt them.
package enum WriteStep: String, CaseIterable, Sendable {
    /// (1) Space reserved, staged file made, journal opened.
    case opened
    /// (2) Content frozen and digested.
    case frozen
    /// (3) Attributes copied, file durable.
    case durable
    /// (4) Linked into Uploads.
    case linked
    /// (5) Committed.
    case committed
    /// (6) in the middle: the name has the new content, what it displaced is not yet settled.
    case renamed
    /// (6) Displaced file settled, directories durable.
    case published
    /// (7) Journal says published.
    case recorded
    /// (9) in the middle: a remote provider has confirmed, nothing here knows it yet.
    case sent
    /// (9) Journal says uploaded; the link in Uploads is still there.
    case uploadRecorded
    /// (9) Done.
    case uploaded
}

/// Called after each step; tests end the process there. Does nothing in production.
package typealias CrashPoint = @Sendable (WriteStep) -> Void
