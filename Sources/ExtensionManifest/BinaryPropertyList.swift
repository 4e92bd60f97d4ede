import FoundationEssentials

/// Reads binary property lists of version 00.
///
/// Written by hand because objects are shared by reference: in a few hundred bytes they can refer to each other such
/// that a general parser builds billions of values or never ends. Here depth and count are limited while reading.
struct BinaryPropertyList {
    private typealias Failure = PropertyListReader.Failure

    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    private let offsetTable: Int
    private var remaining = PropertyListReader.maximumCount

    static func read(_ bytes: [UInt8]) throws(PropertyListReader.Failure) -> PropertyListValue {
        var (reader, top) = try open(bytes)
        return try reader.value(top, depth: 0)
    }

    private init(bytes: [UInt8], offsets: [Int], referenceSize: Int, offsetTable: Int) {
        self.bytes = bytes
        self.offsets = offsets
        self.referenceSize = referenceSize
        self.offsetTable = offsetTable
    }

    private static func open(
        _ bytes: [UInt8]
    ) throws(PropertyListReader.Failure) -> (BinaryPropertyList, top: Int) {
        guard bytes.count >= 8 + 32, bytes.starts(with: "bplist00".utf8) else {
            throw damaged("a binary property list that is too short or of another version")
        }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        let referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = integer(bytes, trailer + 8, 8), let top = integer(bytes, trailer + 16, 8),
            let table = integer(bytes, trailer + 24, 8),
            count > 0, count <= bytes.count, top < count, table >= 8, table <= trailer,
            // The trailer follows the table at once, unless there is something after the end.
            trailer - table == count * offsetSize
        else { throw damaged("a trailer that does not fit the file") }
        var offsets: [Int] = []
        offsets.reserveCapacity(count)
        for index in 0..<count {
            guard let offset = integer(bytes, table + index * offsetSize, offsetSize), offset >= 8, offset < table
            else { throw damaged("an object outside the file") }
            offsets.append(offset)
        }
        return (.init(bytes: bytes, offsets: offsets, referenceSize: referenceSize, offsetTable: table), top)
    }

    private mutating func value(_ index: Int, depth: Int) throws(PropertyListReader.Failure) -> PropertyListValue {
        guard depth <= PropertyListReader.maximumDepth else { throw PropertyListReader.tooDeep }
        remaining -= 1
        guard remaining >= 0 else { throw PropertyListReader.tooMany }
        guard offsets.indices.contains(index) else { throw Self.damaged("a reference to no object") }
        let start = offsets[index]
        let marker = bytes[start]
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0 where low == 8: return .boolean(false)
        case 0x0 where low == 9: return .boolean(true)
        case 0x1 where low <= 4: return .integer(try wholeNumber(start + 1, size: 1 << low))
        case 0x2 where low == 2 || low == 3: return .real(try realNumber(start + 1, size: 1 << low))
        case 0x3 where low == 3:
            return .date(Date(timeIntervalSinceReferenceDate: try realNumber(start + 1, size: 8)))
        case 0x4:
            let (body, count) = try extent(start, low)
            return .data(Data(try slice(body, count, 1)))
        case 0x5:
            let (body, count) = try extent(start, low)
            let content = try slice(body, count, 1)
            guard content.allSatisfy({ $0 < 0x80 }) else { throw Self.damaged("a string that is not ASCII") }
            return .string(String(decoding: content, as: UTF8.self))
        case 0x6:
            let (body, count) = try extent(start, low)
            return .string(try wideString(try slice(body, count, 2)))
        case 0xA:
            let (body, count) = try extent(start, low)
            var values: [PropertyListValue] = []
            for reference in try references(body, count) {
                values.append(try value(reference, depth: depth + 1))
            }
            return .array(values)
        case 0xD:
            let (body, count) = try extent(start, low)
            return try dictionary(body, count, depth)
        default:
            throw Self.damaged("an object of an unknown kind")
        }
    }

    private mutating func dictionary(
        _ body: Int, _ count: Int, _ depth: Int
    ) throws(PropertyListReader.Failure) -> PropertyListValue {
        let keys = try references(body, count)
        let values = try references(body + count * referenceSize, count)
        var entries: [String: PropertyListValue] = [:]
        for (keyReference, valueReference) in zip(keys, values) {
            guard case .string(let key) = try value(keyReference, depth: depth + 1) else {
                throw Self.damaged("a dictionary key that is not a string")
            }
            guard entries[key] == nil else {
                throw Failure(
                    key: "", found: "the key \(DisplayText.quoted(key)) a second time",
                    expected: "each key of a dictionary once")
            }
            entries[key] = try value(valueReference, depth: depth + 1)
        }
        return .dictionary(entries)
    }

    /// Where the content of an object starts, and its count, which may follow as an integer object.
    private func extent(_ start: Int, _ low: Int) throws(PropertyListReader.Failure) -> (body: Int, count: Int) {
        guard low == 0x0F else { return (start + 1, low) }
        guard start + 1 < offsetTable, bytes[start + 1] >> 4 == 0x1, bytes[start + 1] & 0x0F <= 3 else {
            throw Self.damaged("a length that is not a number")
        }
        let size = 1 << Int(bytes[start + 1] & 0x0F)
        guard let count = Self.integer(bytes, start + 2, size), count <= bytes.count else {
            throw Self.damaged("a length beyond the file")
        }
        return (start + 2 + size, count)
    }

    private func slice(
        _ start: Int, _ count: Int, _ width: Int
    ) throws(PropertyListReader.Failure) -> ArraySlice<UInt8> {
        guard start <= offsetTable, count <= (offsetTable - start) / width else {
            throw Self.damaged("an object that runs out of the file")
        }
        return bytes[start..<(start + count * width)]
    }

    private func references(_ start: Int, _ count: Int) throws(PropertyListReader.Failure) -> [Int] {
        _ = try slice(start, count, referenceSize)
        guard count <= remaining else { throw PropertyListReader.tooMany }
        return (0..<count).map { Self.integer(bytes, start + $0 * referenceSize, referenceSize) ?? -1 }
    }

    private func wholeNumber(_ start: Int, size: Int) throws(PropertyListReader.Failure) -> Int64 {
        let content = try slice(start, size, 1)
        // 16-byte integers hold unsigned 64-bit values in their lower half.
        guard size <= 8 || content.prefix(8).allSatisfy({ $0 == 0 }) && content[start + 8] < 0x80 else {
            throw Self.damaged("a number beyond 64 bits")
        }
        return Int64(truncatingIfNeeded: content.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private func realNumber(_ start: Int, size: Int) throws(PropertyListReader.Failure) -> Double {
        let pattern = try slice(start, size, 1).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern))) : Double(bitPattern: pattern)
    }

    private func wideString(_ content: ArraySlice<UInt8>) throws(PropertyListReader.Failure) -> String {
        let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map { index in
            UInt16(content[index]) << 8 | UInt16(content[index + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw Self.damaged("a string that is not Unicode")
        }
        return text
    }

    /// An unsigned big-endian number, or nil when it lies outside the bytes or does not fit.
    private static func integer(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int? {
        guard start >= 0, start <= bytes.count - size else { return nil }
        return Int(exactly: bytes[start..<(start + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private static func damaged(_ found: String) -> PropertyListReader.Failure {
        .init(key: "", found: found, expected: "a well-formed binary property list")
    }
}
