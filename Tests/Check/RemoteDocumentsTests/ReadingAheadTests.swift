import RemoteDocuments
import Testing

@Suite struct ReadingAheadTests {
    private static let size: Int64 = 1 << 30
    private static let step: Int64 = 128 << 10

    @Test func theLastMegabyteIsOnePiece() {
        var ahead = ReadingAhead(size: Self.size)
        let begin = Self.size - (1 << 20)
        let first = ahead.read(begin..<begin + Self.step)
        #expect(first == begin..<Self.size)
    }

    @Test func aSmallReadFetchesOneSmallPiece() {
        var ahead = ReadingAhead(size: Self.size)
        #expect(ahead.read(5_000_000..<5_000_010).count == Int(ReadingAhead.smallest))
    }

    @Test func readingInOrderFetchesLargerAndLargerPiecesAheadOfTheReader() {
        var ahead = ReadingAhead(size: Self.size)
        var (position, fetched, pieces) = (Int64(0), Int64(0), [Int64]())
        while position < Self.size {
            let wanted = ahead.read(position..<position + Self.step)
            #expect(wanted.upperBound >= position + Self.step || wanted.upperBound == Self.size)
            if wanted.upperBound > fetched {
                pieces.append(wanted.upperBound - fetched)
                fetched = wanted.upperBound
            }
            position += Self.step
        }
        #expect(pieces.count < 45)
        #expect(pieces.max() ?? 0 <= ReadingAhead.largest + ReadingAhead.grain)
        #expect(zip(pieces, pieces.dropFirst()).dropLast().allSatisfy { $0 <= $1 })
    }

    @Test func readingHereAndThereStaysSmall() {
        var ahead = ReadingAhead(size: Self.size)
        for place in stride(from: Self.size - (8 << 20), through: 0, by: -(64 << 20)) {
            #expect(ahead.read(place..<place + 4096).count <= Int(ReadingAhead.smallest))
        }
    }

    @Test func twoReadersInOrderDoNotDisturbEachOther() {
        var ahead = ReadingAhead(size: Self.size)
        var fetched: [Int64] = [0, Self.size / 2]
        var pieces = [0, 0]
        for index in 0..<400 {
            for reader in 0..<2 {
                let position = (reader == 0 ? 0 : Self.size / 2) + Int64(index) * Self.step
                let wanted = ahead.read(position..<position + Self.step)
                if wanted.upperBound > fetched[reader] {
                    pieces[reader] += 1
                    fetched[reader] = wanted.upperBound
                }
            }
        }
        #expect(pieces.allSatisfy { $0 < 12 })
    }

    @Test(arguments: [0..<0, 10..<10, 20..<30] as [Range<Int64>])
    func nothingIsFetchedBehindTheEnd(range: Range<Int64>) {
        var ahead = ReadingAhead(size: 15)
        #expect(ahead.read(range).isEmpty)
    }

    @Test func aReadBeyondTheEndIsCutOff() {
        var ahead = ReadingAhead(size: 15)
        #expect(ahead.read(10..<400) == 0..<15)
    }
}
