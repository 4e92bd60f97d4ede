import FileProvider
import FoundationEssentials
import Glibc

/// What the trash records of an item: a file `NAME.trashinfo` of the freedesktop.org trash specification. Pure.
///
/// Anybody who can write to the folder can write such a file, so a path that leads anywhere but down counts as none.
struct TrashInfo: Hashable, Sendable {
    /// The longest file that is read.
    static let maximumSize = 65_536
    static let suffix = ".trashinfo"
    private static let deepest = 256

    /// The names from the folder that has the trash to the item; nil if they are not known.
    var path: [LocalName]?
    /// When it was deleted, in seconds since 1970; nil if that is not known.
    var deleted: Int64?

    init(path: [LocalName]?, deleted: Int64?) {
        self.path = path
        self.deleted = deleted
    }

    /// Reads a file. The first entry of a kind counts.
    init(_ text: some Sequence<UInt8>) {
        var (path, date): ([UInt8]?, [UInt8]?) = (nil, nil)
        var isInGroup = false
        for line in Array(text).split(separator: UInt8(ascii: "\n")) {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if line.first == UInt8(ascii: "[") {
                isInGroup = line.elementsEqual("[Trash Info]".utf8)
            } else if isInGroup, path == nil, line.starts(with: "Path=".utf8) {
                path = Array(line.dropFirst("Path=".utf8.count))
            } else if isInGroup, date == nil, line.starts(with: "DeletionDate=".utf8) {
                date = Array(line.dropFirst("DeletionDate=".utf8.count))
            }
        }
        self.path = path.flatMap(Self.names(in:))
        deleted = date.flatMap(Self.moment(in:))
    }

    /// The text of the file.
    var text: [UInt8] {
        var text = Array("[Trash Info]\n".utf8)
        if let path {
            text += Array("Path=".utf8)
            for (index, name) in path.enumerated() {
                if index > 0 { text.append(UInt8(ascii: "/")) }
                text += Self.escaped(name)
            }
            text.append(UInt8(ascii: "\n"))
        }
        if let deleted { text += Array("DeletionDate=\(Self.text(of: deleted))\n".utf8) }
        return text
    }

    // MARK: Paths

    private static func names(in text: [UInt8]) -> [LocalName]? {
        var names: [LocalName] = []
        for part in text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            // A slash that was escaped, "." and ".." make no name.
            guard names.count < deepest, let bytes = unescaped(part), let name = LocalName(bytes: bytes) else {
                return nil
            }
            names.append(name)
        }
        return names
    }

    private static func escaped(_ name: LocalName) -> [UInt8] {
        name.bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return [byte]
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): return [byte]
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    // MARK: Dates, which are in the local time zone

    private static func text(of seconds: Int64) -> String {
        var (moment, parts) = (time_t(seconds), tm())
        guard localtime_r(&moment, &parts) != nil else { return "1970-01-01T00:00:00" }
        func padded(_ value: Int32, _ count: Int) -> String {
            let digits = String(max(0, value))
            return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
        }
        let day = [padded(parts.tm_year + 1900, 4), padded(parts.tm_mon + 1, 2), padded(parts.tm_mday, 2)]
        let clock = [padded(parts.tm_hour, 2), padded(parts.tm_min, 2), padded(parts.tm_sec, 2)]
        return day.joined(separator: "-") + "T" + clock.joined(separator: ":")
    }

    private static func moment(in text: [UInt8]) -> Int64? {
        guard text.count >= 19 else { return nil }
        let marks = [4: "-", 7: "-", 10: "T", 13: ":", 16: ":"]
        for (position, mark) in marks where text[position] != mark.utf8.first { return nil }
        func number(_ range: Range<Int>) -> Int32? {
            text[range].allSatisfy({ (0x30...0x39).contains($0) })
                ? Int32(String(decoding: text[range], as: UTF8.self)) : nil
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
        (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (hour, minute, second, -1)
        return Int64(mktime(&parts))
    }
}
