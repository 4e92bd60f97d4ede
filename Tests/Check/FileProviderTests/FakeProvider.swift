import FileProvider
import FoundationEssentials
import Glibc
import Synchronization
import UniformTypes

/// Keeps a few documents in memory and misbehaves on demand: some identifiers throw, hang or lie.
final class FakeProvider: ReplicatedFileProvider {
    struct StrangeError: Error {}

    enum Nested {
        final class Inner: ReplicatedFileProvider {
            init(domain: FileProviderDomain, host: FileProviderHost) throws {}
            func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
                FileProviderItem(folder: identifier, parent: identifier, filename: "inner")
            }
            func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage { ItemPage(items: []) }
        }
    }

    static var features: ProviderFeatures { [.write, .delete] }

    let domain: FileProviderDomain
    let host: FileProviderHost
    let documents = Mutex<[String: [UInt8]]>(["a": Array("alpha".utf8)])
    let changes = Mutex(0)

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        if domain.identifier == "broken" { throw FileProviderError(.notAuthenticated, "Sign in first.") }
        self.domain = domain
        self.host = host
    }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        switch identifier.rawValue {
        case "strange": throw StrangeError()
        case "posix": throw POSIXError(.ENOSPC)
        case "cocoa": throw CocoaError(.fileNoSuchFile)
        case "unknown code": throw FileProviderError(.init(rawValue: -4711), "A code of the future.")
        case "chain":
            throw FileProviderError(.serverUnreachable, "The server does not answer.", causedBy: POSIXError(.ETIMEDOUT))
        case "for ever": try await Task.sleep(for: .seconds(3_600))
        case "long version":
            return FileProviderItem(
                identifier: identifier, parent: .rootContainer, filename: "x",
                version: ItemVersion(content: String(repeating: "v", count: 129)))
        case "link":
            return FileProviderItem(
                symbolicLink: identifier, parent: .rootContainer, filename: "x", target: ItemIdentifier("a"))
        case "link to itself", "link that is a folder":
            var item = FileProviderItem(
                symbolicLink: identifier, parent: .rootContainer, filename: "x",
                target: identifier.rawValue.hasSuffix("itself") ? identifier : ItemIdentifier("a"))
            item.isFolder = identifier.rawValue.hasSuffix("folder")
            return item
        case "domain": return FileProviderItem(folder: identifier, parent: identifier, filename: domain.identifier)
        case "signal":
            host.signalChanged([ItemIdentifier("a"), .rootContainer])
            host.signalDeleted([ItemIdentifier("b")])
            host.log("A line.")
        default: break
        }
        return try describe(identifier.rawValue)
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        if parent == ItemIdentifier("huge") {
            let name = String(repeating: "n", count: 200)
            let items = (0..<4_000).map {
                FileProviderItem(identifier: ItemIdentifier("\(page ?? "first")-\($0)"), parent: parent, filename: name)
            }
            return ItemPage(items: items, nextPage: page == nil ? "second" : nil)
        }
        let names = documents.withLock { $0.keys.sorted() }
        return ItemPage(items: try names.map(describe))
    }

    func fetchContents(
        of identifier: ItemIdentifier, into destination: ContentWriter, progress: TransferProgress
    ) async throws -> FileProviderItem {
        let item = try describe(identifier.rawValue)
        try await progress.report(completed: 1, total: item.size)
        try destination.write(documents.withLock { $0[identifier.rawValue] ?? [] })
        return item
    }

    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation
    ) async throws -> FileProviderItem {
        changes.withLock { $0 += 1 }
        let content = try contents.map { Array(try $0.readAll()) } ?? []
        try documents.withLock { documents in
            guard documents[template.filename] == nil else {
                throw FileProviderError(.filenameCollision, "The name is taken.")
            }
            documents[template.filename] = content
        }
        return try describe(template.filename)
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation
    ) async throws -> ModifiedItem {
        let count = changes.withLock { count in
            count += 1
            return count
        }
        if operation.identifier == "fails once", count == 1 { throw StrangeError() }
        let content = Array(try contents.readAll())
        documents.withLock { $0[identifier.rawValue] = content }
        var item = try describe(identifier.rawValue)
        item.filename = "change \(count)"
        return ModifiedItem(item: item)
    }

    private func describe(_ name: String) throws -> FileProviderItem {
        guard let content = documents.withLock({ $0[name] }) else {
            throw FileProviderError(.noSuchItem, "There is no \(name).")
        }
        return FileProviderItem(
            identifier: ItemIdentifier(name), parent: .rootContainer, filename: name, size: content.count,
            version: ItemVersion(content: "\(content.hashValue)"))
    }
}

/// Not a provider at all.
final class FakeNothing {}
