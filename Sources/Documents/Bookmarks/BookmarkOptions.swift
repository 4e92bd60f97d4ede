/// Options for making a bookmark: those of `NSURLBookmarkCreationOptions` that apply to documents of providers.
public struct BookmarkOptions: OptionSet, Sendable, Hashable {
    /// The bit mask.
    public let rawValue: Int
    /// Creates options from a bit mask.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The bookmark restores only the right to read, even if more is granted.
    public static let securityScopeAllowOnlyReadAccess = BookmarkOptions(rawValue: 1)
}
