import CLinux
import CommandConsole
import Documents
import Glibc
import Synchronization

/// The program's standard streams where they are no terminal.
///
/// An open file can be opened anew through `/proc/self/fd`, for writing too, an open folder is the whole file system (S4), and a socket
/// reaches whoever is at its other end. So all of them come and go through pipes, or not at all; ``StreamKind`` decides.
final class PlainStreams: Sendable {
    /// What the program gets as 0, 1 and 2, before a terminal takes the place of any.
    let descriptors: [CInt]
    private let ownedByProgram: [CInt]
    private let carrying: Mutex<[Task<Void, Never>]>

    /// - Throws: ``DocumentsError`` `invalidArgument` for a stream that no program may have.
    init() throws(DocumentsError) {
        var result: [CInt] = []
        var owned: [CInt] = []
        var tasks: [Task<Void, Never>] = []
        var seen: [FileIdentity: CInt] = [:]
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            var status = stat()
            guard fstat(stream, &status) == 0 else {
                result.append(open("/dev/null", O_RDWR | O_CLOEXEC))
                owned.append(result[result.count - 1])
                continue
            }
            switch Self.kind(of: stream, status) {
            case .handedOn: result.append(stream)
            case .carried:
                let identity = FileIdentity(device: status.st_dev, inode: status.st_ino)
                // Standard output and error that are one stay in order through one pipe.
                if stream == STDERR_FILENO, let known = seen[identity] {
                    result.append(known)
                    continue
                }
                var ends: [CInt] = [-1, -1]
                guard pipe(&ends) == 0 else { throw DocumentsError(.unavailable, "No pipe can be made.") }
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                let isInput = stream == STDIN_FILENO
                let (ours, its) = isInput ? (ends[1], ends[0]) : (ends[0], ends[1])
                if !isInput { seen[identity] = its }
                result.append(its)
                owned.append(its)
                tasks.append(Self.carry(from: isInput ? stream : ours, to: isInput ? ours : stream, closing: ours))
            case .refused:
                throw DocumentsError(
                    .invalidArgument,
                    "Standard stream \(stream) is a folder, a disk or no stream at all, which no sandboxed program gets.",
                    suggestion: "Redirect it to a file, or to /dev/null.")
            }
        }
        descriptors = result
        ownedByProgram = owned
        carrying = Mutex(tasks)
    }

    /// After the program was started: closes its ends here, so that the end of them is seen.
    func handOver() { for descriptor in ownedByProgram { close(descriptor) } }

    /// After the program's end: waits until all that it wrote has arrived.
    func finish() async {
        for task in carrying.withLock({ $0 }) { await task.value }
    }

    private static func kind(of stream: CInt, _ status: stat) -> StreamKind {
        var system = clinux_file_system()
        let isNameless = clinux_statfs_fd(stream, &system) == 0 && system.magic == StreamKind.pipes
        return StreamKind(
            mode: status.st_mode, device: status.st_rdev, isNameless: isNameless, isTerminal: isatty(stream) == 1)
    }

    private static func carry(from source: CInt, to target: CInt, closing ours: CInt) -> Task<Void, Never> {
        let isInput = target == ours
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        Thread.start {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(source, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                // Whoever else has the stream may have it not to wait.
                if count < 0, errno == EAGAIN {
                    var entry = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
                    _ = poll(&entry, 1, -1)
                    continue
                }
                guard count > 0, (try? ContentPump.write(buffer[..<count], to: target)) != nil else { break }
            }
            close(ours)
            end.finish()
        }
        // What is still to be read is nobody's concern when the program has ended.
        return Task { if !isInput { for await _ in ends {} } }
    }

    private struct FileIdentity: Hashable {
        let device: dev_t
        let inode: ino_t
    }
}
