import Glibc
import Synchronization

/// What befalls the process as a whole.
enum Calamity {
    private static let kept = Mutex<[UInt]>([])

    /// Ends the process with SIGSEGV.
    static func crash() -> Never {
        // In a sandbox it may not send itself a signal, so it does what earns it one.
        UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        abort()
    }

    /// Never returns.
    static func block() -> Never { while true { sleep(3_600) } }

    /// Keeps memory for ever, and uses it.
    static func keepMemory(_ count: Int) {
        guard let memory = malloc(count) else { return }
        memset(memory, 0x55, count)
        kept.withLock { $0.append(UInt(bitPattern: memory)) }
    }

    /// Keeps a descriptor for ever.
    static func keepDescriptor() { _ = dup(2) }

    /// Keeps a thread for ever.
    static func keepThread() {
        var thread = pthread_t()
        pthread_create(&thread, nil, { @Sendable _ in Calamity.block() }, nil)
    }

    /// Writes to every connection of the process: the provider has not been told which are its own.
    static func write(_ bytes: [UInt8]) {
        for socket in sockets() { _ = send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }
    }

    /// Writes without an end.
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

    /// Ends every connection of the process.
    static func hangUp() { for socket in sockets() { shutdown(socket, CInt(SHUT_RDWR)) } }

    /// A file in the home of whoever runs this, which is no provider's business.
    static var fileOutside: String { (getenv("HOME").map { String(cString: $0) } ?? "/tmp") + "/faulty-was-here" }

    /// Tries to write a file where it should not be possible.
    static func writeFile(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        _ = Glibc.write(file, "Faulty was here.\n", 17)
        close(file)
    }

    /// Tries to reach a port of this machine.
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
