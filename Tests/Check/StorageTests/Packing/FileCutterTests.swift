import ContentChunking
import DocentTestSupport
import Testing

@testable import Storage

/// Cutting files piece by piece.
@Suite(.mayBlock) struct FileCutterTests {
    @Test(
        "a file is cut where its content would be, however much of it is in memory",
        arguments: [0, 1, 16_383, 262_144, 1 << 20, (1 << 20) + 1, 3_333_333])
    func sameAsInMemory(size: Int) throws {
        let scratch = try Scratch()
        let content = PackingWorld.noise(99, size)
        let file = try scratch.file("a", content)
        var lengths: [Int] = []
        var read: [UInt8] = []
        try FileCutter.cut(file.number, cancellation: Cancellation()) { chunk in
            lengths.append(chunk.count)
            read += chunk
        }
        #expect(read == content && lengths == FileCutter.cutter.lengths(content))
        #expect(lengths.allSatisfy { (1...FileCutter.maximum).contains($0) })
        #expect(lengths.dropLast().allSatisfy { $0 >= 16_384 })
    }

    @Test("content without any differences is cut into the largest chunks")
    func uniform() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a", [UInt8](repeating: 0, count: 3 << 20))
        var pace = Pace(isGentle: false)
        let pieces = try FileCutter.pieces(of: file.number, cancellation: Cancellation(), pace: &pace)
        #expect(Set(pieces.map(\.digest)).count == 1 && pieces.allSatisfy { $0.length == FileCutter.maximum })
    }
}
