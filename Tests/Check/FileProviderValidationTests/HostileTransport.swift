import Dispatch
import FileProviderValidation
import Glibc
import Synchronization
import Varlink

/// A provider made of raw bytes: `behave` has the other end of the socket, on its own thread, until it returns.
struct HostileTransport: ValidationTransport {
    let behave: @Sendable (CInt) -> Void

    var name: String { "hostile" }
    var abilities: TransportAbilities { [.restart, .kill, .direct, .lifeCycle] }

    func start(_ subject: ProviderSubject, in directory: String) async throws -> any ProviderInstance {
        try Instance(behave, storage: directory)
    }

    private final class Instance: ProviderInstance {
        let storage: String
        private let socket: Mutex<UnixSocket.Pair>

        init(_ behave: @escaping @Sendable (CInt) -> Void, storage: String) throws {
            self.storage = storage
            var pair = try UnixSocket.pair()
            let other = try pair.takeSecond().release()
            socket = Mutex(pair)
            DispatchQueue(label: "org.docent.tests.hostile").async {
                behave(other)
                close(other)
            }
        }

        var visibleStorage: String { storage }
        var isApart: Bool { false }
        var process: Int32? { nil }
        var end: String? { nil }
        var errorText: String { "" }

        func takeSocket() throws -> OwnedDescriptor { try socket.withLock { try $0.takeFirst() } }

        func stop(kill: Bool) async -> String? { "ended" }
    }

    /// Reads one message without its terminator; nil when the validator has disconnected.
    static func read(_ socket: CInt) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            guard recv(socket, &byte, 1, 0) == 1 else { return nil }
            if byte == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }

    /// Writes; false when the validator has disconnected.
    @discardableResult
    static func write(_ text: String, _ socket: CInt) -> Bool {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
