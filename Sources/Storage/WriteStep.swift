/// The steps of a save at which tests interrupt it, with their numbers in the requirements (W1 to W9).
package enum WriteStep: String, CaseIterable, Sendable {
    /// (1) Space reserved, staged file created, operation recorded in the journal.
    case opened
    /// (2) Content frozen and digest computed.
    case frozen
    /// (3) Attributes copied, file durable.
    case durable
    /// (4) Linked into Uploads.
    case linked
    /// (5) Committed.
    case committed
    /// (6) in the middle: the name has the new content; the displaced file is not settled yet.
    case renamed
    /// (6) Displaced file settled, directories durable.
    case published
    /// (7) Journal says published.
    case recorded
    /// (9) in the middle: a remote provider has confirmed; this is not recorded here yet.
    case sent
    /// (9) Journal says uploaded; the link in Uploads is still there.
    case uploadRecorded
    /// (9) Done.
    case uploaded
}

/// Called after each step; tests end the process there. Does nothing in production.
package typealias CrashPoint = @Sendable (WriteStep) -> Void
