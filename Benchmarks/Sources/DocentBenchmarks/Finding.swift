/// One line of the table: a figure, its parts, and its goal.
struct Finding: Encodable, Sendable {
    /// What was measured.
    var what: String
    /// Median of the rounds, in `unit`.
    var value: Double
    /// `times` for a ratio, else `ms`, `s` or `MiB`.
    var unit: String
    /// The highest acceptable value, in the same unit.
    var goal: Double?
    /// The medians from which the figure is computed, by name with unit.
    var parts: [Part]

    struct Part: Encodable, Sendable {
        var name: String
        var value: Double
        var unit: String
    }

    /// Whether the goal is met; nil without one.
    var isMet: Bool? { goal.map { value <= $0 } }

    /// A ratio of two medians of seconds, with both shown in a unit of `scale` seconds.
    static func ratio(
        _ what: String, goal: Double?, _ name: String, _ ours: [Double], to otherName: String, _ others: [Double],
        unit: String, scale: Double
    ) -> Finding {
        // Round by round: a disturbance affects both sides of its round.
        let ratios = zip(ours, others).map { $0 / $1 }
        return Finding(
            what: what, value: ratios.median, unit: "times", goal: goal,
            parts: [
                .init(name: name, value: ours.median / scale, unit: unit),
                .init(name: otherName, value: others.median / scale, unit: unit),
                .init(name: "lowest ratio", value: ratios.min() ?? 0, unit: "times"),
                .init(name: "highest ratio", value: ratios.max() ?? 0, unit: "times"),
            ])
    }
}

extension [Double] {
    /// The median; not a number for an empty list.
    var median: Double {
        guard !isEmpty else { return .nan }
        let ordered = sorted()
        return count % 2 == 1 ? ordered[count / 2] : (ordered[count / 2 - 1] + ordered[count / 2]) / 2
    }
}
