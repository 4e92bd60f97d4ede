/// Reads the times of a query. Pure; all times are UTC.
package enum SearchMoment {
    private static let day = 86_400.0

    /// A day (`2024-05-31`), month (`2024-05`) or year (`2024`), at its beginning; a moment (`2024-05-31T08:00:00Z`); a
    /// time ago (`30s`, `5min`, `2h`, `7d`, `3w`); `today` or `yesterday`.
    ///
    /// - Returns: seconds since 1970; nil for any other text.
    package static func parse(_ text: String, now: Double) -> Double? {
        switch text {
        case "today": return (now / day).rounded(.down) * day
        case "yesterday": return ((now / day).rounded(.down) - 1) * day
        default: return ago(text).map { now - $0 } ?? date(text)
        }
    }

    private static func ago(_ text: String) -> Double? {
        let digits = text.utf8.prefix { isDigit($0) }.count
        guard (1...9).contains(digits), let number = Double(text.prefix(digits)) else { return nil }
        let units: [Substring: Double] = ["s": 1, "min": 60, "h": 3600, "d": day, "w": 7 * day]
        return units[text.dropFirst(digits)].map { number * $0 }
    }

    private static func date(_ text: String) -> Double? {
        var text = text[...]
        if text.hasSuffix("Z") { text.removeLast() }
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count <= 2, let date = numbers(halves[0], separator: "-", most: 3), date[0] >= 1,
            halves[0].utf8.prefix(4).allSatisfy(isDigit), halves[0].utf8.count >= 4
        else { return nil }
        let (year, month, day) = (date[0], date.count > 1 ? date[1] : 1, date.count > 2 ? date[2] : 1)
        guard year <= 9999, (1...12).contains(month), (1...length(of: month, in: year)).contains(day) else {
            return nil
        }
        var seconds = Double(days(year, month, day)) * Self.day
        if halves.count == 2 {
            guard date.count == 3, let time = numbers(halves[1], separator: ":", most: 3), time.count >= 2,
                time[0] < 24, time[1] < 60, time.count == 2 || time[2] < 60
            else { return nil }
            seconds += Double(time[0] * 3600 + time[1] * 60 + (time.count > 2 ? time[2] : 0))
        }
        return seconds
    }

    private static func numbers(_ text: Substring, separator: Character, most: Int) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard (1...most).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isDigit), let number = Int(part) else {
                return nil
            }
            numbers.append(number)
        }
        return numbers
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // The days from 1970-01-01 to a date of the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
