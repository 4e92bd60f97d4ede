import DocentTestSupport
import Documents
import Glibc
import Testing

@testable import CommandConsole

@Suite(.mayBlock) struct ContentPumpTests {
    private static func temporary(_ bytes: [UInt8]) throws -> CInt {
        var template = Array("/tmp/docent-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        unlink(template)
        try ContentPump.write(bytes, to: descriptor)
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }

    private static func content(_ descriptor: CInt) throws -> [UInt8] {
        var status = stat()
        try #require(fstat(descriptor, &status) == 0)
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        #expect(pread(descriptor, &bytes, bytes.count, 0) == bytes.count)
        return bytes
    }

    @Test("Files are copied whole, whatever their size", arguments: [0, 1, 4096, 3_000_001])
    func files(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let source = try Self.temporary(bytes)
        let target = try Self.temporary([])
        defer { close(source); close(target) }
        try ContentPump.copy(from: source, to: target)
        #expect(try difference(Self.content(target), from: bytes) == nil)
    }

    @Test("A redirected input is read from its present position")
    func offset() throws {
        let source = try Self.temporary(Array("header body".utf8))
        let target = try Self.temporary([])
        defer { close(source); close(target) }
        lseek(source, 7, SEEK_SET)
        try ContentPump.copy(from: source, to: target)
        #expect(try Self.content(target) == Array("body".utf8))
    }

    @Test("A pipe is copied to its end into a staged file that is read-only")
    func staging() async throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        let bytes = [UInt8](repeating: 7, count: 200_000)
        let writing = Task.detached {
            try ContentPump.write(bytes, to: writer)
            close(writer)
        }
        let staged = try LocalFile(staging: reader, activity: nil)
        try await writing.value
        close(reader)
        #expect(try difference(Self.content(staged.descriptor), from: bytes) == nil)
        #expect(fcntl(staged.descriptor, F_GETFL) & O_ACCMODE == O_RDONLY)
        var status = stat()
        #expect(fstat(staged.descriptor, &status) == 0 && status.st_nlink == 0)
    }

    @Test("A pseudo file without a size is copied by reading it")
    func pseudoFile() throws {
        let source = open("/proc/self/status", O_RDONLY)
        let target = try Self.temporary([])
        defer { close(source); close(target) }
        try ContentPump.copy(from: source, to: target)
        #expect(try Self.content(target).starts(with: "Name:".utf8))
    }

    @Test("A cancelled task stops waiting for an input that never comes, with `cancelled`")
    func cancellation() async throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader); close(writer) }
        let task = Task.detached { try ContentPump.waitUntilReadable(reader) }
        task.cancel()
        let error = await #expect(throws: DocumentsError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("X14: only regular files are exported, and a missing one is not found")
    func localFiles() {
        func code(_ path: String) -> DocumentsError.Code? {
            do throws(DocumentsError) { _ = try LocalFile(reading: path) } catch { return error.code }
            return nil
        }
        #expect(code("/tmp") == .invalidArgument)
        #expect(code("/dev/null") == .invalidArgument)
        #expect(code("/no/such/file") == .notFound)
        #expect(code("/proc/self/status") == nil)
    }

    @Test("C1: a new file never replaces an existing one")
    func creation() throws {
        var template = Array("/tmp/docent-test-XXXXXX".utf8CString)
        let made = mkstemp(&template)
        defer { close(made); unlink(template) }
        let path = template.dropLast().map { UInt8(bitPattern: $0) }
        let error = #expect(throws: DocumentsError.self) { try LocalFile.create(path) }
        #expect(error?.code == .conflict)
    }
}
