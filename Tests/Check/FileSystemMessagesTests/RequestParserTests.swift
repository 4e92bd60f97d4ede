import CFUSE
import FileSystemMessages
import Testing

@Suite struct RequestParserTests {
    /// A message of the kernel.
    static func message(
        _ operation: fuse_opcode, unique: UInt64 = 2, node: UInt64 = 1, length: Int? = nil, _ body: [UInt8] = []
    ) -> [UInt8] {
        var header = fuse_in_header()
        header.opcode = operation.rawValue
        (header.unique, header.nodeid) = (unique, node)
        (header.uid, header.gid, header.pid) = (1000, 1001, 4711)
        header.len = UInt32(length ?? MemoryLayout<fuse_in_header>.size + body.count)
        return bytes(header) + body
    }

    static func bytes(_ value: some BitwiseCopyable) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    static func request(_ message: [UInt8]) throws(RequestParser.Malformed) -> KernelRequest {
        let result = message.withUnsafeBytes { bytes in
            Result { () throws(RequestParser.Malformed) in
                try RequestParser.request(bytes)
            }
        }
        return try result.get()
    }

    @Test("the caller, the node and the name of a request are read")
    func header() throws {
        let request = try Self.request(Self.message(FUSE_READLINK, unique: 8, node: 42))
        #expect(
            request
                == KernelRequest(
                    unique: 8, node: 42, caller: .init(user: 1000, group: 1001, process: 4711), operation: .readLink))
    }

    @Test("a repeated request is told from the first one, and its reply has the same mark")
    func repeated() throws {
        let request = try Self.request(Self.message(FUSE_READLINK, unique: 8 | UInt64(CFUSE_UNIQUE_RESEND)))
        #expect(request.unique == 8 | UInt64(CFUSE_UNIQUE_RESEND) && request.isRepeated)
    }

    @Test(
        "each operation is read",
        arguments: [
            (message(FUSE_LOOKUP, Array("a b.txt".utf8) + [0]), .lookUp("a b.txt")),
            (message(FUSE_LOOKUP, [0xff, 0xfe, 0]), .lookUp(nil)),
            (message(FUSE_FORGET, node: 7, bytes(UInt64(3))), .forget([.init(node: 7, count: 3)])),
            (
                message(
                    FUSE_BATCH_FORGET,
                    bytes(fuse_batch_forget_in(count: 2, dummy: 0)) + bytes(UInt64(5)) + bytes(UInt64(1))
                        + bytes(UInt64(6)) + bytes(UInt64(2))),
                .forget([.init(node: 5, count: 1), .init(node: 6, count: 2)])
            ),
            (message(FUSE_INTERRUPT, bytes(UInt64(12))), .interrupt(unique: 12)),
            (
                message(FUSE_GETATTR, bytes(fuse_getattr_in(getattr_flags: 0, dummy: 0, fh: 9))),
                .attributes(handle: nil)
            ),
            (message(FUSE_GETATTR, bytes(fuse_getattr_in(getattr_flags: 1, dummy: 0, fh: 9))), .attributes(handle: 9)),
            (message(FUSE_OPEN, bytes(fuse_open_in(flags: 0o100001, open_flags: 0))), .open(flags: 0o100001)),
            (
                message(
                    FUSE_CREATE,
                    bytes(fuse_create_in(flags: 2, mode: 0o100644, umask: 0, open_flags: 0)) + Array("x".utf8) + [0]),
                .create("x", flags: 2, permissions: 0o644)
            ),
            (
                message(
                    FUSE_READ,
                    bytes(
                        fuse_read_in(fh: 3, offset: 4096, size: 512, read_flags: 0, lock_owner: 0, flags: 0, padding: 0)
                    )),
                .read(handle: 3, offset: 4096, count: 512)
            ),
            (
                message(
                    FUSE_WRITE,
                    bytes(
                        fuse_write_in(fh: 3, offset: 10, size: 2, write_flags: 0, lock_owner: 0, flags: 0, padding: 0))
                        + [1, 2]),
                .write(handle: 3, offset: 10, data: 80..<82)
            ),
            (
                message(
                    FUSE_RENAME2,
                    bytes(fuse_rename2_in(newdir: 4, flags: 1, padding: 0)) + Array("a".utf8) + [0] + Array("b".utf8)
                        + [0]),
                .rename("a", newParent: 4, newName: "b", flags: 1)
            ),
            (
                message(FUSE_GETXATTR, bytes(fuse_getxattr_in(size: 64, padding: 0)) + Array("user.x".utf8) + [0]),
                .extendedAttribute("user.x", room: 64)
            ),
            (message(FUSE_POLL), .other(40)),
        ] as [([UInt8], KernelRequest.Operation)])
    func operations(message: [UInt8], operation: KernelRequest.Operation) throws {
        #expect(try Self.request(message).operation == operation)
    }

    @Test("new attributes are those that the kernel marks")
    func newAttributes() throws {
        var wire = fuse_setattr_in()
        wire.valid = UInt32(FATTR_SIZE | FATTR_MTIME)
        (wire.size, wire.mtime, wire.mtimensec, wire.mode) = (77, 1_000, 5, 0o600)
        let request = try Self.request(Self.message(FUSE_SETATTR, Self.bytes(wire)))
        #expect(
            request.operation
                == .setAttributes(.init(size: 77, modified: .at(FileTime(seconds: 1_000, nanoseconds: 5)))))
    }

    @Test("an offer of an earlier kernel, without the features beyond the first 32, is read")
    func offer() throws {
        let words: [UInt32] = [7, 31, 131_072, UInt32(FUSE_ASYNC_READ)]
        let request = try Self.request(Self.message(FUSE_INIT, words.flatMap { Self.bytes($0) }))
        #expect(
            request.operation
                == .initialize(.init(major: 7, minor: 31, readAhead: 131_072, features: [.parallelReads])))
    }

    @Test(
        "a message that is shorter than it says, or than its operation needs, is refused",
        arguments: [
            [], [1, 2, 3], message(FUSE_READLINK, length: 4000), message(FUSE_LOOKUP, Array("a".utf8)),
            message(FUSE_READ, [1, 2, 3]), message(FUSE_RENAME, bytes(UInt64(3)) + Array("a".utf8) + [0]),
            message(
                FUSE_WRITE,
                bytes(fuse_write_in(fh: 3, offset: 10, size: 3, write_flags: 0, lock_owner: 0, flags: 0, padding: 0))
                    + [1, 2]),
            message(FUSE_BATCH_FORGET, bytes(fuse_batch_forget_in(count: 4_000_000_000, dummy: 0))),
        ])
    func malformed(message: [UInt8]) {
        #expect(throws: RequestParser.Malformed.self) { try Self.request(message) }
    }

    @Test("no message makes the parser read beyond it")
    func random() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let operation = fuse_opcode(rawValue: UInt32.random(in: 0...60, using: &generator))
            let body = (0..<Int.random(in: 0...120, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? Self.request(Self.message(operation, body))
        }
    }
}
