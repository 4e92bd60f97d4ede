import CLinux
import CommandConsole
import Documents
import Glibc
import Synchronization

/// The program's standard streams that are not terminals.
///
/// Through `/proc/self/fd`, an open file can be opened again, for writing too, and an open folder gives access to the
/// whole file system (S4). A socket reaches its other end. All of them therefore pass through pipes, or are refused;
/// ``StreamKind`` decides.
final class PlainStreams: Sendable {
    /// The program's descriptors 0, 1 and 2, before a terminal replaces any of them.
    let descriptors: [CInt]
    private let ownedByProgram: [CInt]
    private let carrying: Mutex<[Task<Void, Never>]>

    /// - Throws: ``DocumentsError`` `invalidArgument` for a stream that no program may have, `unavailable` if no pipe
    ///   can be made.
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
                // If standard output and error are the same, one pipe keeps them in order.
                if stream == STDERR_FILENO, let known = seen[identity] {
                    result.append(known)
                    continue
                }
                var ends: [CInt] = [-1, -1]
                guard pipe(&ends) == 0 else { throw DocumentsError(.unavailable, "A pipe cannot be created.") }
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
                    "Standard stream \(stream) is a folder, a disk or not a stream. A program in a sandbox gets none.",
                    suggestion: "Redirect it to a file, or to /dev/null.")
            }
        }
        descriptors = result
        ownedByProgram = owned
        carrying = Mutex(tasks)
    }

    /// Call this after the program has started: it closes the program's ends here, so that their end is seen.
    func handOver() { for descriptor in ownedByProgram { close(descriptor) } }

    /// Call this after the program has ended: it waits until all output has arrived.
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
                // Another user of the stream may have made it non-blocking.
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
        // Unread input does not matter once the program has ended.
        return Task { if !isInput { for await _ in ends {} } }
    }

    private struct FileIdentity: Hashable {
        let device: dev_t
        let inode: ino_t
    }
}
