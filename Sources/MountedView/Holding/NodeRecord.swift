import FileSystemMessages

/// What the next server of a mount must know of a node that the kernel knows. Pure.
struct NodeRecord: Sendable, Hashable {
    /// What it is; nil if the node is forgotten.
    enum Subject: Sendable, Hashable {
        case account(ViewAccount)
        case item(ViewItem)
    }

    var number: UInt64
    var parent: UInt64
    var name: String
    var inode: UInt64
    var subject: Subject?

    /// The item; nil for an account, and for a node that is forgotten.
    var item: ViewItem? {
        if case .item(let item) = subject { return item }
        return nil
    }

    // MARK: Bytes

    /// The record with its length in front.
    var bytes: [UInt8] {
        var body: [UInt8] = []
        func add(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { body.append(contentsOf: $0) } }
        func add(_ text: String?) {
            guard let text else { return add(UInt64.max) }
            add(UInt64(text.utf8.count))
            body += Array(text.utf8)
        }
        add(number)
        switch subject {
        case nil: add(0)
        case .account(let account):
            add(1)
            for text in [account.provider, account.domain, account.displayName] { add(text) }
            add(account.writing.rawValue)
        case .item(let item):
            add(2)
            for text in [item.identifier, item.name, item.version, item.formerVersion, item.target] { add(text) }
            add(item.kind == .file ? 0 : item.kind == .folder ? 1 : 2)
            add(item.size)
            add(UInt64(bitPattern: item.modified.seconds))
            add(UInt64(item.modified.nanoseconds))
            add(
                (item.isDownloaded ? 1 : 0) | (item.isBegun ? 2 : 0) | (item.isLocal ? 4 : 0)
                    | (item.isReadOnly ? 8 : 0))
        }
        add(parent)
        add(inode)
        add(name)
        return withUnsafeBytes(of: UInt64(body.count).littleEndian) { Array($0) } + body
    }

    /// Reads records one after another. What follows an incomplete one is left out: its writer was killed.
    static func all(in bytes: [UInt8]) -> [NodeRecord] {
        var result: [NodeRecord] = []
        var reader = Reader(bytes: bytes)
        while let length = reader.number(), length <= UInt64(bytes.count - reader.offset) {
            let end = reader.offset + Int(length)
            guard let record = NodeRecord(&reader), reader.offset == end else { break }
            result.append(record)
        }
        return result
    }

    private struct Reader {
        let bytes: [UInt8]
        var offset = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func number() -> UInt64? {
            guard offset + 8 <= bytes.count else { return nil }
            defer { offset += 8 }
            return bytes[offset..<offset + 8].enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * $1.offset) }
        }

        /// Nil at the end; `.some(nil)` for an absent text.
        mutating func text() -> String?? {
            guard let count = number() else { return nil }
            if count == .max { return .some(nil) }
            guard count <= UInt64(bytes.count - offset) else { return nil }
            defer { offset += Int(count) }
            return String(decoding: bytes[offset..<offset + Int(count)], as: UTF8.self)
        }
    }

    private init?(_ reader: inout Reader) {
        guard let number = reader.number(), let kind = reader.number() else { return nil }
        switch kind {
        case 0: subject = nil
        case 1:
            guard let provider = reader.text() ?? nil, let domain = reader.text() ?? nil,
                let displayName = reader.text() ?? nil, let writing = reader.number().flatMap(ViewAccount.Writing.init)
            else { return nil }
            subject = .account(
                ViewAccount(
                    provider: provider, domain: domain, displayName: displayName, writing: writing))
        default:
            guard let identifier = reader.text() ?? nil, let name = reader.text() ?? nil,
                let version = reader.text(), let formerVersion = reader.text(), let target = reader.text(),
                let kind = reader.number(), let size = reader.number(), let seconds = reader.number(),
                let nanoseconds = reader.number(), let flags = reader.number()
            else { return nil }
            subject = .item(
                ViewItem(
                    identifier: identifier, name: name, kind: kind == 0 ? .file : kind == 1 ? .folder : .symbolicLink,
                    size: size,
                    modified: FileTime(
                        seconds: Int64(bitPattern: seconds), nanoseconds: UInt32(truncatingIfNeeded: nanoseconds)),
                    version: version, formerVersion: formerVersion, isDownloaded: flags & 1 != 0, target: target,
                    isBegun: flags & 2 != 0, isLocal: flags & 4 != 0,
                    isReadOnly: flags & 8 != 0))
        }
        guard let parent = reader.number(), let inode = reader.number(), let shown = reader.text() ?? nil else {
            return nil
        }
        (self.number, self.parent, self.inode, name) = (number, parent, inode, shown)
    }

    init(number: UInt64, parent: UInt64, name: String, inode: UInt64, subject: Subject?) {
        self.number = number
        self.parent = parent
        self.name = name
        self.inode = inode
        self.subject = subject
    }
}
