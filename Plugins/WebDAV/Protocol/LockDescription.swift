import HTTPTransport

/// A lock on a resource, as a server describes it in `lockdiscovery`.
struct LockDescription: Hashable, Sendable {
    /// In angle brackets; nil if the server does not reveal it.
    var token: String?
    /// The text with which the holder identifies itself.
    var owner: String?
    /// The seconds left; nil if the lock does not expire or the server does not say.
    var seconds: Double?

    /// The locks described in an answer to LOCK or PROPFIND.
    ///
    /// Elements are matched by local name, with any prefix: a lock that is missed would shut us out permanently.
    static func all(in body: [UInt8]) -> [LockDescription] {
        let text = String(decoding: body.prefix(1 << 20), as: UTF8.self)
        return contents(of: "activelock", in: text[...], atMost: 100).map { lock in
            let token = contents(of: "locktoken", in: lock, atMost: 1).first
            let reference = token.flatMap { contents(of: "href", in: $0, atMost: 1).first ?? $0 }
            let owner = contents(of: "owner", in: lock, atMost: 1).first.map(plain)
            return LockDescription(
                token: reference.flatMap { LockToken.bracketed(plain($0)) },
                owner: owner.flatMap { $0.isEmpty ? nil : String($0.prefix(100)) },
                seconds: seconds(contents(of: "timeout", in: lock, atMost: 1).first.map(plain)))
        }
    }

    /// The seconds in a `Timeout` value, at most a day; nil for `Infinite` and for anything invalid.
    static func seconds(_ text: String?) -> Double? {
        guard let text = text?.trimmed.lowercased(), text.hasPrefix("second-"), let number = Double(text.dropFirst(7)),
            number.isFinite, number >= 0
        else { return nil }
        return min(number, 86_400)
    }

    // The texts between the tags of the elements with a name, with any prefix.
    private static func contents(of name: String, in text: Substring, atMost count: Int) -> [Substring] {
        var found: [Substring] = []
        var rest = text
        while found.count < count, let (_, start) = tag(name, isEnd: false, in: rest) {
            guard let (end, next) = tag(name, isEnd: true, in: rest[start...]) else { break }
            found.append(rest[start..<end])
            rest = rest[next...]
        }
        return found
    }

    // The start of the next tag with a name, and the text after it. An element that closes itself has no content.
    private static func tag(
        _ name: String, isEnd: Bool, in text: Substring
    ) -> (start: String.Index, next: String.Index)? {
        var rest = text
        while let start = rest.firstIndex(of: "<") {
            guard let end = rest[start...].firstIndex(of: ">") else { return nil }
            let next = rest.index(after: end)
            var inner = rest[rest.index(after: start)..<end]
            let isEnding = inner.hasPrefix("/")
            if isEnding { inner = inner.dropFirst() }
            let local = inner.prefix { !$0.isWhitespace && $0 != "/" }.split(separator: ":").last ?? ""
            if isEnding == isEnd, !inner.hasSuffix("/"), local.lowercased() == name { return (start, next) }
            rest = rest[next...]
        }
        return nil
    }

    // The text without tags, with the entities of reserved characters replaced.
    private static func plain(_ text: Substring) -> String {
        var result = ""
        var isInTag = false
        for character in text {
            switch character {
            case "<": isInTag = true
            case ">": isInTag = false
            default: if !isInTag { result.append(character) }
            }
        }
        for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
            result = result.replacing(name, with: character)
        }
        return String(result.trimmed)
    }
}
