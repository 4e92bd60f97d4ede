import Foundation
import HostCore
import Logging
import Records
import Rights
import Storage
import Testing
import UniformTypes

@testable import ExtensionHosting
@testable import RemoteDocuments

/// Nothing of a domain stays on the disk after it was signed out, whatever is written meanwhile (O7, E8).
@Suite("Placeholders of a domain that is signed out")
struct ClearedDomainTests {
    private struct World {
        let index: ItemIndex
        let places: ItemPlaces
        let local: LocalStore
        let item = RemoteSample.item("a", name: "a.txt", size: 6)
        private let copies: String

        init(_ path: String) throws {
            let layout = StorageLayout(dataDirectory: path + "/data", runtimeDirectory: path + "/run")
            try layout.prepare()
            copies = path + "/data/Copies"
            let database = try HostDatabase(directory: layout.dataDirectory.text)
            index = ItemIndex(database: database)
            let worker = BlockingWorker()
            let registry = ProviderRegistry(
                environment: ["HOME": path, "DOCENT_MANIFEST_PATH": path],
                consents: ProviderConsentStore(database: database), types: TypeCatalogue(system: UniformTypeRegistry()))
            places = ItemPlaces(layout: layout, registry: registry, worker: worker)
            local = LocalStore(index: index, places: places, worker: worker, logger: Logger(label: "test"))
        }

        func learn() async throws {
            _ = try await index.merge([item.description], provider: item.key.provider, domain: item.key.domain)
        }

        /// As a sign-out does.
        func clear() async throws {
            try await index.forgetContent(provider: item.key.provider, domain: item.key.domain)
            try await places.clear(DomainKey(item.key))
        }

        var files: [String] {
            (FileManager.default.enumerator(atPath: copies)?.compactMap { $0 as? String } ?? [])
                .filter { $0.hasSuffix("a.txt") || $0.contains("a.txt.") }
        }
    }

    private func with(_ body: (World) async throws -> Void) async throws {
        let path = NSTemporaryDirectory() + "docent-cleared-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(World(path))
    }

    @Test("a document whose record is gone gets none")
    func afterwards() async throws {
        try await with { world in
            try await world.learn()
            await world.local.writePlaceholder(world.item)
            #expect(world.files.count == 1)
            try await world.clear()
            #expect(world.files.isEmpty)
            await world.local.writePlaceholder(world.item)
            #expect(world.files.isEmpty)
        }
    }

    @Test("one that is written while the domain is cleared is removed too")
    func meanwhile() async throws {
        try await with { world in
            for _ in 1...100 {
                try await world.learn()
                async let writing: Void = world.local.writePlaceholder(world.item)
                try await world.clear()
                await writing
                #expect(world.files.isEmpty)
            }
        }
    }
}
