import CommandConsole
import Documents

/// The warning of `docent ls` about a listing that may be out of date. Pure.
enum RememberedText {
    /// Goes to standard error, so that a program that reads the names gets nothing else.
    static func warning(_ remembered: RememberedListing) -> String {
        let since = Timestamp.text(remembered.since).map { "as of \($0)" } ?? "as it was known before"
        return "docent: listed from memory, \(since): \(SafeText.escaped(remembered.reason))\n"
    }
}
