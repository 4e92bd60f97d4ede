import CCurl
import Glibc

/// Dates as servers write them, in seconds since 1970. Implausible dates are nil.
enum HTTPDate {
    /// Reads an HTTP date in any of its three forms.
    static func seconds(_ text: String) -> Double? {
        let time = curl_getdate(text, nil)
        return plausible(Double(time), isWrong: time == -1)
    }

    /// Reads an ISO 8601 date in UTC or with an offset, for example `2026-11-21T23:15:03Z`. Also accepts an HTTP date.
    static func secondsISO(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> CInt? {
            guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            return CInt(String(decoding: bytes[range], as: UTF8.self))
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), bytes[4] == UInt8(ascii: "-"), year > 1600,
            (1...12).contains(month), (1...31).contains(day), hour < 25, minute < 60, second < 62
        else { return seconds(text) }
        var parts = tm()
        parts.tm_year = year - 1_900
        parts.tm_mon = month - 1
        parts.tm_mday = day
        parts.tm_hour = hour
        parts.tm_min = minute
        parts.tm_sec = second
        var time = Double(timegm(&parts))
        let zone = bytes.dropFirst(19).drop { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
        if let sign = zone.first, sign != UInt8(ascii: "Z"),
            let hours = number(zone.startIndex + 1..<zone.startIndex + 3)
        {
            let minutes = number(zone.startIndex + 4..<zone.startIndex + 6) ?? 0
            time -= Double(hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
        }
        return plausible(time, isWrong: false)
    }

    /// An HTTP date in whole seconds, for example `Sat, 21 Nov 2026 23:15:03 GMT`.
    static func text(_ seconds: Double) -> String {
        var time = time_t(plausible(seconds, isWrong: false) ?? 0)
        var parts = tm()
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func padded(_ number: CInt, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded($0) }.joined(separator: ":")
        return "\(days[Int(parts.tm_wday)]), \(padded(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
            + "\(padded(parts.tm_year + 1_900, 4)) \(clock) GMT"
    }

    private static func plausible(_ time: Double, isWrong: Bool) -> Double? {
        !isWrong && time >= 0 && time < 253_402_300_800 ? time : nil
    }
}
