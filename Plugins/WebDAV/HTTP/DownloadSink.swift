import FileProvider
import Glibc
import HTTPTransport
import Synchronization

/// Writes a body directly to its destination, at the position that the server gives.
final class DownloadSink: HTTPSink {
    private struct State {
        var reply = HTTPReply()
        var beginning = 0
        var position = 0
        var end: Int?
        var stated: StatedDigest?
        var computation: DigestComputation?
    }

    private let destination: ContentWriter
    private let start: DownloadPart?
    private let control: HTTPControl
    private let state = Mutex(State())

    /// - Parameter start: The part that was requested; nil for the whole content.
    init(_ destination: ContentWriter, resumingAt start: DownloadPart?, control: HTTPControl) {
        self.destination = destination
        self.start = start
        self.control = control
    }

    /// The number of bytes present, counted from the start of the content.
    var position: Int { state.withLock { $0.position } }

    /// The position at which the server began, in bytes from the start. The bytes before it were fetched earlier.
    var beginning: Int { state.withLock { $0.beginning } }

    /// The digest of the whole content that the server stated.
    var stated: StatedDigest? { state.withLock { $0.stated } }

    /// The digest of the received content, if it was received from its start and the server stated a digest.
    var computed: StatedDigest? { state.withLock { $0.computation?.finish() } }

    func begin(_ reply: HTTPReply) throws {
        guard reply.status == 200 || reply.status == 206 else { return }
        if let encoding = reply["content-encoding"], encoding.lowercased() != "identity" {
            throw FileProviderError(
                .failed, "The server sent the content encoded as \(encoding), which was not requested.")
        }
        var position = 0
        var end = reply.contentLength
        if reply.status == 206 {
            guard let start, start.isAnswered(by: reply), let first = reply.contentRange?.first else {
                throw WrongPart.error
            }
            position = first
            end = reply.contentRange?.total ?? end.map { $0 + first }
        }
        let beginning = reply.status == 206 ? start?.offset ?? position : position
        // With an overlap, writing begins only after the overlap was found equal.
        if position == beginning { try destination.begin(at: beginning) }
        control.restart(at: beginning)
        let stated = StatedDigest.stated(by: reply)
        state.withLock {
            $0 = State(
                reply: reply, beginning: beginning, position: position, end: end, stated: stated,
                computation: position == 0 ? stated.map { DigestComputation($0.algorithm) } : nil)
        }
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        let (position, end) = state.withLock { ($0.position, $0.end) }
        if let end, position + bytes.count > end {
            throw FileProviderError(.failed, "The server sent more bytes than it announced. Try again later.")
        }
        // The overlap is sent again to show that the rest belongs to the same content.
        let beginning = state.withLock { $0.beginning }
        var done = max(0, min(bytes.count, beginning - position))
        if done > 0 {
            var here = [UInt8](repeating: 0, count: done)
            let count = pread(destination.descriptor, &here, done, off_t(position))
            guard count == done, here.elementsEqual(bytes.prefix(done)) else { throw WrongPart.error }
            if position + done == beginning { try destination.begin(at: beginning) }
        }
        while done < bytes.count {
            let written = pwrite(
                destination.descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(position + done))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.failure(errno) }
            done += written
        }
        state.withLock {
            $0.computation?.add(bytes)
            $0.position = position + done
        }
        if position + done >= beginning { destination.advance(to: position + done) }
    }

    private static func failure(_ number: CInt) -> FileProviderError {
        let detail = ErrorDetail(
            domain: "NSPOSIXErrorDomain", code: Int(number), text: String(cString: strerror(number)))
        let isFull = [ENOSPC, EDQUOT, EFBIG].contains(number)
        return FileProviderError(
            isFull ? .insufficientQuota : .failed,
            isFull
                ? "There is no space left here for the content. Free some space."
                : "The content cannot be written here.",
            underlying: [detail])
    }
}

/// The error for a part that does not continue the earlier content, which has to be fetched from the start.
enum WrongPart {
    static let detail = ErrorDetail(domain: "org.docent.WebDAV", code: 1, text: "This is a different part.")

    static let error = FileProviderError(
        .serverUnreachable, "The server sent a different part from the one requested. Try again later.",
        underlying: [detail])
}
