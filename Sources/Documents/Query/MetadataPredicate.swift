/// What a ``MetadataQuery`` looks for. Conditions are combined with `&&`; an item has to meet all of them.
///
/// ```swift
/// let predicate = MetadataPredicate.words("invoice 2024") && .type("public.pdf") && !.state(.downloaded)
/// ```
public struct MetadataPredicate: Sendable, Hashable {
    /// The state of an item on this machine.
    public enum State: String, Sendable, Hashable {
        /// Its content is on this machine.
        case downloaded
        /// Its content is only at the provider.
        case cloud
        /// It is always kept on this machine.
        case pinned
        /// It has changes that the provider does not have yet.
        case unsent
    }

    private struct Term: Sendable, Hashable {
        var text: String
        var isExcluded = false
    }

    private var terms: [Term]

    private init(_ text: String) { terms = [Term(text: text)] }

    private init(_ terms: [Term]) { self.terms = terms }

    /// Everything.
    public static let any = MetadataPredicate([])

    /// Each of the words is in the name or, except for one of them, in the name of a folder around it. Case, accents
    /// and separators do not matter.
    public static func words(_ text: String) -> MetadataPredicate {
        MetadataPredicate(text.split(whereSeparator: \.isWhitespace).map { Term(text: quoted(String($0))) })
    }

    /// The name contains a text. Case, accents and the kind of separators do not matter.
    public static func name(contains text: String) -> MetadataPredicate { MetadataPredicate("name:" + quoted(text)) }

    /// The item conforms to a uniform type, such as `public.image`.
    public static func type(_ identifier: String) -> MetadataPredicate {
        MetadataPredicate("type:" + quoted(identifier))
    }

    /// The item was changed at a moment or later, in seconds since 1970-01-01 UTC.
    public static func modified(since moment: Double) -> MetadataPredicate {
        MetadataPredicate("newer:" + quoted(MomentFormat.text(moment)))
    }

    /// The item was changed before a moment, in seconds since 1970-01-01 UTC.
    public static func modified(before moment: Double) -> MetadataPredicate {
        MetadataPredicate("older:" + quoted(MomentFormat.text(moment)))
    }

    /// The item has at least so many bytes.
    public static func size(atLeast bytes: Int) -> MetadataPredicate { MetadataPredicate("larger:\(max(0, bytes))") }

    /// The item has at most so many bytes.
    public static func size(atMost bytes: Int) -> MetadataPredicate { MetadataPredicate("smaller:\(max(0, bytes))") }

    /// The item is in a state.
    public static func state(_ state: State) -> MetadataPredicate { MetadataPredicate("state:\(state.rawValue)") }

    /// A predicate in the query language of `docent find`.
    public static func query(_ text: String) -> MetadataPredicate { MetadataPredicate([Term(text: text)]) }

    /// An item has to meet both.
    public static func && (left: MetadataPredicate, right: MetadataPredicate) -> MetadataPredicate {
        MetadataPredicate(left.terms + right.terms)
    }

    /// An item must not meet any of the conditions. A text in the query language cannot be negated: its own conditions
    /// can be.
    public static prefix func ! (predicate: MetadataPredicate) -> MetadataPredicate {
        MetadataPredicate(predicate.terms.map { Term(text: $0.text, isExcluded: !$0.isExcluded) })
    }

    /// The predicate in the query language of `docent find`.
    public var queryText: String {
        terms.map { ($0.isExcluded ? "-" : "") + $0.text }.joined(separator: " ")
    }

    /// A text as one word of the query language.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
