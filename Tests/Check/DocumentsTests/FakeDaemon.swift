import DocentInterfaces
import FoundationEssentials
import Glibc
import Synchronization
import Varlink

@testable import Documents

/// Stands in for a daemon at a socket of its own; it can die and be followed by another one.
final class FakeDaemon: Sendable {
    typealias Definition = @Sendable (inout MethodTable, FakeDaemon) -> Void

    static let reference = Wire.ItemReference(provider: "org.example.Cloud", domain: "work", identifier: "id-1")

    private let path = "/tmp/docent-\(UUID().uuidString.prefix(8)).sock"
    private let server = Mutex<VarlinkServer?>(nil)
    private let notes = Mutex<[String]>([])
    private let lives = Mutex(0)
    private let others: @Sendable (FakeDaemon) -> [MethodTable]
    private let definition: Definition

    /// Starts one.
    ///
    /// - Parameters:
    ///   - others: the interfaces other than `org.docent.Documents`.
    ///   - definition: the methods of that interface, in addition to those that begin a session.
    init(
        others: @escaping @Sendable (FakeDaemon) -> [MethodTable] = { _ in [] }, _ definition: @escaping Definition
    ) throws {
        self.others = others
        self.definition = definition
        Leftovers.removeAtExit(path)
        try start()
    }

    deinit {
        server.withLock { $0?.shutdown() }
        unlink(path)
    }

    /// A client of it.
    func client() -> DocumentsClient {
        var configuration = DocumentsClient.Configuration(clientIdentifier: "org.example.test")
        configuration.environment = ["DOCENT_SOCKET": path]
        return DocumentsClient(configuration)
    }

    /// How many daemons there have been, including this one.
    var life: Int { lives.withLock { $0 } }

    /// What happened, in order.
    var log: [String] { notes.withLock { $0 } }

    /// Adds to the log.
    func note(_ text: String) { notes.withLock { $0.append(text) } }

    /// Lets another daemon take its place, and closes all its connections as kill -9 does.
    func die() throws {
        let old = server.withLock { $0 }
        try start()
        old?.shutdown()
    }

    /// Dies as kill -9 ends a process: first new connections are refused, a while later open ones are closed; then
    /// another daemon is there.
    func dieSlowly(after pause: Duration) throws -> Task<Void, any Error> {
        let old = server.withLock { $0 }
        old?.stopListening(label: "test")
        return Task {
            try await Task.sleep(for: pause)
            old?.shutdown()
            try start()
        }
    }

    private func start() throws {
        let life = lives.withLock { lives in
            lives += 1
            return lives
        }
        var table = MethodTable(interface: DocumentsInterface.name, description: DocumentsInterface.description)
        let principal = Wire.Principal(kind: "unconfined", identifier: "org.example.test")
        table.call(DocumentsInterface.OpenSession.shortName, DocumentsInterface.OpenSession.Parameters.self) { _, _ in
            Reply(DocumentsInterface.OpenSession.Reply(token: "session \(life)", principal: principal))
        }
        table.call(DocumentsInterface.JoinSession.shortName, DocumentsInterface.JoinSession.Parameters.self) {
            parameters, _ in
            guard parameters.token == "session \(life)" else { throw Failure(.notFound, "No such session.") }
            return Reply(DocumentsInterface.JoinSession.Reply(principal: principal))
        }
        definition(&table, self)
        let made = VarlinkServer(
            information: ServiceInformation(vendor: "", product: "", version: "", url: ""),
            interfaces: [table] + others(self),
            observer: nil
        ) { Failure.from($0).callError(interface: DocumentsInterface.name) }
        // One name replaces the other atomically, so that there is always one to connect to.
        try made.listen(on: try UnixSocket.listen(path: path + "-", mode: 0o600), label: "test")
        guard rename(path + "-", path) == 0 else { throw Failure(.failed, "The socket has no name.") }
        server.withLock { $0 = made }
    }

    /// An item of that reference.
    static func item(isDownloaded: Bool = true, uploadState: String? = nil) -> Wire.Item {
        Wire.Item(
            reference: reference, name: "a.txt", contentType: "public.plain-text", size: 5, isFolder: false,
            isDownloaded: isDownloaded, isUploaded: uploadState == nil, uploadState: uploadState)
    }

    /// An unnamed file with some content.
    static func file(_ text: String) throws -> OwnedDescriptor {
        var template = Array("/tmp/docent-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        unlink(template)
        let bytes = Array(text.utf8)
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Failure(.failed, "No file.")
        }
        lseek(descriptor, 0, SEEK_SET)
        return OwnedDescriptor(descriptor)
    }
}

/// Waits until something holds, for at most a minute.
func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<6000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return condition()
}
