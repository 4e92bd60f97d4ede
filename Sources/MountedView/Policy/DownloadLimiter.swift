/// Counts, for each program, the documents that are downloaded for it within a minute. Pure: its caller has the clock.
struct DownloadLimiter: Sendable {
    /// The time within which documents are counted, and the pause after which a stopped program may continue.
    static let window: Duration = .seconds(60)
    private static let mostPrograms = 200

    private struct Program {
        var limit: Int
        var lastAttempt: ContinuousClock.Instant
        /// When each document was asked for last.
        var documents: [UInt64: ContinuousClock.Instant] = [:]
        var isStopped = false

        mutating func admit(_ document: UInt64, at now: ContinuousClock.Instant) -> Bool {
            guard !isStopped else { return false }
            // Asking again for the same one, for example because it cannot be reached, counts once.
            if documents[document] == nil, documents.count >= limit {
                documents = documents.filter { now - $0.value < DownloadLimiter.window }
                isStopped = documents.count >= limit
                guard !isStopped else { return false }
            }
            documents[document] = now
            return true
        }
    }

    private var programs: [String: Program] = [:]

    /// Whether a document may be downloaded for a program. A program that asks for more than its limit gets nothing
    /// until it has not asked for a minute, or until its limit changes.
    ///
    /// - Parameters:
    ///   - program: what identifies the program.
    ///   - limit: the number of documents that it may have within a minute.
    mutating func admit(
        _ document: UInt64, for program: String, limit: Int, at now: ContinuousClock.Instant
    ) -> Bool {
        // Taken out, so that it is changed in place.
        var known = programs.removeValue(forKey: program) ?? Program(limit: limit, lastAttempt: now)
        if now - known.lastAttempt >= Self.window { known = Program(limit: limit, lastAttempt: now) }
        if known.limit != limit {
            known.limit = limit
            known.isStopped = false
        }
        known.lastAttempt = now
        let isAdmitted = known.admit(document, at: now)
        makeRoom(at: now)
        programs[program] = known
        return isAdmitted
    }

    private mutating func makeRoom(at now: ContinuousClock.Instant) {
        guard programs.count >= Self.mostPrograms else { return }
        programs = programs.filter { now - $0.value.lastAttempt < Self.window }
        guard programs.count >= Self.mostPrograms,
            let oldest = programs.min(by: { $0.value.lastAttempt < $1.value.lastAttempt })
        else { return }
        programs[oldest.key] = nil
    }
}
