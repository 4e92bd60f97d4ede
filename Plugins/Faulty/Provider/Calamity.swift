import Glibc
import Synchronization

/// Faults that affect the whole process.
enum Calamity {
    private static let kept = Mutex<[UInt]>([])

    /// Ends the process with SIGSEGV.
    static func crash() -> Never {
        // A sandbox forbids sending itself the signal, so it causes the fault.
        UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        abort()
    }

    /// Never returns.
    static func block() -> Never { while true { sleep(3_600) } }

    /// Allocates memory, writes to it, and never frees it.
    static func keepMemory(_ count: Int) {
        guard let memory = malloc(count) else { return }
        memset(memory, 0x55, count)
        kept.withLock { $0.append(UInt(bitPattern: memory)) }
    }

    /// Leaks a descriptor.
    static func keepDescriptor() { _ = dup(2) }

    /// Leaks a thread.
    static func keepThread() {
        var thread = pthread_t()
        pthread_create(&thread, nil, { @Sendable _ in Calamity.block() }, nil)
    }

    /// Writes to every connection of the process: the provider does not know which are its own.
    static func write(_ bytes: [UInt8]) {
        for socket in sockets() { _ = send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }
    }

    /// Writes endlessly.
    static func flood(_ count: Int) {
        let bytes = [UInt8](repeating: 0x41, count: 1 << 16)
        for socket in sockets() {
            var rest = count
            while rest > 0 {
                var wait = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
                guard poll(&wait, 1, 2_000) > 0 else { break }
                let done = send(socket, bytes, min(bytes.count, rest), CInt(MSG_NOSIGNAL))
                if done < 0, errno == EAGAIN { continue }
                guard done > 0 else { break }
                rest -= done
            }
        }
    }

    /// Closes every connection of the process.
    static func hangUp() { for socket in sockets() { shutdown(socket, CInt(SHUT_RDWR)) } }

    /// A file in the user's home that a provider must not touch.
    static var fileOutside: String { (getenv("HOME").map { String(cString: $0) } ?? "/tmp") + "/faulty-was-here" }

    /// Tries to write a file in a forbidden place.
    static func writeFile(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        _ = Glibc.write(file, "Faulty was here.\n", 17)
        close(file)
    }

    /// Tries to connect to a port of this machine.
    static func connect(port: UInt16) {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Tries to start a program.
    static func run() {
        var process = pid_t()
        let name = strdup("true")
        defer { free(name) }
        if posix_spawn(&process, "/bin/true", nil, nil, [name, nil], nil) == 0 { waitpid(process, nil, 0) }
    }

    private static func sockets() -> [CInt] {
        (3..<1_024).filter { descriptor in
            var facts = stat()
            return fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
        }
    }
}
