import DocentInterfaces
import FileProviderValidation
import Synchronization
package import Varlink

/// Acts as a provider and calls a daemon as a client does, so that the cases for providers reach a provider through the
/// daemon. Calls that a client cannot make are answered as not available, which skips the case. Thread-safe.
package final class ClientBridge: Sendable {
    private let provider: EnabledProvider
    private let features: [String]
    private let server = Mutex<VarlinkServer?>(nil)

    /// The features of a provider that clients can use.
    package static let usable: Set<String> = ["delete", "metadata", "move", "write"]

    /// Serves a socket.
    ///
    /// - Parameters:
    ///   - features: the features that the provider declares.
    /// - Throws: `VarlinkError` when the socket cannot be used.
    package init(_ provider: EnabledProvider, features: [String], _ socket: consuming OwnedDescriptor) throws {
        self.provider = provider
        self.features = features.filter(Self.usable.contains)
        var table = MethodTable(interface: FileProviderInterface.name, description: FileProviderInterface.description)
        addSetup(to: &table)
        BridgedReading(provider: provider).add(to: &table)
        BridgedWriting(provider: provider).add(to: &table)
        let server = VarlinkServer(
            information: ServiceInformation(
                vendor: "Docent", product: "Docent validator", version: "1", url: "https://docent.example"),
            interfaces: [table], observer: nil, errorMapper: { BridgedError.reply($0, .versionOutOfDate) })
        self.server.withLock { $0 = server }
        try server.serve(socket, label: "validator")
    }

    /// Closes the connection.
    package func close() {
        server.withLock { server in
            defer { server = nil }
            return server
        }?.shutdown()
    }

    private func addSetup(to table: inout MethodTable) {
        typealias Interface = FileProviderInterface
        let features = features
        table.immediate(Interface.Initialize.shortName, changesState: true, Interface.Initialize.Parameters.self) {
            _, _ in Reply(Interface.Initialize.Reply(sdk: "docentd", features: features))
        }
        table.immediate(Interface.Connect.shortName, changesState: true, Interface.Connect.Parameters.self) {
            [weak self] parameters, call in
            let socket = try call.descriptor(parameters.socket)
            try self?.server.withLock { $0 }?.serve(socket, label: "validator")
            return Reply(Interface.Connect.Reply())
        }
        for method in Self.missing {
            table.immediate(method, NoParameters.self) { _, _ -> Reply<NoParameters> in
                throw BridgedError.notAvailable("a client of the daemon has no such call: \(method)")
            }
        }
    }

    /// Calls that only a host makes.
    private static let missing = [
        "AnswerAuthentication", "Authenticate", "BeginPackage", "Changes", "ClaimAnswered", "Claims", "CommitPackage",
        "ContinueAuthentication", "DeleteTrashed", "Events", "FetchVersion", "ItemChanged", "Keychain",
        "KeychainAnswered", "ListTrash", "ListVersions", "Observe", "OpenInPlace", "Perform", "PersistentIdentifier",
        "Provide", "ProvidePlaceholder", "RestoreItem", "RestoreVersion", "SignIn", "SignInForms", "SignOut",
        "StageElement", "StopProviding", "Thumbnail", "TrashItem", "URLForItem", "Usage",
    ]
}
