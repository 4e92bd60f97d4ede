package import FoundationEssentials

extension Date {
    /// Whole milliseconds since 1970, the form in which the database keeps moments.
    package var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

    /// The moment that is stored as these milliseconds since 1970.
    package init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// This moment as the database would give it back.
    package var stored: Date { Date(milliseconds: milliseconds) }
}
