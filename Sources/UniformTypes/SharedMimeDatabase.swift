#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The text files of the machine's shared MIME database, merged over its directories.
///
/// All types and extensions are in lower case. A missing or malformed file counts as empty.
struct SharedMimeDatabase: Sendable {
    /// A rule that determines a file's type from its name.
    struct Glob: Sendable {
        var weight: Int
        var mimeType: String
        /// The extension of `*.ext`, or the whole name if `isWholeName`.
        var text: String
        var isWholeName: Bool
    }

    private(set) var globs: [Glob] = []
    /// The supertypes of a type.
    private(set) var supertypes: [String: [String]] = [:]
    /// The canonical type of each alias.
    private(set) var canonicalTypes: [String: String] = [:]
    private(set) var genericIcons: [String: String] = [:]

    private static let largestFile = 32 << 20
    private static let smallestWeight = 50

    /// Reads the directories, the most important one first.
    init(directories: [String]) {
        var closedTypes: Set<String> = []
        for directory in directories {
            readGlobs("\(directory)/globs2", closedTypes: &closedTypes)
            for (child, parent) in Self.pairs("\(directory)/subclasses", separator: " ") where child != parent {
                if supertypes[child]?.contains(parent) != true { supertypes[child, default: []].append(parent) }
            }
            for (alias, type) in Self.pairs("\(directory)/aliases", separator: " ") where canonicalTypes[alias] == nil {
                canonicalTypes[alias] = type
            }
            for (type, icon) in Self.pairs("\(directory)/generic-icons", separator: ":") where genericIcons[type] == nil
            {
                genericIcons[type] = icon
            }
        }
    }

    private mutating func readGlobs(_ path: String, closedTypes: inout Set<String>) {
        var closedHere: Set<String> = []
        for line in Self.lines(path) {
            let fields = line.utf8.split(
                separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
            guard fields.count >= 3, let weight = Int(Substring(fields[0])) else { continue }
            let type = Self.lowercased(fields[1])
            let pattern = fields[2]
            if pattern.elementsEqual("__NOGLOBS__".utf8) {
                closedHere.insert(type)
                continue
            }
            guard weight >= Self.smallestWeight, !closedTypes.contains(type), !type.isEmpty else { continue }
            // A case-sensitive rule, such as *.C, would otherwise claim the extension in the other case.
            let dependsOnCase =
                fields.count == 4
                && fields[3].split(separator: UInt8(ascii: ",")).contains { $0.elementsEqual("cs".utf8) }
            let isExtension = pattern.starts(with: "*.".utf8)
            let text = Self.lowercased(isExtension ? pattern.dropFirst(2) : pattern)
            if dependsOnCase && !pattern.suffix(text.utf8.count).elementsEqual(text.utf8) { continue }
            guard !text.isEmpty, !text.utf8.contains(where: Self.isWildcard) else { continue }
            globs.append(Glob(weight: weight, mimeType: type, text: text, isWholeName: !isExtension))
        }
        closedTypes.formUnion(closedHere)
    }

    private static func pairs(_ path: String, separator: Unicode.Scalar) -> [(String, String)] {
        let separator = UInt8(ascii: separator)
        return lines(path).compactMap { line in
            guard let middle = line.utf8.firstIndex(of: separator) else { return nil }
            let left = lowercased(line.utf8[..<middle])
            let right = lowercased(line.utf8[line.index(after: middle)...]).trimmingWhitespace()
            return left.isEmpty || right.isEmpty ? nil : (left, right)
        }
    }

    private static func lowercased(_ text: Substring.UTF8View) -> String {
        let copy = String(Substring(text))
        return copy.isLowerASCII ? copy : copy.lowercased()
    }

    private static func isWildcard(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
    }

    private static func lines(_ path: String) -> [Substring] {
        String(decoding: contents(path), as: UTF8.self).utf8.split(separator: UInt8(ascii: "\n"))
            .filter { $0.first != UInt8(ascii: "#") }
            .map { Substring($0) }
    }

    /// The bytes of a regular file of acceptable size; empty for anything else.
    static func contents(_ path: String) -> [UInt8] {
        // A FIFO in a data directory would otherwise block the reader.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= largestFile
        else { return [] }
        return Array(unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            while count < buffer.count {
                let length = read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                if length < 0 && errno == EINTR { continue }
                if length <= 0 { break }
                count += length
            }
        }
    }
}
