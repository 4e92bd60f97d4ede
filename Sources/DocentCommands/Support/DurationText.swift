import ArgumentParser

/// Durations as people write them: `90s`, `15m`, `8h`, `30d`, `2w`. Pure.
enum DurationText {
    /// The duration in seconds.
    ///
    /// - Throws: `ValidationError`.
    @Sendable
    static func parse(_ text: String) throws -> Double {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let last = text.last, let unit = units[last], let number = Double(text.dropLast()), number > 0,
            number * unit <= 3_155_760_000
        else { throw ValidationError("\"\(text)\" is not a length of time. Write 90s, 15m, 8h, 30d or 2w.") }
        return number * unit
    }
}
