import Dispatch
import DocentInterfaces
import Synchronization
package import Varlink

/// Serves the interfaces of an extension on the socket that the extension host passed.
package final class ExtensionServer: Sendable {
    /// How this SDK identifies itself in `Initialize`.
    static let sdk = "docent-swift 1"

    private final class Ends: ConnectionObserver {
        private let first = Mutex<ConnectionIdentifier?>(nil)
        private let ended = DispatchSemaphore(value: 0)

        func connectionOpened(_ id: ConnectionIdentifier, peer: PeerCredentials, listener: String) throws {
            first.withLock { if $0 == nil { $0 = id } }
        }

        func connectionClosed(_ id: ConnectionIdentifier) {
            if first.withLock({ $0 == id }) { ended.signal() }
        }

        func wait() { ended.wait() }
    }

    private let server = Mutex<VarlinkServer?>(nil)
    private let ends = Ends()

    /// Starts to serve one connection.
    ///
    /// - Throws: `VarlinkError` when the socket cannot be used.
    package init(_ socket: consuming OwnedDescriptor) throws {
        let (claims, keychain) = (ClaimHub(), KeychainHub())
        let provider = FileProviderHarness(service: FileProviderService(claims: claims, keychain: keychain))
        let picker = DocumentPickerHarness(claims: claims, keychain: keychain)
        let server = VarlinkServer(
            information: ServiceInformation(
                vendor: "Docent", product: "Docent extension", version: "1", url: "https://docent.example"),
            interfaces: [provider.table(self), picker.table(self)], observer: ends,
            errorMapper: { error in
                FileProviderError(wrapping: error).failure.callError(interface: FileProviderInterface.name)
            })
        self.server.withLock { $0 = server }
        try server.serve(socket, label: "host")
    }

    /// Serves an additional connection.
    func connect(_ socket: consuming OwnedDescriptor) throws {
        guard let server = server.withLock({ $0 }) else { return }
        try server.serve(socket, label: "host")
    }

    /// Blocks until the first connection has ended, then closes the others.
    package func wait() {
        ends.wait()
        let server = self.server.withLock { server in
            defer { server = nil }
            return server
        }
        server?.shutdown()
    }
}
