/// How long a version made of whole seconds may still mean two contents.
///
/// A change within the second of the one before it keeps such a version if it keeps the size. So content and version
/// are taken together only when that second is over, by the server's own clock.
enum Settling {
    /// The age in seconds from which a version is taken for that of what is read: two, for file systems that count in
    /// twos.
    static let ageToRead = 2.0
    /// The age in seconds from which our own upload is published: any later change has another second then.
    static let ageToPublish = 1.0
    /// No date is waited for that is further away: it was set by hand.
    private static let farthest = 10.0

    /// The seconds until a version has an age, at most; 0 if it has.
    ///
    /// - Parameters:
    ///   - modified: The date of the document, in seconds since 1970.
    ///   - now: The server's time when it told that date; nil if it did not say.
    static func remaining(until age: Double, modified: Double?, now: Double?) -> Double {
        guard let modified, let now else { return 0 }
        let remaining = modified.rounded(.down) + age - now
        return remaining > 0 && remaining <= farthest ? remaining : 0
    }
}
