/// Reads a property list from XML, binary or JSON bytes, distinguished by their content.
///
/// The bytes are not trusted: size, depth and number of values are limited to protect memory and stack.
package enum PropertyListReader {
    /// Why bytes were refused.
    package struct Failure: Error, Hashable {
        /// The key path, or empty for the document as a whole.
        package let key: String
        /// What was found.
        package let found: String
        /// What was expected.
        package let expected: String
        /// The line and the column, or empty if there are none.
        package let place: String

        init(key: String, found: String, expected: String, place: String = "") {
            self.key = key
            self.found = found
            self.expected = expected
            self.place = place
        }

        /// The failure as a problem of a file with a name such as "The manifest".
        package func problem(of file: String) -> ManifestProblem {
            let place = [place, key.isEmpty ? "" : "key \(DisplayText.escaped(key))"].filter { !$0.isEmpty }
            let shown = place.isEmpty ? "" : " (\(place.joined(separator: ", ")))"
            return .error(
                key, found: found + (self.place.isEmpty ? "" : " at \(self.place)"), expected: expected,
                remedy: "Correct the file\(self.place.isEmpty ? "" : " at \(self.place)").",
                message: "\(file) cannot be read\(shown): found \(found), expected \(expected).")
        }
    }

    /// The file format.
    package enum Format: String, Sendable, CaseIterable {
        /// XML property list.
        case xml = "XML property list"
        /// Binary property list, version 00.
        case binary = "binary property list"
        /// JSON object.
        case json = "JSON"
    }

    /// The largest file that is read, in bytes.
    package static let maximumSize = 1 << 20
    /// The deepest nesting of arrays and dictionaries.
    package static let maximumDepth = 32
    /// The largest number of values in one document.
    package static let maximumCount = 20_000

    /// The format according to the first bytes, or nil.
    package static func format(of bytes: [UInt8]) -> Format? {
        if bytes.starts(with: Array("bplist".utf8)) { return .binary }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        switch text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
        case UInt8(ascii: "<"): return .xml
        case UInt8(ascii: "{"): return .json
        default: return nil
        }
    }

    /// Reads the document.
    ///
    /// - Parameter bytes: the whole file.
    /// - Returns: the top value. The caller checks that a manifest has a dictionary there.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> PropertyListValue {
        guard bytes.count <= maximumSize else {
            throw Failure(key: "", found: "\(bytes.count) bytes", expected: "at most \(maximumSize) bytes")
        }
        guard let format = format(of: bytes) else {
            throw Failure(
                key: "", found: bytes.isEmpty ? "an empty file" : "something else",
                expected: "an XML property list, a binary property list or a JSON object")
        }
        return switch format {
        case .binary: try BinaryPropertyList.read(bytes)
        case .xml: try XMLPropertyList.read(bytes)
        case .json: try JSONPropertyList.read(bytes)
        }
    }
}

extension PropertyListReader {
    /// The failure for a binary document that is nested too deeply. A text has a place too.
    static let tooDeep = Failure(
        key: "", found: "values nested more than \(maximumDepth) deep", expected: "at most \(maximumDepth) levels")
    /// The failure for a binary document with too many values.
    static let tooMany = Failure(
        key: "", found: "more than \(maximumCount) values", expected: "at most \(maximumCount) values")
}
