import CSocketActivation
import FileProvider
import Glibc
import Synchronization

/// The socket on 127.0.0.1 on which rclone accepts calls. It outlives each rclone process: calls that arrive in between
/// wait for the next one, and no other program can take the port.
struct RcloneListener: Sendable {
    let descriptor: CInt
    let port: Int

    private static let isTaken = Atomic(false)

    /// Uses the socket that the extension host made, at most once. Outside a sandbox, makes a new one.
    ///
    /// - Throws: `FileProviderError` when there is no socket.
    init() throws {
        if let text = getenv("DOCENT_LOOPBACK_LISTENER") {
            guard !Self.isTaken.exchange(true, ordering: .relaxed), let given = CInt(String(cString: text)) else {
                throw FileProviderError(
                    .invalidArgument, "All domains have to use the same rclone: the sandbox provides only one socket.")
            }
            descriptor = given
        } else {
            descriptor = csocket_activation_listen()
        }
        guard descriptor >= 0 else {
            throw FileProviderError(
                .notPermitted,
                "No socket can be created for rclone (\(String(cString: strerror(-descriptor)))). The manifest "
                    + "needs org.docent.loopback-listener.")
        }
        let number = csocket_activation_port(descriptor)
        guard number > 0 else {
            throw FileProviderError(.failed, "The socket for rclone is not on 127.0.0.1.")
        }
        port = Int(number)
    }
}
