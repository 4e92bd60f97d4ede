import CLinux
import FoundationEssentials
import Glibc
import Testing
import WebDAV

@testable import FileProvider

/// A folder on a server, and providers for it.
struct WebDAVFixture: Sendable {
    let kind: ServerKind
    /// The folder on the server, with a trailing slash.
    let url: String
    let storage: String
    let provider: WebDAVProvider

    static func with<Result>(
        _ kind: ServerKind, settings: [String: String] = [:], _ body: (WebDAVFixture) async throws -> Result
    ) async throws -> Result {
        let folder = try await TestServers.shared.url(kind) + "test-\(UUID().uuidString)/"
        let made = try Shell.curl("-X MKCOL", folder).status
        try #require(made == 201)
        let storage = Shell.temporary("storage")
        defer { try? FileManager.default.removeItem(atPath: storage) }
        return try await body(
            WebDAVFixture(
                kind: kind, url: folder, storage: storage,
                provider: try make(folder, storage, settings)))
    }

    static func make(_ url: String, _ storage: String, _ settings: [String: String] = [:]) throws -> WebDAVProvider {
        try WebDAVProvider(
            domain: FileProviderDomain(
                identifier: "test", displayName: "Test", documentStorage: storage,
                settings: settings.merging(["url": url]) { first, _ in first }),
            host: FileProviderHost())
    }

    /// Another process: nothing in memory, the same storage; through a proxy if its address is given.
    func another(through url: String? = nil, _ settings: [String: String] = [:]) throws -> WebDAVProvider {
        try Self.make(url ?? self.url, storage, settings)
    }

    /// Stores a document directly on the server.
    func put(_ text: String, at name: String) throws {
        let file = Shell.temporary("put")
        try Data(text.utf8).write(to: URL(filePath: file))
        defer { unlink(file) }
        // Without waiting a second for "100 Continue", which some never send.
        let status = try Shell.curl("-H 'Expect:' -T '\(file)'", url + name).status
        try #require((200...299).contains(status))
    }

    /// Renames an item directly on the server.
    func move(_ name: String, to target: String) throws {
        let status = try Shell.curl("-X MOVE -H 'Destination: \(url)\(target)'", url + name).status
        try #require((200...299).contains(status))
    }

    /// The server's own content; nil if there is none.
    func get(_ name: String) throws -> String? {
        let reply = try Shell.curl("", url + name)
        return reply.status == 200 ? reply.body : nil
    }

    /// The names in the folder as the server lists them, temporary uploads included.
    func names() throws -> [String] {
        try Shell.curl("-X PROPFIND -H 'Depth: 1'", url).body.split(separator: "href>").compactMap { part in
            guard part.hasSuffix("</D:") || part.hasSuffix("</d:") else { return nil }
            return part.dropLast(4).split(separator: "/").last.map(String.init)
        }.filter { !$0.hasPrefix("test-") }.sorted()
    }

    static func list(
        _ provider: WebDAVProvider, _ parent: ItemIdentifier = .rootContainer
    ) async throws -> [FileProviderItem] {
        var items: [FileProviderItem] = []
        var page: String?
        repeat {
            let answer = try await provider.children(of: parent, page: page)
            items += answer.items
            page = answer.nextPage
        } while page != nil
        return items
    }

    static func contents(_ text: String) throws -> ContentReader {
        let descriptor = clinux_memory_file("content", 1)
        try #require(descriptor >= 0)
        let bytes = Array(text.utf8)
        try #require(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
        return try ContentReader(owning: descriptor)
    }

    static func fetch(
        _ provider: WebDAVProvider, _ identifier: ItemIdentifier, have: String = "", of version: ItemVersion? = nil
    ) async throws -> (item: FileProviderItem, text: String, beginning: Int) {
        let descriptor = clinux_memory_file("destination", 1)
        try #require(descriptor >= 0)
        let start = Array(have.utf8)
        try #require(pwrite(descriptor, start, start.count, 0) == start.count)
        let writer = ContentWriter(owning: descriptor, resumableBytes: start.count)
        let item = try await provider.fetchContents(
            of: identifier, resumingAt: version.map { ResumePoint(offset: start.count, version: $0) }, into: writer,
            progress: TransferProgress())
        var buffer = [UInt8](repeating: 0, count: writer.bytesWritten)
        try #require(pread(descriptor, &buffer, buffer.count, 0) == buffer.count)
        return (item, String(decoding: buffer, as: UTF8.self), writer.beginning)
    }

    func create(
        _ name: String, _ text: String, in parent: ItemIdentifier = .rootContainer,
        with provider: WebDAVProvider? = nil,
        operation: String = UUID().uuidString
    ) async throws -> FileProviderItem {
        try await (provider ?? self.provider).createItem(
            basedOn: ItemTemplate(parent: parent, filename: name), contents: Self.contents(text),
            operation: ChangeOperation(identifier: operation, digest: "0123456789abcdef0123"),
            progress: TransferProgress())
    }

    func createFolder(
        _ name: String, in parent: ItemIdentifier = .rootContainer, operation: String = UUID().uuidString
    ) async throws -> FileProviderItem {
        try await provider.createItem(
            basedOn: ItemTemplate(parent: parent, filename: name, isFolder: true), contents: nil,
            operation: ChangeOperation(identifier: operation), progress: TransferProgress())
    }

    func modify(
        _ identifier: ItemIdentifier, from base: ItemVersion?, _ text: String, with provider: WebDAVProvider? = nil,
        operation: String = UUID().uuidString
    ) async throws -> FileProviderItem {
        try await (provider ?? self.provider).modifyItem(
            identifier, baseVersion: base, contents: Self.contents(text),
            operation: ChangeOperation(identifier: operation, digest: "0123456789abcdef0123"),
            progress: TransferProgress()
        ).item
    }
}

/// The error code that the body throws.
func code(_ body: () async throws -> some Sendable) async -> FileProviderError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return FileProviderError(wrapping: error).code
    }
}
