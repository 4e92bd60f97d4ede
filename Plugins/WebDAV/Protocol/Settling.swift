/// How long a version made of whole seconds may still stand for two contents.
///
/// A second change within the same second keeps such a version if the size stays the same. So content and version are
/// only taken together when that second is over, by the server's own clock; by ours if the server does not say its
/// time.
enum Settling {
    /// The age in seconds from which a version is trusted for reading. File systems that count in steps of two seconds
    /// need two.
    static let ageToRead = 2.0
    /// The age in seconds from which our own upload is published. Any later change falls into another second.
    static let ageToPublish = 1.0
    /// A date further in the future was set by hand, and is not waited for.
    private static let farthest = 10.0

    /// The seconds until a version reaches an age; 0 if it already has.
    ///
    /// - Parameters:
    ///   - modified: The date of the document, in seconds since 1970.
    ///   - now: The server's time when it sent that date; nil if it is not known.
    static func remaining(until age: Double, modified: Double?, now: Double?) -> Double {
        guard let modified, let now else { return 0 }
        let remaining = modified.rounded(.down) + age - now
        return remaining > 0 && remaining <= farthest ? remaining : 0
    }
}
