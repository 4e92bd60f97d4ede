import CLinux
import FoundationEssentials
import Glibc
import Varlink

/// The bytes of a regular file in a package, in memory or in an open file.
enum ElementContent: Sendable {
    case data(Data)
    /// An open file; it keeps reading the same content when the element is replaced.
    case file(HeldFile)

    /// A descriptor that is closed with its last reference.
    final class HeldFile: Sendable {
        let descriptor: CInt
        init(_ descriptor: CInt) { self.descriptor = descriptor }
        deinit { close(descriptor) }
    }

    /// The bytes. Blocks while a file is read.
    ///
    /// - Throws: ``DocumentsError`` `failed` when reading fails.
    func read() throws(DocumentsError) -> Data {
        switch self {
        case .data(let data): return data
        case .file(let file): return try Self.read(file.descriptor)
        }
    }

    /// A descriptor for reading the content from its start; the caller owns it.
    ///
    /// - Throws: ``DocumentsError`` `failed`; `noSpace` when there is not enough memory.
    func open() throws(DocumentsError) -> OwnedDescriptor {
        switch self {
        case .file(let file): return try Self.reopen(file.descriptor)
        case .data(let data):
            let memory = clinux_memory_file("docent-element", 0)
            guard memory >= 0 else { throw Self.failure("There is not enough memory for an element", -memory) }
            let descriptor = OwnedDescriptor(memory)
            try Self.write(data, to: memory)
            // The daemon accepts content only through a descriptor that cannot be written.
            return try Self.reopen(descriptor.raw)
        }
    }

    /// Opens a new file description where possible, because the daemon reads it from its start.
    static func reopen(_ descriptor: CInt) throws(DocumentsError) -> OwnedDescriptor {
        var copy = Glibc.open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if copy < 0 { copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
        guard copy >= 0 else { throw failure("An element cannot be opened", errno) }
        return OwnedDescriptor(copy)
    }

    /// The whole content of an open file, from its start.
    static func read(_ descriptor: CInt) throws(DocumentsError) -> Data {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("An element cannot be read", errno) }
        var data = Data(count: Int(status.st_size))
        var length = 0
        while true {
            if length == data.count { data.append(Data(count: 1 << 16)) }
            let room = length..<data.count
            let (count, code) = data.withUnsafeMutableBytes { bytes -> (Int, CInt) in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[room])
                return (pread(descriptor, rest.baseAddress, rest.count, off_t(room.lowerBound)), errno)
            }
            if count < 0 {
                if code == EINTR { continue }
                throw failure("An element cannot be read", code)
            }
            if count == 0 { return data.prefix(length) }
            length += count
        }
    }

    private static func write(_ data: Data, to descriptor: CInt) throws(DocumentsError) {
        var written = 0
        while written < data.count {
            let (count, code) = data.withUnsafeBytes { bytes -> (Int, CInt) in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return (pwrite(descriptor, rest.baseAddress, rest.count, off_t(written)), errno)
            }
            if count < 0 {
                if code == EINTR { continue }
                throw failure("There is not enough memory for an element", code)
            }
            written += count
        }
    }

    private static func failure(_ what: String, _ code: CInt) -> DocumentsError {
        DocumentsError(
            code == ENOSPC || code == ENOMEM ? .noSpace : .failed, "\(what): \(String(cString: strerror(code))).")
    }
}
