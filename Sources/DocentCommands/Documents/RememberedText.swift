import CommandConsole
import Documents

/// The warning of `docent ls` and `docent info` about what may be out of date. Pure.
enum RememberedText {
    /// Goes to standard error, so that a program that reads the names gets nothing else.
    ///
    /// - Parameter done: what was done with what is remembered.
    static func warning(_ remembered: RememberedListing, _ done: String = "listed") -> String {
        let since = Timestamp.text(remembered.since).map { "as of \($0)" } ?? "as it was known before"
        return "docent: \(done) from memory, \(since): \(SafeText.escaped(remembered.reason))\n"
    }
}
