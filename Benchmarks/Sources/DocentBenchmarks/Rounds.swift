/// Rounds of a comparison: both sides in every round, each first in turn.
enum Rounds {
    /// Seconds of both sides, round by round. Each side is told the number of the round; round 0 warms up and is not
    /// counted.
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
