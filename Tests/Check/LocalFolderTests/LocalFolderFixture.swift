import CLinux
import FileProvider
import FoundationEssentials
import Glibc
import LocalFolder
import Testing

/// A temporary folder with a provider. ``restart()`` creates a new provider over the same storage.
struct LocalFolderFixture {
    let path: String
    let storage: String
    var provider: LocalFolderProvider

    static func with<Result>(_ body: (inout LocalFolderFixture) async throws -> Result) async throws -> Result {
        let base = FileManager.default.temporaryDirectory
            .appending(path: "docent-local-\(UUID().uuidString)", directoryHint: .isDirectory).path
        try FileManager.default.createDirectory(atPath: base + "/root", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: base) }
        var fixture = LocalFolderFixture(
            path: base + "/root", storage: base + "/storage/deep",
            provider: try make(base + "/root", base + "/storage/deep"))
        return try await body(&fixture)
    }

    private static func make(_ path: String, _ storage: String) throws -> LocalFolderProvider {
        try LocalFolderProvider(
            domain: FileProviderDomain(identifier: "", displayName: "Test", folder: path, documentStorage: storage),
            host: FileProviderHost())
    }

    mutating func restart() throws { provider = try Self.make(path, storage) }

    func write(_ text: String, to name: String) throws {
        let path = path + "/" + name
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = Array(text.utf8)
        let written = Glibc.write(file, bytes, bytes.count)
        try #require(written == bytes.count)
    }

    /// Saves as most programs do: a new file is renamed to the old one's name.
    func saveElsewhere(_ text: String, to name: String) throws {
        try write(text, to: name + ".swp")
        let result = rename(path + "/" + name + ".swp", path + "/" + name)
        try #require(result == 0)
    }

    func read(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: path + "/" + name), encoding: .utf8)
    }

    func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }

    func child(_ name: String, in parent: ItemIdentifier = .rootContainer) async throws -> FileProviderItem {
        try await provider.child(named: name, in: parent)
    }

    func list(_ parent: ItemIdentifier = .rootContainer) async throws -> [FileProviderItem] {
        var items: [FileProviderItem] = []
        var page: String?
        repeat {
            let answer = try await provider.children(of: parent, page: page)
            items += answer.items
            page = answer.nextPage
        } while page != nil
        return items
    }

    func contents(_ text: String) throws -> ContentReader {
        let descriptor = clinux_memory_file("content", 1)
        try #require(descriptor >= 0)
        let bytes = Array(text.utf8)
        let written = pwrite(descriptor, bytes, bytes.count, 0)
        try #require(written == bytes.count)
        return try ContentReader(owning: descriptor)
    }

    func modify(
        _ item: FileProviderItem, to text: String, operation: String = UUID().uuidString
    ) async throws -> ModifiedItem {
        try await provider.modifyItem(
            item.identifier, baseVersion: item.version, contents: contents(text),
            operation: ChangeOperation(identifier: operation, digest: "digest of \(text)"))
    }

    func text(_ identifier: ItemIdentifier) async throws -> String {
        let content = try await provider.openInPlace(identifier)
        let size = content.item.size ?? 0
        var bytes = [UInt8](repeating: 0, count: size)
        let count = pread(content.file.descriptor, &bytes, size, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

/// The code of the `FileProviderError` that `body` throws.
func code(_ body: () async throws -> Void) async -> FileProviderError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? FileProviderError)?.code
    }
}
