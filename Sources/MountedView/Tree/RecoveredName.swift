import Glibc

/// The name of a document with content whose own document has gone.
enum RecoveredName {
    /// - Parameter moment: in seconds since 1970; shown in the time zone of this process.
    static func of(_ name: String, at moment: Double) -> String {
        var seconds = time_t(moment)
        var parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let mark = " (recovered \(date) \(two(parts.tm_hour)).\(two(parts.tm_min)).\(two(parts.tm_sec)))"
        let (stem, suffix) = ShownNames.split(name)
        return ShownNames.shortened(stem, to: ShownNames.longest - mark.utf8.count - suffix.utf8.count) + mark + suffix
    }
}
