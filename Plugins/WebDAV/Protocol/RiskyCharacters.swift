import FileProvider
import HTTPTransport

/// Characters that some servers misread in the `Destination` of MOVE and COPY, although they accept them in the URL of
/// a request.
///
/// WsgiDAV cuts a destination at `?` and `;` and drops tabs and newlines, so that another document would be replaced.
struct RiskyCharacters: Hashable, Sendable {
    /// Sorted by code point.
    let scalars: [Unicode.Scalar]

    /// The characters of the first trial. Most servers keep all of them, which saves further trials.
    static let common = RiskyCharacters(in: "#%&+;?")

    init(in text: String) { self.init(Set(text.unicodeScalars.filter(Self.isRisky))) }

    /// The risky characters in all names of a path.
    init(in path: RemotePath) {
        self.init(in: path.names.map { String(decoding: $0.bytes, as: UTF8.self) }.joined())
    }

    private init(_ set: Set<Unicode.Scalar>) { scalars = set.sorted() }

    var isEmpty: Bool { scalars.isEmpty }

    /// Whether a server might take one of them for the end of a path.
    ///
    /// If the address of an account contains one, not even a trial is harmless: the server would put the document of
    /// the trial at the address that it cut, outside the account.
    var mayEndPath: Bool { scalars.contains { !"%&+".unicodeScalars.contains($0) } }

    func isSubset(of other: RiskyCharacters) -> Bool { Set(scalars).isSubset(of: other.scalars) }

    func union(_ other: RiskyCharacters) -> RiskyCharacters { RiskyCharacters(Set(scalars).union(other.scalars)) }

    /// A name with all these characters, which is harmless when it is cut at any of them.
    var name: LocalName? {
        LocalName("a" + scalars.map { "\($0)" }.joined(separator: "b") + "c")
    }

    private static func isRisky(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "?", ";", "#", "%", "&", "+", "\\": true
        default:
            switch scalar.properties.generalCategory {
            // Tabs and newlines; bidirectional marks and the byte-order mark; line separators.
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }
}
