import FoundationEssentials

extension Date {
    /// Whole milliseconds since 1970, the form in which the database keeps moments.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// This moment as the database would give it back.
    var stored: Date { Date(milliseconds: milliseconds) }
}
