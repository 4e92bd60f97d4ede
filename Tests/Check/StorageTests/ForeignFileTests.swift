import CLinux
import Foundation
import Testing

@testable import Storage

@Suite struct ForeignFileTests {
    @Test("F1: only a regular file with the promised access is accepted")
    func kinds() throws {
        let scratch = try Scratch()
        let root = try Directory(path: OwnPath(scratch.root))
        try checked(clinux_mkfifoat(root.descriptor, "fifo", 0o600), "mkfifo")
        func refused(_ path: String, _ flags: Int32, _ access: ForeignDescriptor.Access = .readOnly) throws {
            let file = OpenDescriptor(owning: try checked(clinux_open(path, flags, 0), "open", path: path))
            expectCode(.unacceptable) { _ = try ForeignDescriptor.check(file.number, access: access) }
        }
        try refused(scratch.root + "/fifo", CLINUX_O_RDONLY | CLINUX_O_NONBLOCK)
        try refused("/dev/zero", CLINUX_O_RDONLY)
        try refused("/proc/self/status", CLINUX_O_RDONLY)
        try refused(scratch.root, CLINUX_O_RDONLY)
        let file = try scratch.file("f", [1, 2, 3])
        try refused(scratch.root + "/f", CLINUX_O_PATH)
        expectCode(.unacceptable) { _ = try ForeignDescriptor.check(file.number, access: .readOnly) }
        #expect(try ForeignDescriptor.check(file.number, access: .readWrite).size == 3)
        expectCode(.tooLarge) { _ = try ForeignDescriptor.check(file.number, access: .readWrite, maximumSize: 2) }
        let fifo = OpenDescriptor(
            owning: try checked(clinux_open(scratch.root + "/fifo", CLINUX_O_RDWR, 0), "open"))
        expectCode(.unacceptable) { _ = try FileCopier.copy(from: fifo.number, to: file.number, bound: 10) }
    }

    @Test("F1: every way of copying gives the same bytes", arguments: [(true, true), (false, true), (false, false)])
    func methods(_ clone: Bool, _ kernel: Bool) throws {
        let scratch = try Scratch()
        let content = (0..<2_500_003).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        let (source, target) = (try scratch.file("s", content), try scratch.file("t", [9, 9]))
        var methods = FileCopier.Methods()
        (methods.clone, methods.kernel) = (clone, kernel)
        var last: UInt64 = 0
        let outcome = try FileCopier.copy(
            from: source.number, to: target.number, bound: 3_000_000, methods: methods,
            progress: { done, _ in last = done })
        #expect(outcome.size == 2_500_003 && last == 2_500_003)
        #expect(try bytes(of: target) == content)
        if !kernel { #expect(outcome.method == .buffered) }
    }

    @Test("F1: an 8 TiB hole is refused by its size, and without a limit by the reservation")
    func hole() throws {
        let scratch = try Scratch()
        let (source, target) = (try scratch.file("s"), try scratch.file("t"))
        let size: Int64 = 8 << 40
        guard clinux_ftruncate(source.number, size) == 0 else { return }
        expectCode(.tooLarge) { _ = try FileCopier.copy(from: source.number, to: target.number, bound: 1 << 30) }
        var methods = FileCopier.Methods()
        methods.clone = false
        let error = #expect(throws: FileSystemError.self) {
            _ = try FileCopier.copy(from: source.number, to: target.number, bound: .max, methods: methods)
        }
        #expect(error?.code == .noSpace || error?.code == .tooLarge)
        #expect(try FileStatus(of: target.number).size == 0)
    }

    @Test(
        "Export: a source that changes once is copied again; one that keeps growing is a conflict", arguments: [1, 9])
    func growing(_ changes: Int) throws {
        let scratch = try Scratch()
        let (source, target) = (try scratch.file("s", [1]), try scratch.file("t"))
        var methods = FileCopier.Methods()
        methods.clone = false
        var left = changes
        func copy() throws {
            _ = try FileCopier.copy(
                from: source.number, to: target.number, bound: 1000, methods: methods,
                progress: { done, _ in
                    guard done > 0, left > 0 else { return }
                    left -= 1
                    clinux_pwrite(source.number, [7] as [UInt8], 1, Int64(20 - left))
                })
        }
        if changes == 1 {
            try copy()
            #expect(try bytes(of: target) == bytes(of: source))
        } else {
            expectCode(.changed) { try copy() }
        }
    }

    @Test("law 5: a copy ends when it is cancelled, or at its deadline")
    func cancelled() async throws {
        let scratch = try Scratch()
        let (source, target) = (try scratch.file("s", [1]), try scratch.file("t"))
        let cancellation = Cancellation()
        cancellation.cancel()
        expectCode(.cancelled) {
            _ = try FileCopier.copy(from: source.number, to: target.number, bound: 9, cancellation: cancellation)
        }
        let error = await #expect(throws: FileSystemError.self) {
            try await BlockingWorker().run(deadline: .now) { cancellation in
                _ = try FileCopier.copy(from: source.number, to: target.number, bound: 9, cancellation: cancellation)
            }
        }
        #expect(error?.code == .deadline)
        #expect(try FileCopier.copy(from: source.number, to: target.number, bound: 9).size == 1)
    }

    @Test("S4: an unlinked private copy is read-only, has no name, and does not touch the original when reopened")
    func unlinked() throws {
        let scratch = try Scratch()
        let source = try scratch.file("s", [1, 2])
        let copy = try FileCopier.unlinkedCopy(of: source.number, in: Directory(path: OwnPath(scratch.root)), bound: 10)
        #expect(try FileStatus(of: copy.number).links == 0)
        #expect(clinux_pwrite(copy.number, [9] as [UInt8], 1, 0) < 0)
        if let reopened = try? OpenDescriptor.reopenForWriting(copy.number) {
            clinux_pwrite(reopened.number, [9] as [UInt8], 1, 0)
        }
        #expect(try bytes(of: source) == [1, 2])
    }

    @Test("F2: a reopened descriptor has its own offset and cannot write")
    func reopened() throws {
        let scratch = try Scratch()
        let source = try scratch.file("s", [1, 2, 3])
        let other = try OpenDescriptor.reopenReadOnly(source.number)
        var byte: UInt8 = 0
        clinux_read(source.number, &byte, 1)
        clinux_read(other.number, &byte, 1)
        #expect(byte == 1)
        #expect(clinux_pwrite(other.number, [9] as [UInt8], 1, 0) < 0)
    }
}
