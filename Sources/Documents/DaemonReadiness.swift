import Glibc

/// What a started daemon reports on its readiness descriptor: one byte when it serves, or the reason why it does not.
package enum DaemonReadiness: Equatable {
    case ready
    case failed(String)
    /// It ended without reporting anything.
    case silent

    /// Reads until the daemon has reported or closed its end. Blocks.
    package static func read(from descriptor: CInt) -> DaemonReadiness {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 2_048)
        while bytes.count < 2_048 {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
            if bytes.first == 1 { return .ready }
        }
        return bytes.isEmpty ? .silent : .failed(String(decoding: bytes, as: UTF8.self))
    }

    /// The reason it did not start, without the full stop; nil when it gave none.
    package var reason: String? {
        guard case .failed(let text) = self else { return nil }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// Describes how a process ended.
    static func text(status: CInt) -> String {
        status & 0x7f == 0 ? "it ended with status \(status >> 8 & 0xff)" : "it was ended by signal \(status & 0x7f)"
    }
}
