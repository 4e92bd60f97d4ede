import Foundation
import Testing

@testable import Storage

@Suite struct FileComparisonTests {
    private static let large = 3 << 18

    @Test(
        "files are the same when every byte is",
        arguments: [
            (0, nil as Int?, true), (1, nil, true), (large, nil, true), (large + 1, nil, true), (1, 0, false),
            (large, 0, false), (large, large - 1, false), (large + 1, large, false),
        ])
    func compared(size: Int, changed: Int?, isSame: Bool) throws {
        try Self.with(Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })) { first, content in
            var other = content
            if let changed { other[changed] ^= 1 }
            try Self.with(other) { second, _ in
                let found = try (FileComparison.isSame(first, second), FileComparison.isSame(second, first))
                #expect(found == (isSame, isSame))
            }
        }
    }

    @Test("files of different lengths differ, also if one begins with the other")
    func lengths() throws {
        try Self.with(Data("begin".utf8)) { first, _ in
            try Self.with(Data("beginning".utf8)) { second, _ in
                let found = try (FileComparison.isSame(first, second), FileComparison.isSame(second, first))
                #expect(found == (false, false))
            }
        }
    }

    private static func with(_ content: Data, _ body: (Int32, Data) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "docent-comparison-" + UUID().uuidString
        try content.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        try body(file.fileDescriptor, content)
    }
}
