import CLinux
import DocentInterfaces
import FileProvider
import FoundationEssentials
import Glibc
import Testing
import Varlink

/// The extension's server and the host's connection to it, over a socket pair in this process.
final class ExtensionUnderTest: Sendable {
    let server: ExtensionServer
    let connection: VarlinkConnection

    init() throws {
        let pair = try UnixSocket.pair()
        connection = VarlinkConnection(descriptor: try pair.first.duplicate())
        server = try ExtensionServer(try pair.second.duplicate())
    }

    /// A server that knows its principal class.
    convenience init(
        _ principal: String, domains: [String] = [""], storage: String = "/nonexistent"
    ) async throws {
        try self.init()
        try await initialize(principal, domains: domains, storage: storage)
    }

    @discardableResult
    func initialize(
        _ principal: String?, domains: [String] = [""], storage: String = "/nonexistent",
        settings: [String: String]? = nil
    ) async throws -> [String] {
        let reply = try await connection.call(
            FileProviderInterface.Initialize.self,
            .init(
                version: 1, provider: "org.example.Test", point: "com.apple.fileprovider-nonui",
                principalClass: principal, displayName: "Test",
                domains: domains.map {
                    Wire.ProviderDomain(identifier: $0, displayName: $0, storage: storage, settings: settings)
                }))
        return reply.value.features
    }

    /// A further connection, for concurrent calls.
    func secondConnection() async throws -> VarlinkConnection {
        let pair = try UnixSocket.pair()
        _ = try await connection.call(
            FileProviderInterface.Connect.self, .init(socket: 0),
            descriptors: DescriptorList(try pair.second.duplicate()))
        return VarlinkConnection(descriptor: try pair.first.duplicate())
    }

    /// The result of a call, or the failure in its answer.
    func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, content: [UInt8]? = nil
    ) async throws -> Method.Reply {
        let descriptors = DescriptorList()
        if let content { descriptors.append(OwnedDescriptor(try Scratch.file(content))) }
        return try await connection.call(method, parameters, descriptors: descriptors, deadline: .seconds(60)).value
    }
}

/// Files and folders for the duration of a test.
enum Scratch {
    /// An unnamed file with that content, open for reading and writing.
    static func file(_ content: [UInt8]) throws -> CInt {
        let descriptor = clinux_memory_file("content", 1)
        try #require(descriptor >= 0)
        let written = pwrite(descriptor, content, content.count, 0)
        try #require(written == content.count)
        return descriptor
    }

    static func contents(_ descriptor: CInt) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(bytes.count))
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    /// Runs `body` with an empty folder that is removed afterwards.
    static func folder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "docent-\(UUID().uuidString)", directoryHint: .isDirectory).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }
}
