package import DocentInterfaces

/// The location of a document as a person writes it: `provider[@domain]:/path`.
///
/// `provider` is a bundle identifier, or its last component where that is unambiguous.
public struct DocumentLocation: Sendable, Hashable, CustomStringConvertible {
    /// The provider's identifier or its last component.
    public var provider: String
    /// The domain; empty for the default domain.
    public var domain: String
    /// The names from the top, separated by slashes.
    public var path: String

    /// Creates a location from its parts. A missing leading slash is added to the path.
    public init(provider: String, domain: String = "", path: String) {
        self.provider = provider
        self.domain = domain
        self.path = path.hasPrefix("/") ? path : "/" + path
    }

    /// Parses `provider[@domain]:/path`.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` when the text is not a location.
    public init(_ text: String) throws(DocumentsError) {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
            throw DocumentsError(
                .invalidArgument, "\"\(text)\" is not a location.",
                suggestion: "Write PROVIDER[@DOMAIN]:/PATH, for example LocalFolder:/notes.txt.")
        }
        let authority = text[..<colon].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard !authority[0].isEmpty, authority.count == 1 || !authority[1].isEmpty else {
            throw DocumentsError(.invalidArgument, "\"\(text)\" does not name a provider.")
        }
        self.init(
            provider: String(authority[0]), domain: authority.count > 1 ? String(authority[1]) : "",
            path: String(text[text.index(after: colon)...]))
    }

    package var wire: Wire.Location { Wire.Location(provider: provider, domain: domain, path: path) }

    /// The last component of the path; empty at the top.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The location of the containing folder.
    public var parent: DocumentLocation {
        DocumentLocation(
            provider: provider, domain: domain, path: "/" + path.split(separator: "/").dropLast().joined(separator: "/")
        )
    }

    /// The location in the form `provider[@domain]:/path`.
    public var description: String { "\(provider)\(domain.isEmpty ? "" : "@" + domain):\(path)" }
}
