/// Writes times, for the query language and in names of files.
package enum MomentFormat {
    /// A moment as `2024-05-31T08:00:00Z`, with whole seconds, within the years 1 to 9999.
    package static func text(_ moment: Double) -> String {
        let seconds = moment.isNaN ? 0 : Int(min(max(moment, -62_135_596_800), 253_402_300_799).rounded(.up))
        let (days, time) = (floorDivide(seconds, 86_400), seconds - floorDivide(seconds, 86_400) * 86_400)
        // The Gregorian calendar, counted from 0000-03-01.
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(time / 3600, 2)):"
            + "\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))Z"
    }

    private static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
