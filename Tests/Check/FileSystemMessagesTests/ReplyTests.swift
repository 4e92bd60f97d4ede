import CFUSE
import FileSystemMessages
import Testing

@Suite struct ReplyTests {
    private static let attributes = NodeAttributes(
        inode: 99, kind: .file, permissions: 0o600, size: 1025, allocated: 1025,
        modified: FileTime(seconds: 5, nanoseconds: 6), user: 1, group: 2)

    private static func header(_ message: [UInt8]) -> fuse_out_header {
        message.withUnsafeBytes { $0.loadUnaligned(as: fuse_out_header.self) }
    }

    private static func body<Part: BitwiseCopyable>(_ message: [UInt8], _ type: Part.Type) -> Part {
        message.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: KernelReply.headerSize, as: type) }
    }

    @Test("each reply has its length, its request and its error")
    func headers() {
        for (reply, count, error) in [
            (KernelReply.done, 0, 0), (.error(2), 0, -2), (.bytes([1, 2, 3]), 3, 0), (.written(5), 8, 0),
            (.found(FoundNode(node: 7, attributes: Self.attributes, validity: .seconds(1))), 128, 0),
            (.opened(.init(handle: 3)), 16, 0),
        ] {
            let message = reply.message(to: 6)
            let header = Self.header(message)
            #expect(Int(header.len) == message.count && message.count == 16 + count)
            #expect(header.unique == 6 && header.error == Int32(error))
        }
    }

    @Test("a found node has its attributes, and the kernel may use them for a while")
    func found() {
        let node = FoundNode(node: 7, attributes: Self.attributes, validity: .milliseconds(1500))
        let entry = Self.body(KernelReply.found(node).message(to: 2), fuse_entry_out.self)
        #expect(entry.nodeid == 7 && entry.attr.ino == 99 && entry.attr.mode == 0o100600)
        #expect(entry.attr.size == 1025 && entry.attr.blocks == 3)
        #expect(entry.entry_valid == 1 && entry.attr_valid_nsec == 500_000_000)
        #expect(entry.attr.mtime == 5 && entry.attr.mtimensec == 6)
    }

    @Test("content follows a header with the length of both")
    func contentHeader() {
        let header = Self.header(KernelReply.header(to: 9, count: 4096))
        #expect(header.len == 4112 && header.unique == 9 && header.error == 0)
    }

    @Test("a page takes entries until there is no room, each on a boundary of eight bytes", arguments: [false, true])
    func page(withAttributes: Bool) {
        var page = DirectoryPage(room: withAttributes ? 400 : 100)
        func append(_ name: String, _ next: UInt64) -> Bool {
            let entry = DirectoryPage.Entry(name: name, inode: 5, kind: .folder, next: next)
            return withAttributes ? page.append(entry, nil) : page.append(entry)
        }
        #expect(append("a", 1) && append("longer name", 2))
        let size = page.bytes.count
        #expect(size % 8 == 0 && !append(String(repeating: "x", count: 100), 3))
        #expect(page.bytes.count == size)
        let offset = withAttributes ? MemoryLayout<fuse_entry_out>.size : 0
        let entry = page.bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: fuse_dirent.self) }
        #expect(entry.ino == 5 && entry.off == 1 && entry.namelen == 1 && entry.type == 4)
    }

    @Test("notifications have their code, and a name its null byte")
    func notifications() {
        let message = KernelNotification.removed(parent: 1, node: 8, name: "é").message
        let header = Self.header(message)
        #expect(
            header.unique == 0 && header.error == Int32(FUSE_NOTIFY_DELETE.rawValue) && Int(header.len) == message.count
        )
        #expect(message.suffix(3) == [0xc3, 0xa9, 0])
        #expect(Self.header(KernelNotification.repeatRequests.message).error == 7)
    }

    @Test("only what both sides know is agreed, and an old kernel is refused")
    func negotiation() throws {
        let offer = KernelRequest.Offer(
            major: 7, minor: 45, readAhead: 8 << 20,
            features: [.parallelReads, .repeatsRequests, .manyFeatures, Features(rawValue: 1 << 50)])
        let agreement = try #require(Negotiation.agreement(to: offer))
        #expect(agreement.features == [.parallelReads, .repeatsRequests, .manyFeatures])
        #expect(agreement.readAhead == 1 << 20)
        #expect(Negotiation.agreement(to: .init(major: 7, minor: 20, readAhead: 0, features: [])) == nil)
        #expect(Negotiation.agreement(to: .init(major: 8, minor: 40, readAhead: 0, features: [])) == nil)
    }

    @Test(
        "times that no file can have become the nearest",
        arguments: [
            (1.5, 1, 500_000_000), (-1.5, -2, 500_000_000), (0, 0, 0), (.infinity, 0, 0), (.nan, 0, 0),
            (1e300, 1 << 52, 0),
        ] as [(Double, Int64, UInt32)])
    func times(seconds: Double, whole: Int64, nanoseconds: UInt32) {
        #expect(FileTime(seconds) == FileTime(seconds: whole, nanoseconds: nanoseconds))
    }
}
