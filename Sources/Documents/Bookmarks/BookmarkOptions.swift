/// How a bookmark is made (NSURLBookmarkCreationOptions, as far as it concerns documents of providers).
public struct BookmarkOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int
    /// Options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The bookmark brings back the right to read alone, though more is granted.
    public static let securityScopeAllowOnlyReadAccess = BookmarkOptions(rawValue: 1)
}
