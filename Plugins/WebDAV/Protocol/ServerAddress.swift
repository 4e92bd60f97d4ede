import FileProvider
import HTTPTransport

/// The collection that is the root of a domain.
struct ServerAddress: Hashable, Sendable {
    /// Scheme, host and port.
    let origin: String
    /// The names in the path of the root.
    let base: [LocalName]

    /// - Parameter url: The URL as the user wrote it.
    /// - Throws: `FileProviderError` that says what is wrong with the URL.
    init(url: String) throws {
        let text = String(url.trimmed)
        guard text.utf8.count <= 2_000, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x5C }) else {
            throw FileProviderError(.invalidArgument, "The url contains an invalid character. Encode spaces as %20.")
        }
        guard let scheme = text.firstRange(of: "://"),
            ["http", "https"].contains(text[..<scheme.lowerBound].lowercased())
        else {
            throw FileProviderError(
                .invalidArgument,
                "The url does not begin with http:// or https://. Give the address of a WebDAV folder.")
        }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, !authority.contains("@") else {
            throw FileProviderError(
                .invalidArgument,
                "The url names no server, or it names a user. Give the user with --username and sign in with the "
                    + "password.")
        }
        let path = rest.dropFirst(authority.count)
        guard !path.contains("?"), !path.contains("#") else {
            throw FileProviderError(
                .invalidArgument, "The url has a query or a fragment. Leave out everything from ? or # on.")
        }
        guard let names = Self.names(of: path.utf8) else {
            throw FileProviderError(.invalidArgument, "The path of the url cannot be the path of a folder.")
        }
        origin = text[..<scheme.lowerBound].lowercased() + "://" + authority.lowercased()
        base = names
    }

    init(origin: String, base: [LocalName]) {
        self.origin = origin
        self.base = base
    }

    /// Whether requests cannot be read on the way, because they use https or do not leave this machine.
    var isProtected: Bool { origin.hasPrefix("https://") || OAuthAddress.isLoopback(origin) }

    /// The URL of a resource below the root. The URL of a folder ends with a slash.
    func url(of path: RemotePath, isFolder: Bool = false) -> String {
        var text = origin
        for name in base + path.names { text += "/" + SegmentEncoding.encode(name.bytes) }
        return isFolder || path.isRoot ? text + "/" : text
    }

    /// The path to which a reference in an answer leads; nil if it is outside the root or is not a valid name.
    ///
    /// - Parameters:
    ///   - href: An absolute or relative reference, in any encoding that servers use. Its host is ignored, because
    ///     servers behind a proxy do not know their own name.
    ///   - folder: The folder against which a relative reference is resolved.
    func path(ofReference href: String, in folder: RemotePath) -> RemotePath? {
        var text = href.trimmed.prefix { $0 != "?" && $0 != "#" }.utf8
        var start: [LocalName] = []
        if let scheme = href.firstRange(of: "://"), !href[..<scheme.lowerBound].contains("/") {
            text = String(text)?.dropFirst(href.distance(from: href.startIndex, to: scheme.upperBound)).utf8 ?? text
            text = text.drop { $0 != UInt8(ascii: "/") }
        } else if text.first != UInt8(ascii: "/") {
            start = base + folder.names
        }
        guard let rest = Self.names(of: text) else { return nil }
        let names = start + rest
        guard names.count >= base.count, names.starts(with: base) || Self.isSame(names.prefix(base.count), base) else {
            return nil
        }
        return RemotePath(Array(names.dropFirst(base.count)))
    }

    // Accepts the same names in another Unicode normalisation form.
    private static func isSame(_ left: ArraySlice<LocalName>, _ right: [LocalName]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.displayed == $1.displayed }
    }

    private static func names(of path: some Sequence<UInt8>) -> [LocalName]? {
        var names: [LocalName] = []
        for segment in Array(path).split(separator: UInt8(ascii: "/")) {
            if segment.elementsEqual(".".utf8) { continue }
            guard let name = LocalName(bytes: SegmentEncoding.decode(segment)), names.count < 200 else { return nil }
            names.append(name)
        }
        return names
    }
}
