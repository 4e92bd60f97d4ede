import ArgumentParser
import CommandConsole

/// Moments as they are typed. Pure.
enum MomentText {
    /// The seconds since 1970 of a moment: a span before now, or a UTC date such as `2026-11-20` or
    /// `2026-11-20T10:30:00Z`.
    static func parse(_ text: String, now: Double) throws -> Double {
        if let date = date(text) { return date }
        guard let span = try? DurationText.parse(text) else {
            throw ValidationError(
                "\"\(text)\" is not a time. Write 90s, 2h or 30d for that long ago, or a date like 2026-11-20 or "
                    + "2026-11-20T10:30:00Z (UTC).")
        }
        return now - span
    }

    private static func date(_ text: String) -> Double? {
        guard let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?Z?)?/),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), (1...9999).contains(year),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let (hour, minute, second) = (number(match.4), number(match.5), number(match.6))
        guard hour < 24, minute < 60, second < 60 else { return nil }
        // Days since 1970 in the Gregorian calendar, with years that begin in March.
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        let seconds = Double(days * 86_400 + hour * 3600 + minute * 60 + second)
        // Rejects dates such as 31 April, which would become another day.
        guard Timestamp.text(seconds)?.hasPrefix("\(match.1)-\(match.2)-\(match.3)") == true else { return nil }
        return seconds
    }

    private static func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
}
