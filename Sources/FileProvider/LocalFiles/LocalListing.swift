import CLinux
import Glibc

/// The names of a directory, sorted by bytes and stored compactly: about 30 bytes per name.
public struct LocalListing: Sendable, RandomAccessCollection {
    /// A name and what the directory itself records about it.
    public struct Entry: Hashable, Sendable {
        /// The name.
        public let name: LocalName
        /// The inode number.
        public let inode: UInt64
        /// The kind of file; nil where the file system does not report it.
        public let kind: LocalFileFacts.Kind?
    }

    private struct Record {
        let inode: UInt64
        let start: UInt32
        let length: UInt8
        let type: UInt8
    }

    private var bytes: [UInt8] = []
    private var records: [Record] = []

    /// Reads a directory; `.` and `..` are left out.
    ///
    /// - Throws: ``FileProviderError``; `CancellationError` when the task was cancelled.
    public init(_ directory: LocalDirectory) throws {
        let own = try directory.directory(at: [])
        do {
            try read(own.descriptor)
        } catch let failure as SystemFailure {
            throw failure.providerError
        }
        sort()
    }

    private mutating func read(_ descriptor: CInt) throws {
        let size = 1 << 17
        try withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
            guard let start = buffer.baseAddress else { return }
            while true {
                try Task.checkCancellation()
                let count = try SystemFailure.check(clinux_getdents(descriptor, start, size), "list the folder")
                if count == 0 { return }
                var offset = 0
                while offset < count {
                    var name: UnsafePointer<CChar>?
                    var type: UInt8 = 0
                    // A record of getdents64 starts with the inode number.
                    let inode = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    offset = clinux_directory_record(start, offset, &name, &type)
                    if let name { append(name, inode: inode, type: type) }
                }
            }
        }
    }

    private mutating func append(_ name: UnsafePointer<CChar>, inode: UInt64, type: UInt8) {
        let length = strlen(name)
        let dot = CChar(bitPattern: UInt8(ascii: "."))
        if name[0] == dot, length == 1 || (length == 2 && name[1] == dot) { return }
        guard length <= LocalName.maximumLength, let start = UInt32(exactly: bytes.count) else { return }
        records.append(Record(inode: inode, start: start, length: UInt8(length), type: type))
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: name, count: length))
    }

    private mutating func sort() {
        bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress else { return }
            records.sort { left, right in
                let order = memcmp(
                    base + Int(left.start), base + Int(right.start), Int(Swift.min(left.length, right.length)))
                return order == 0 ? left.length < right.length : order < 0
            }
        }
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of names.
    public var endIndex: Int { records.count }

    /// A name and what is known about it.
    public subscript(position: Int) -> Entry {
        let record = records[position]
        let start = Int(record.start)
        let name = LocalName(trusted: Array(bytes[start..<start + Int(record.length)]))
        return Entry(name: name, inode: record.inode, kind: kind(position))
    }

    /// The inode number of the file at a position.
    public func inode(_ position: Int) -> UInt64 { records[position].inode }

    /// The kind of the file at a position; nil where the file system does not report it.
    public func kind(_ position: Int) -> LocalFileFacts.Kind? {
        switch CInt(records[position].type) {
        case 0: nil
        case 4: .folder
        case 8: .file
        default: .other
        }
    }

    /// Whether the file at a position is a symbolic link, as far as the file system reports it.
    public func isSymbolicLink(_ position: Int) -> Bool { records[position].type == 10 }

    /// The position of the first name after `name`.
    public func position(after name: LocalName) -> Int {
        var low = 0
        var high = records.count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].name <= name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
