import CVarlinkSocket
import Glibc

/// Waits for bytes. After recent traffic it first spins for at most 30 µs, because waking a sleeping thread on another
/// CPU takes as long. "Recent" means that the last wait was shorter than 100 µs, so a quiet peer costs no spinning.
struct LivelyWait {
    private static let spinNanoseconds: Int64 = 30_000
    private static let recentNanoseconds: Int64 = 100_000
    private static let hasSeveralCPUs = cvarlink_cpu_count() > 1

    private let mayFollow: Bool
    private var isLively = false

    init(spins: Bool) {
        mayFollow = spins && Self.hasSeveralCPUs
    }

    /// Receives at least one byte; returns false at the end of the stream. Throws `timedOut` when the deadline has
    /// passed.
    mutating func receive(
        into reader: inout MessageReader, from socket: CInt, deadline: Deadline?
    ) throws(VarlinkError) -> Bool {
        let begin = cvarlink_now()
        defer { isLively = mayFollow && cvarlink_now() - begin < Self.recentNanoseconds }
        if isLively {
            repeat {
                switch try reader.receive(from: socket, flags: CInt(CVARLINK_DONT_WAIT)) {
                case .received: return true
                case .endOfStream: return false
                case .wouldBlock: cvarlink_relax()
                }
            } while cvarlink_now() - begin < Self.spinNanoseconds
        }
        var flags: CInt = deadline == nil ? 0 : CInt(CVARLINK_DONT_WAIT)
        while true {
            switch try reader.receive(from: socket, flags: flags) {
            case .received: return true
            case .endOfStream: return false
            case .wouldBlock:
                // Also reached when someone else made the socket non-blocking.
                flags = CInt(CVARLINK_DONT_WAIT)
                try SocketPoll.wait(socket, for: CInt(POLLIN), deadline: deadline)
            }
        }
    }
}
