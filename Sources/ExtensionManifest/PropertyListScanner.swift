/// A place in the text of a property list: what the readers of XML and JSON share.
///
/// Counts the values, notes the key path, and turns both with line and column into a failure.
struct PropertyListScanner {
    private typealias Failure = PropertyListReader.Failure

    private enum Step {
        case key(String)
        case index(Int)
    }

    /// The text, UTF-8.
    let bytes: [UInt8]
    /// The next byte.
    var position: Int
    private var path: [Step] = []
    private var remaining = PropertyListReader.maximumCount

    /// - Parameter bytes: the text; a byte order mark at its beginning is skipped.
    init(_ bytes: [UInt8]) throws(PropertyListReader.Failure) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Failure(key: "", found: "bytes that are not UTF-8", expected: "UTF-8 text")
        }
    }

    /// The next byte, or nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// How deep the current value lies.
    var depth: Int { path.count }

    /// Whether the text goes on with these characters.
    func isAt(_ text: StaticString) -> Bool {
        guard bytes.count - position >= text.utf8CodeUnitCount else { return false }
        for offset in 0..<text.utf8CodeUnitCount where bytes[position + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }

    /// Goes past these characters if they come next.
    mutating func take(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    /// Goes to the first byte that is no white space.
    mutating func skipSpace() {
        while let byte = next, Self.isSpace(byte) { position += 1 }
    }

    /// Space, tabulator and the ends of lines.
    static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// The text between two places.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    // MARK: Values

    /// Counts the value that begins here.
    mutating func count() throws(PropertyListReader.Failure) {
        guard depth <= PropertyListReader.maximumDepth else { throw PropertyListReader.tooDeep }
        remaining -= 1
        guard remaining >= 0 else { throw PropertyListReader.tooMany }
    }

    /// What follows lies below a key.
    mutating func enter(_ key: String) { path.append(.key(key)) }

    /// What follows is an element of an array.
    mutating func enter(_ index: Int) { path.append(.index(index)) }

    /// The value that was entered is over.
    mutating func leave() { path.removeLast() }

    // MARK: Failures

    /// A failure with the place where it is: the current one, unless another is given.
    func failure(_ found: String, _ expected: String, at place: Int? = nil) -> PropertyListReader.Failure {
        Failure(key: keyPath, found: found, expected: expected, place: lineAndColumn(place ?? position))
    }

    /// The same for a key that a dictionary has already.
    func duplicate(_ key: String, at place: Int) -> PropertyListReader.Failure {
        failure("the key \(DisplayText.quoted(key)) a second time", "each key of a dictionary once", at: place)
    }

    private var keyPath: String {
        path.reduce(into: "") { result, step in
            switch step {
            case .index(let index): result += "[\(index)]"
            case .key(let key): result += (result.isEmpty ? "" : ".") + key
            }
        }
    }

    private func lineAndColumn(_ place: Int) -> String {
        let before = bytes[..<min(place, bytes.count)]
        let line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        let begin = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        // By characters as editors count them: what continues a character in UTF-8 is no column of its own.
        let column = before[begin...].count { $0 & 0xC0 != 0x80 } + 1
        return "line \(line), column \(column)"
    }
}
