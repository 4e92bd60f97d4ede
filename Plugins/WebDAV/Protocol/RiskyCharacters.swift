import FileProvider
import HTTPTransport

/// Characters of names that some servers mistake in the `Destination` of MOVE and COPY, though they take them in the
/// address of a request.
///
/// WsgiDAV cuts a destination at `?` and `;` and drops tabs and line feeds, so that another document would be replaced.
struct RiskyCharacters: Hashable, Sendable {
    /// In order of their numbers.
    let scalars: [Unicode.Scalar]

    /// What is tried together at first: that most servers keep all of it spares further trials.
    static let common = RiskyCharacters(in: "#%&+;?")

    init(in text: String) { self.init(Set(text.unicodeScalars.filter(Self.isRisky))) }

    /// Those of all names of a path.
    init(in path: RemotePath) {
        self.init(in: path.names.map { String(decoding: $0.bytes, as: UTF8.self) }.joined())
    }

    private init(_ set: Set<Unicode.Scalar>) { scalars = set.sorted() }

    var isEmpty: Bool { scalars.isEmpty }

    func isSubset(of other: RiskyCharacters) -> Bool { Set(scalars).isSubset(of: other.scalars) }

    func union(_ other: RiskyCharacters) -> RiskyCharacters { RiskyCharacters(Set(scalars).union(other.scalars)) }

    /// A name that has all of them, and is harmless where it is cut at any of them.
    var name: LocalName? {
        LocalName("a" + scalars.map { "\($0)" }.joined(separator: "b") + "c")
    }

    private static func isRisky(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "?", ";", "#", "%", "&", "+", "\\": true
        default:
            switch scalar.properties.generalCategory {
            // Tabs and line feeds; bidirectional marks and the byte-order mark; separators of lines.
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }
}
