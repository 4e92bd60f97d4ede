/// How much to fetch for a read: what is read in order is fetched in larger and larger pieces, ahead of the reader;
/// what is read here and there, in small ones. Pure.
package struct ReadingAhead: Sendable {
    /// The smallest piece that is fetched, in bytes. It also holds the index at the end of most media files.
    package static let smallest: Int64 = 1 << 20
    /// The largest piece, in bytes.
    package static let largest: Int64 = 32 << 20
    /// Pieces begin at multiples of this, so that the map of what is here stays short.
    package static let grain: Int64 = 64 << 10
    private static let mostReaders = 16

    // One place where somebody reads in order.
    private struct Reader {
        var next: Int64
        var fetched: Int64
        var piece: Int64
    }

    private let size: Int64
    // The one that read last is last.
    private var readers: [Reader] = []

    /// - Parameter size: the size of the whole content in bytes.
    package init(size: Int64) { self.size = size }

    /// Takes in that a range is read now.
    ///
    /// - Returns: what should be fetched for it: the range itself, and perhaps more after it. Parts may be here.
    package mutating func read(_ range: Range<Int64>) -> Range<Int64> {
        let range = range.clamped(to: 0..<size)
        guard !range.isEmpty else { return range }
        var reader = take(range) ?? Reader(next: range.lowerBound, fetched: range.lowerBound, piece: 0)
        reader.next = max(reader.next, range.upperBound)
        let lower = range.lowerBound / Self.grain * Self.grain
        if reader.piece == 0 {
            reader.piece = Self.smallest
            reader.fetched = lower + Self.smallest
        } else if reader.next + reader.piece / 2 > reader.fetched {
            // Half of the last piece is left at most: the next one begins while it is read.
            reader.piece = min(reader.piece * 2, Self.largest)
            reader.fetched = max(reader.fetched, reader.next) + reader.piece
        }
        readers.append(reader)
        if readers.count > Self.mostReaders { readers.removeFirst() }
        let upper = (max(reader.fetched, range.upperBound) + Self.grain - 1) / Self.grain * Self.grain
        return lower..<min(size, max(upper, range.upperBound))
    }

    // The reader that comes from just before the range. A kernel asks for the parts of one read out of order.
    private mutating func take(_ range: Range<Int64>) -> Reader? {
        let index = readers.lastIndex { reader in
            range.lowerBound <= reader.next + Self.smallest && range.upperBound + Self.smallest >= reader.next
        }
        return index.map { readers.remove(at: $0) }
    }
}
