/// The rules of a shared MIME database that determine a type from content. Reading never fails: malformed input ends
/// its file.
struct SharedMimeMagic: Sendable {
    /// A rule: bytes at an offset, with nested rules of which one must also hold.
    struct Match: Sendable {
        var offset: Int
        /// The number of further offsets to try.
        var range: Int
        var value: [UInt8]
        var mask: [UInt8]?
        var children: [Match] = []

        func holds(in content: [UInt8]) -> Bool {
            guard !value.isEmpty, content.count >= value.count else { return false }
            let last = min(offset + range, content.count - value.count)
            guard offset <= last else { return false }
            for start in offset...last where isAt(start, of: content) {
                return children.isEmpty || children.contains { $0.holds(in: content) }
            }
            return false
        }

        private func isAt(_ start: Int, of content: [UInt8]) -> Bool {
            for index in value.indices {
                let mask = mask?[index] ?? 0xFF
                if content[start + index] & mask != value[index] & mask { return false }
            }
            return true
        }
    }

    /// The rules of a type; one of the outermost is enough.
    struct Section: Sendable {
        var priority: Int
        var mimeType: String
        var matches: [Match]
    }

    /// In order of precedence.
    private(set) var sections: [Section] = []

    private static let head = Array("MIME-Magic\0\n".utf8)
    private static let greatestRange = 4096
    private static let deepest = 16

    /// Reads the contents of `magic` files, the most important one first.
    init(files: [[UInt8]]) {
        var all: [Section] = []
        for file in files where file.starts(with: Self.head) {
            var reader = Reader(bytes: file, position: Self.head.count)
            while let section = reader.section() { all.append(section) }
        }
        sections = all.enumerated().sorted { ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset) }
            .map(\.element)
    }

    /// The type of content that starts with these bytes; nil when no rule holds.
    func mimeType(ofContent prefix: [UInt8]) -> String? {
        sections.first { $0.matches.contains { $0.holds(in: prefix) } }?.mimeType
    }

    /// `[priority:type]`, then lines `indent>offset=` value `&` mask `~` word `+` range.
    private struct Reader {
        let bytes: [UInt8]
        var position: Int

        mutating func section() -> Section? {
            guard take("["), let priority = number(), take(":"), let end = bytes[position...].firstIndex(of: 0x5D)
            else { return nil }
            let type = String(decoding: bytes[position..<end], as: UTF8.self).lowercased()
            position = end + 1
            guard take("\n") else { return nil }
            var lines: [(depth: Int, match: Match)] = []
            while position < bytes.count, bytes[position] != UInt8(ascii: "[") {
                guard let line = line() else { return nil }
                lines.append(line)
            }
            var rest = lines[...]
            return Section(priority: priority, mimeType: type, matches: Self.tree(&rest, depth: 0))
        }

        private static func tree(_ lines: inout ArraySlice<(depth: Int, match: Match)>, depth: Int) -> [Match] {
            var result: [Match] = []
            while let line = lines.first, line.depth >= depth, depth < deepest {
                lines.removeFirst()
                var match = line.match
                match.children = tree(&lines, depth: line.depth + 1)
                result.append(match)
            }
            return result
        }

        private mutating func line() -> (Int, Match)? {
            let depth = number() ?? 0
            guard take(">"), let offset = number(), take("="), let high = byte(), let low = byte() else { return nil }
            guard var value = take(Int(high) << 8 | Int(low)) else { return nil }
            var mask: [UInt8]?
            if take("&") {
                guard let bytes = take(value.count) else { return nil }
                mask = bytes
            }
            if take("~") {
                guard let word = number() else { return nil }
                value = Self.native(value, word)
                mask = mask.map { Self.native($0, word) }
            }
            var range = 1
            if take("+") {
                guard let places = number() else { return nil }
                range = places
            }
            guard take("\n") else { return nil }
            return (
                depth, Match(offset: offset, range: min(max(range, 1), greatestRange) - 1, value: value, mask: mask)
            )
        }

        // Words in host byte order are stored with the most significant byte first.
        private static func native(_ value: [UInt8], _ word: Int) -> [UInt8] {
            guard [2, 4].contains(word), value.count.isMultiple(of: word), 1.littleEndian == 1 else { return value }
            return stride(from: 0, to: value.count, by: word).flatMap { value[$0..<$0 + word].reversed() }
        }

        private mutating func number() -> Int? {
            var result: Int?
            while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
                let next = (result ?? 0) * 10 + Int(bytes[position] - 0x30)
                guard next < 1 << 24 else { return nil }
                result = next
                position += 1
            }
            return result
        }

        private mutating func byte() -> UInt8? {
            guard position < bytes.count else { return nil }
            defer { position += 1 }
            return bytes[position]
        }

        private mutating func take(_ count: Int) -> [UInt8]? {
            guard bytes.count - position >= count else { return nil }
            defer { position += count }
            return Array(bytes[position..<position + count])
        }

        private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: scalar) else { return false }
            position += 1
            return true
        }
    }
}
