package import FoundationEssentials

extension Date {
    /// Whole milliseconds since 1970, the database's form of a date.
    package var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

    /// The date for these milliseconds since 1970.
    package init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// This date, rounded as the database stores it.
    package var stored: Date { Date(milliseconds: milliseconds) }
}
