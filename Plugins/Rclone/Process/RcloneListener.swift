import CSocketActivation
import FileProvider
import Glibc
import Synchronization

/// The socket on 127.0.0.1 that rclone takes its calls from. It stays here over the death of an rclone: who calls meanwhile waits for the
/// next one, and nobody else can take the port.
struct RcloneListener: Sendable {
    let descriptor: CInt
    let port: Int

    private static let isTaken = Atomic(false)

    /// The one that the extension host made, once; outside a sandbox a new one.
    ///
    /// - Throws: `FileProviderError` when there is none.
    init() throws {
        if let text = getenv("DOCENT_LOOPBACK_LISTENER") {
            guard !Self.isTaken.exchange(true, ordering: .relaxed), let given = CInt(String(cString: text)) else {
                throw FileProviderError(
                    .invalidArgument, "All domains have to use the same rclone: the sandbox gives one socket.")
            }
            descriptor = given
        } else {
            descriptor = csocket_activation_listen()
        }
        guard descriptor >= 0 else {
            throw FileProviderError(
                .notPermitted,
                "No socket can be made for rclone (\(String(cString: strerror(-descriptor)))). The manifest needs org.docent.loopback-listener."
            )
        }
        let number = csocket_activation_port(descriptor)
        guard number > 0 else {
            throw FileProviderError(.failed, "The socket for rclone is none of 127.0.0.1.")
        }
        port = Int(number)
    }
}
