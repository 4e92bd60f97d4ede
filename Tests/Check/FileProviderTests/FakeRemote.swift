import FileProvider
import FoundationEssentials
import Synchronization

/// A provider with all features of a remote one: sign-in, resumption, upload progress, moves.
final class FakeRemote: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.write, .move, .resume, .signIn, .usage, .actions, .thumbnails] }

    static let content = Array("0123456789".utf8)

    private let domain: FileProviderDomain
    private let signedIn = Mutex<Credential?>(nil)
    /// The events of a domain, by the setting `log`.
    static let events = Mutex<[String: [String]]>([:])

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        self.domain = domain
        note("init")
    }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        switch identifier.rawValue {
        case "who":
            var item = FileProviderItem(identifier: identifier, parent: .rootContainer, filename: "who")
            item.thumbnail = signedIn.withLock { $0?.username }
            item.contentType = nil
            item.version = ItemVersion(content: domain.settings["url"] ?? "")
            return item
        case "busy": throw FileProviderError(.busy, "Too many requests.", retryAfter: 2.5)
        case "long thumbnail":
            var item = FileProviderItem(identifier: identifier, parent: .rootContainer, filename: "x")
            item.thumbnail = String(repeating: "t", count: 1_025)
            return item
        default: return document(identifier)
        }
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage { ItemPage(items: []) }

    func usage() async throws -> StorageUsage {
        let values = (domain.settings["usage"] ?? "").split(separator: " ", omittingEmptySubsequences: false)
            .map { Int($0) }
        guard values.count == 3 else { return StorageUsage() }
        return StorageUsage(totalBytes: values[0], usedBytes: values[1], availableBytes: values[2])
    }

    func perform(_ action: String, arguments: [String: String]) async throws -> [[String: String]] {
        guard action == "count" else { throw FileProviderError(.notSupported, "There is no action \(action).") }
        return [["arguments": "\(arguments.count)"], arguments]
    }

    func thumbnail(of identifier: ItemIdentifier, version: ItemVersion?, size: Int) async throws -> ItemThumbnail {
        switch identifier.rawValue {
        case "huge":
            return ItemThumbnail(data: [UInt8](repeating: 1, count: ItemThumbnail.maximumLength + 1))
        case "empty": return ItemThumbnail(data: [])
        case "jpeg": return ItemThumbnail(data: [0xFF, 0xD8, 0xFF, UInt8(size >> 8)], version: version)
        default: return ItemThumbnail(data: Array("\(size)".utf8), contentType: "public.png")
        }
    }

    func fetchContents(
        of identifier: ItemIdentifier, resumingAt start: ResumePoint?, into destination: ContentWriter,
        progress: TransferProgress
    ) async throws -> FileProviderItem {
        var rest = Self.content[...]
        switch identifier.rawValue {
        case "greedy": try destination.begin(at: 9)
        case "empty":
            var item = document(identifier)
            item.size = 0
            return item
        default:
            if let start, start.version == document(identifier).version {
                try destination.begin(at: start.offset)
                rest = rest.dropFirst(start.offset)
            }
        }
        for byte in rest { try destination.write([byte]) }
        return document(identifier)
    }

    func createItem(
        basedOn template: ItemTemplate, contents: ContentReader?, operation: ChangeOperation, progress: TransferProgress
    ) async throws -> FileProviderItem {
        try await progress.report(completed: 1, total: contents?.size)
        return document(ItemIdentifier(template.filename))
    }

    func modifyItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, contents: ContentReader, operation: ChangeOperation,
        progress: TransferProgress
    ) async throws -> ModifiedItem {
        note("modify \(operation.identifier)")
        // Slow enough that all waiting callers get the progress.
        for count in 1...contents.size {
            try await progress.report(completed: count, total: contents.size)
            try await Task.sleep(for: .milliseconds(20))
        }
        return ModifiedItem(item: document(identifier))
    }

    func moveItem(
        _ identifier: ItemIdentifier, baseVersion: ItemVersion?, to parent: ItemIdentifier, named name: String,
        operation: ChangeOperation
    ) async throws -> FileProviderItem {
        note("move")
        var item = document(identifier)
        item.parent = parent
        item.filename = name
        return item
    }

    func signIn(_ credential: Credential) async throws -> String? {
        note("signIn \(credential.username ?? "")")
        switch credential.username {
        case "refused": throw FileProviderError(.notAuthenticated, "The service refuses this.")
        case "offline":
            signedIn.withLock { $0 = credential }
            throw FileProviderError(.serverUnreachable, "The service cannot be reached.")
        case nil: break
        default: signedIn.withLock { $0 = credential }
        }
        return signedIn.withLock { $0?.username }.map { "Account of \($0)" }
    }

    func signOut() async {
        note("signOut")
        signedIn.withLock { $0 = nil }
    }

    private func note(_ event: String) {
        guard let log = domain.settings["log"] else { return }
        Self.events.withLock { $0[log, default: []].append(event) }
    }

    private func document(_ identifier: ItemIdentifier) -> FileProviderItem {
        FileProviderItem(
            identifier: identifier, parent: .rootContainer, filename: identifier.rawValue, size: Self.content.count,
            version: ItemVersion(content: "v1"))
    }
}
