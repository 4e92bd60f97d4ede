import CommandConsole
import Documents

/// What `docent ls` says of a listing that is out of date, perhaps. Pure.
enum RememberedText {
    /// For standard error, so that the names stay what they are for a program that reads them.
    static func warning(_ remembered: RememberedListing) -> String {
        let since = Timestamp.text(remembered.since).map { "as of \($0)" } ?? "as it was known before"
        return "docent: listed from memory, \(since): \(SafeText.escaped(remembered.reason))\n"
    }
}
