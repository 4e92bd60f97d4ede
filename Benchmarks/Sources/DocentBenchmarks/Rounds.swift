/// Rounds of a comparison: both sides run in every round, and take turns at going first.
enum Rounds {
    /// The seconds of both sides, round by round. Each side receives the number of the round; round 0 is a warm-up and
    /// does not count.
    static func interleaved(
        _ count: Int, ours: (Int) async throws -> Double, others: (Int) async throws -> Double
    ) async throws -> (ours: [Double], others: [Double]) {
        var result: (ours: [Double], others: [Double]) = ([], [])
        for round in 0...count {
            let mine: Double
            let theirs: Double
            if round.isMultiple(of: 2) {
                mine = try await ours(round)
                theirs = try await others(round)
            } else {
                theirs = try await others(round)
                mine = try await ours(round)
            }
            guard round > 0 else { continue }
            result.ours.append(mine)
            result.others.append(theirs)
        }
        return result
    }
}
