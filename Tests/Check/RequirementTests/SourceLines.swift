import Foundation

/// The texts of a source file, line by line: its comments and its string literals.
struct SourceLines {
    /// One text and the number of its line, from 1.
    struct Part {
        var line: Int
        var text: [UInt8]
    }

    private(set) var comments: [Part] = []
    private(set) var literals: [Part] = []

    /// A file in Swift or C. A literal of several lines is one for each line.
    init(_ source: Data) {
        var isInside = false
        for (index, line) in source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            add(Array(line), index + 1, &isInside)
        }
    }

    private mutating func add(_ line: [UInt8], _ number: Int, _ isInside: inout Bool) {
        var at = 0
        var begin = 0
        var isLiteral = isInside
        while at < line.count {
            if Self.begins(line, at, "\"\"\"") {
                if isInside { literals.append(Part(line: number, text: Array(line[begin..<at]))) }
                isInside.toggle()
                isLiteral = isInside
                at += 3
                begin = at
            } else if isLiteral, line[at] == UInt8(ascii: "\\") {
                at += 2
            } else if !isInside, line[at] == UInt8(ascii: "\"") {
                if isLiteral { literals.append(Part(line: number, text: Array(line[begin..<at]))) }
                isLiteral.toggle()
                at += 1
                begin = at
            } else if !isLiteral, Self.begins(line, at, "//") {
                comments.append(Part(line: number, text: Array(line[at...])))
                return
            } else {
                at += 1
            }
        }
        if isInside { literals.append(Part(line: number, text: Array(line[min(begin, line.count)...]))) }
    }

    private static func begins(_ line: [UInt8], _ index: Int, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= line.count else { return false }
        for offset in 0..<count where line[index + offset] != text.utf8Start[offset] { return false }
        return true
    }
}
