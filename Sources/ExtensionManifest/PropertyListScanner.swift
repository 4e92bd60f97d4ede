/// A position in the text of a property list, shared by the readers of XML and JSON.
///
/// Counts the values, tracks the key path, and adds both the path and the line and column to failures.
struct PropertyListScanner {
    private typealias Failure = PropertyListReader.Failure

    private enum Step {
        case key(String)
        case index(Int)
    }

    /// The text in UTF-8.
    let bytes: [UInt8]
    /// The index of the next byte.
    var position: Int
    private var path: [Step] = []
    private var remaining = PropertyListReader.maximumCount

    /// - Parameter bytes: the text; a byte order mark at the beginning is skipped.
    init(_ bytes: [UInt8]) throws(PropertyListReader.Failure) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw failure("bytes that are not UTF-8", "UTF-8 text", at: Self.validCount(bytes))
        }
    }

    /// How many bytes at the beginning are UTF-8.
    private static func validCount(_ bytes: [UInt8]) -> Int {
        var decoder = UTF8()
        var rest = bytes.makeIterator()
        var count = 0
        while case .scalarValue(let scalar) = decoder.decode(&rest) { count += String(scalar).utf8.count }
        return count
    }

    /// The next byte, or nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The nesting depth of the current value.
    var depth: Int { path.count }

    /// Whether these characters come next.
    func isAt(_ text: StaticString) -> Bool {
        guard bytes.count - position >= text.utf8CodeUnitCount else { return false }
        for offset in 0..<text.utf8CodeUnitCount where bytes[position + offset] != text.utf8Start[offset] {
            return false
        }
        return true
    }

    /// Skips these characters if they come next.
    mutating func take(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    /// Skips white space.
    mutating func skipSpace() {
        while let byte = next, Self.isSpace(byte) { position += 1 }
    }

    /// Space, tab and line ends.
    static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// The text in a range.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    // MARK: Values

    /// Counts a value.
    ///
    /// - Parameter place: where it begins; nil: here.
    mutating func count(at place: Int? = nil) throws(PropertyListReader.Failure) {
        guard depth <= PropertyListReader.maximumDepth else { throw located(PropertyListReader.tooDeep, at: place) }
        remaining -= 1
        guard remaining >= 0 else { throw located(PropertyListReader.tooMany, at: place) }
    }

    /// Enters the value of a key.
    mutating func enter(_ key: String) { path.append(.key(key)) }

    /// Enters an element of an array.
    mutating func enter(_ index: Int) { path.append(.index(index)) }

    /// Leaves the value that was entered.
    mutating func leave() { path.removeLast() }

    // MARK: Failures

    /// A failure with its position, by default the current one.
    func failure(_ found: String, _ expected: String, at place: Int? = nil) -> PropertyListReader.Failure {
        Failure(key: keyPath, found: found, expected: expected, place: lineAndColumn(place ?? position))
    }

    private func located(_ other: PropertyListReader.Failure, at place: Int?) -> PropertyListReader.Failure {
        failure(other.found, other.expected, at: place)
    }

    /// A failure for a duplicate key.
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
        // In characters, as editors count: the continuation bytes of UTF-8 do not count.
        let column = before[begin...].count { $0 & 0xC0 != 0x80 } + 1
        return "line \(line), column \(column)"
    }
}
