import DocentInterfaces
import FileProvider
import Foundation
import LocalFolder
import Synchronization
import Testing
import Varlink

/// The provider with limits so low that a test reaches them.
final class NarrowFolder: ReplicatedFileProvider {
    static var features: ProviderFeatures { LocalFolderProvider.features }

    private let provider: LocalFolderProvider

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        var limits = WatchLimits()
        limits.pinnedFolders = 2
        limits.pollSeconds = 0.1
        provider = try LocalFolderProvider(domain: domain, host: host, limits: limits)
    }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        try await provider.item(for: identifier)
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        try await provider.children(of: parent, page: page)
    }

    func startObserving(_ identifier: ItemIdentifier) async throws { try await provider.startObserving(identifier) }

    func stopObserving(_ identifier: ItemIdentifier) async { await provider.stopObserving(identifier) }
}

/// A folder's provider behind the extension's interface, with its events.
final class WatchFixture: Sendable {
    struct News: Sendable {
        var changed: [String: Int] = [:]
        var deleted: Set<String> = []
        var resyncs = 0
        var log: [String] = []
    }

    let folder: LocalFolderFixture
    private let server: ExtensionServer
    private let connection: VarlinkConnection
    private let news = Mutex(News())
    private let listening = Mutex<Task<Void, Never>?>(nil)

    private init(_ folder: LocalFolderFixture, _ principal: String) async throws {
        self.folder = folder
        let pair = try UnixSocket.pair()
        connection = VarlinkConnection(descriptor: try pair.first.duplicate())
        server = try ExtensionServer(try pair.second.duplicate())
        _ = try await connection.call(
            FileProviderInterface.Initialize.self,
            .init(
                version: 1, provider: "p", point: "com.apple.fileprovider-nonui", principalClass: principal,
                displayName: "Test",
                domains: [
                    .init(identifier: "", displayName: "", folder: folder.path, storage: folder.storage + "-watched")
                ]))
        let second = try UnixSocket.pair()
        _ = try await connection.call(
            FileProviderInterface.Connect.self, .init(socket: 0),
            descriptors: DescriptorList(try second.second.duplicate()))
        let listener = VarlinkConnection(descriptor: try second.first.duplicate())
        listening.withLock { listening in
            listening = Task { [weak self] in
                let stream = listener.stream(
                    FileProviderInterface.Events.name, FileProviderInterface.Events.Parameters(),
                    FileProviderInterface.Events.Reply.self)
                do {
                    for try await reply in stream { self?.take(reply.value) }
                } catch {}
            }
        }
    }

    static func with(
        _ principal: String = "LocalFolder.LocalFolderProvider",
        _ body: (WatchFixture) async throws -> Void
    ) async throws {
        try await LocalFolderFixture.with { folder in
            let fixture = try await WatchFixture(folder, principal)
            defer { fixture.listening.withLock { $0?.cancel() } }
            try await body(fixture)
        }
    }

    private func take(_ event: FileProviderInterface.Events.Reply) {
        news.withLock { news in
            switch event.kind {
            case "changed": for identifier in event.identifiers { news.changed[identifier, default: 0] += 1 }
            case "deleted": news.deleted.formUnion(event.identifiers)
            case "resync": news.resyncs += 1
            default: news.log.append(event.message ?? "")
            }
        }
    }

    func forget() { news.withLock { $0 = News() } }

    var heard: News { news.withLock { $0 } }

    /// Waits for the expected events.
    func hears(_ what: Comment, _ isWanted: (News) -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !isWanted(heard), .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
        #expect(isWanted(heard), what)
    }

    /// Waits until no events have come for a while.
    func settles() async throws {
        for _ in 0..<100 {
            let before = heard.changed
            try await Task.sleep(for: .milliseconds(400))
            if heard.changed == before { return }
        }
    }

    func observe(_ identifier: String, _ observing: Bool = true) async throws {
        _ = try await connection.call(
            FileProviderInterface.Observe.self, .init(domain: "", identifier: identifier, observing: observing))
    }

    /// The identifier of a file, found by name: no folder is listed, so nothing is watched except what is observed.
    func identifier(_ path: String) async throws -> String {
        var identifier = ".root"
        for name in path.split(separator: "/") {
            let reply = try await connection.call(
                FileProviderInterface.Child.self, .init(domain: "", parent: identifier, name: String(name)))
            identifier = reply.value.item.identifier
        }
        return identifier
    }

    func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/" + path, withIntermediateDirectories: true)
    }

    func move(_ path: String, to other: String) throws {
        let result = rename(folder.path + "/" + path, folder.path + "/" + other)
        try #require(result == 0)
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: folder.path + "/" + path) }
}
