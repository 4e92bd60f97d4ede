import DocentTestSupport
import FileProvider
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Rclone

struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Serially: all domains of a process share one rclone, and some tests kill it.
@Suite(.serialized, .needs(.server))
enum RcloneTests {}

/// A back end accessed with the real rclone.
enum BackEnd: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case local, memory, webdav, s3, crypt

    var testDescription: String { rawValue }
    /// Whether a folder can be renamed.
    var movesFolders: Bool { self != .memory && self != .s3 }
}

/// The servers shared by the tests of this process; they end with it.
actor Servers {
    static let shared = Servers()
    private var running: [String: Task<String, any Error>] = [:]

    static let programs =
        (ProcessInfo.processInfo.environment["DOCENT_TEST_PYTHON"] ?? "/var/tmp/docent-test-venv/bin/python")
        .split(separator: "/").dropLast().map { "/" + $0 }.joined()
    static let scripts = Repository.servers
    static let username = "testkey"
    static let password = "hush-rclone-7d20b1"

    /// The rclone of the tests' Python environment.
    static var rclone: String { programs + "/rclone" }

    func url(_ script: String) async throws -> String {
        let task = running[script] ?? Task { try await Self.start(script) }
        running[script] = task
        return try await task.value
    }

    private static func start(_ script: String) async throws -> String {
        let directory = FileManager.default.temporaryDirectory.path + "/rclone-\(script)-\(getpid())"
        return try await start(script, in: directory, "--user", username, "--password", password)
    }

    /// Starts a server, which ends with this process; its directory is removed then too.
    ///
    /// - Returns: its address.
    static func start(_ script: String, in directory: String, _ options: String...) async throws -> String {
        let output = try await run(
            "/bin/bash",
            ["\(scripts)/\(script).sh", "start", directory, "--parent", "\(getpid())"] + options)
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("url=") }) else {
            throw Problem("\(script) did not start: \(output)")
        }
        return String(line.dropFirst(4))
    }

    /// Runs a program to its end.
    static func run(_ program: String, _ arguments: [String]) async throws -> String {
        let outcome = try await Outcome.run(
            program, arguments, input: nil, environment: ProcessInfo.processInfo.environment,
            folder: FileManager.default.currentDirectoryPath)
        return outcome.text + outcome.errors
    }
}

/// A provider of a new folder of a back end, with its own storage that is removed with it.
final class Remote: Sendable {
    let provider: RcloneProvider
    let backEnd: BackEnd
    let storage: String
    let settings: [String: String]
    let credential: Credential
    let saved: SavedCredentials
    /// The folder of the documents, of a local back end.
    var folder: String { storage + "/documents" }

    final class SavedCredentials: Sendable {
        private let list = Mutex<[Credential]>([])
        func add(_ credential: Credential) { list.withLock { $0.append(credential) } }
        var all: [Credential] { list.withLock { $0 } }
    }

    /// - Parameter bucket: the bucket, on S3.
    init(_ backEnd: BackEnd, bucket: String = "documents") async throws {
        self.backEnd = backEnd
        storage = FileManager.default.temporaryDirectory.path + "/rclone-test-" + UUID().uuidString.prefix(12)
        saved = SavedCredentials()
        let name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(16)
        try FileManager.default.createDirectory(atPath: storage + "/documents", withIntermediateDirectories: true)
        var configuration = RemoteConfiguration()
        var remote: String
        switch backEnd {
        case .local: remote = storage + "/documents"
        case .memory: remote = ":memory:\(name)"
        case .webdav:
            let url = try await Servers.shared.url("rclone")
            configuration.sections["dav"] = [
                "type": "webdav", "url": url, "vendor": "other", "user": Servers.username, "pass": Servers.password,
            ]
            remote = "dav:\(name)"
        case .s3:
            let url = try await Servers.shared.url("s3")
            configuration.sections["store"] = [
                "type": "s3", "provider": "Other", "endpoint": url, "access_key_id": Servers.username,
                "secret_access_key": Servers.password, "region": "us-east-1",
            ]
            remote = "store:\(bucket)/\(name)"
        case .crypt:
            configuration.sections["base"] = ["type": "alias", "remote": storage + "/documents"]
            configuration.sections["secret"] = ["type": "crypt", "remote": "base:", "password": Servers.password]
            remote = "secret:"
        }
        configuration.hasPlainPasswords = true
        settings = ["remote": remote, "program": Servers.rclone]
        credential = Credential(
            kind: .oauth, secret: configuration.sections.isEmpty ? nil : try configuration.credentialText)
        provider = try Self.make(settings, storage)
        if credential.secret != nil {
            // The folder of a server is created by the first store.
            do {
                _ = try await provider.signIn(credential)
            } catch let error as FileProviderError where error.code == .serverUnreachable {
                try await provider.perform("operations/mkdir", on: .root, cannot: "begin")
            }
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: storage) }

    static func make(_ settings: [String: String], _ storage: String) throws -> RcloneProvider {
        try RcloneProvider(
            domain: FileProviderDomain(
                identifier: "", displayName: "Test", documentStorage: storage + "/own", settings: settings),
            host: FileProviderHost())
    }

    /// Another instance of the domain, as after the end of the extension.
    func again() async throws -> RcloneProvider {
        let provider = try Self.make(settings, storage)
        if credential.secret != nil { _ = try await provider.signIn(credential) }
        return provider
    }

    func contents(_ text: String) throws -> ContentReader {
        try ContentReader(owning: try temporaryFile(Array(text.utf8)))
    }

    func contents(_ bytes: [UInt8]) throws -> ContentReader { try ContentReader(owning: try temporaryFile(bytes)) }

    private func temporaryFile(_ bytes: [UInt8]) throws -> CInt {
        let path = storage + "/" + UUID().uuidString
        try Data(bytes).write(to: URL(filePath: path))
        let file = open(path, O_RDONLY | O_CLOEXEC)
        unlink(path)
        return file
    }

    static func operation() -> ChangeOperation { ChangeOperation(identifier: UUID().uuidString) }

    func create(
        _ name: String, _ text: String, in parent: ItemIdentifier = .rootContainer, _ operation: ChangeOperation? = nil
    ) async throws -> FileProviderItem {
        try await provider.createItem(
            basedOn: ItemTemplate(parent: parent, filename: name), contents: contents(text),
            operation: operation ?? Self.operation(), progress: TransferProgress())
    }

    func makeFolder(_ name: String, in parent: ItemIdentifier = .rootContainer) async throws -> FileProviderItem {
        try await provider.createItem(
            basedOn: ItemTemplate(parent: parent, filename: name, isFolder: true), contents: nil,
            operation: Self.operation(), progress: TransferProgress())
    }

    func modify(
        _ item: FileProviderItem, _ text: String, base: ItemVersion?, _ operation: ChangeOperation? = nil
    ) async throws -> ModifiedItem {
        try await provider.modifyItem(
            item.identifier, baseVersion: base, contents: contents(text), operation: operation ?? Self.operation(),
            progress: TransferProgress())
    }

    /// The content of an item.
    func read(_ identifier: ItemIdentifier, from provider: RcloneProvider? = nil) async throws -> [UInt8] {
        let path = storage + "/" + UUID().uuidString
        defer { unlink(path) }
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        _ = try await (provider ?? self.provider).fetchContents(
            of: identifier, into: ContentWriter(owning: file), progress: TransferProgress())
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    func text(_ identifier: ItemIdentifier) async throws -> String {
        String(decoding: try await read(identifier), as: UTF8.self)
    }

    func names(in folder: ItemIdentifier = .rootContainer) async throws -> [String] {
        try await provider.children(of: folder, page: nil).items.map(\.filename)
    }
}

/// The error code that the body throws; nil if it throws none.
func code(of body: () async throws -> Void) async throws -> FileProviderError.Code? {
    do {
        try await body()
        return nil
    } catch let error as FileProviderError {
        return error.code
    }
}
