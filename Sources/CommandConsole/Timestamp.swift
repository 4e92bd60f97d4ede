/// Formats times as ISO 8601 in UTC, to the second.
package enum Timestamp {
    /// The text for seconds since 1970; nil for nil, and outside the years 1 to 9999.
    ///
    /// Formatted by hand: a folder may have a hundred thousand of them, and a formatter takes microseconds for each.
    package static func text(_ seconds: Double?) -> String? {
        guard let seconds, (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
        let whole = Int(seconds.rounded(.down))
        // Days since 0000-03-01, so that a leap day is the last day of its year.
        let days = (whole - whole.modulo(86_400)) / 86_400 + 719_468
        let era = (days - days.modulo(146_097)) / 146_097
        let dayOfEra = days.modulo(146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let second = whole.modulo(86_400)
        return String(unsafeUninitializedCapacity: 20) { text in
            var end = 0
            func write(_ number: Int, _ count: Int, then separator: Unicode.Scalar) {
                var rest = number
                for index in (end..<end + count).reversed() {
                    text.initializeElement(at: index, to: UInt8(ascii: "0") + UInt8(rest % 10))
                    rest /= 10
                }
                text.initializeElement(at: end + count, to: UInt8(ascii: separator))
                end += count + 1
            }
            write(year, 4, then: "-")
            write(month, 2, then: "-")
            write(day, 2, then: "T")
            write(second / 3600, 2, then: ":")
            write(second / 60 % 60, 2, then: ":")
            write(second % 60, 2, then: "Z")
            return end
        }
    }
}

extension Int {
    /// The remainder; never negative.
    fileprivate func modulo(_ divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
