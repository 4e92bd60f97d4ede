import Foundation
import Logging
import Records
import Rights
import Storage
import Testing
import UniformTypes

@testable import ExtensionHosting
@testable import HostCore
@testable import RemoteDocuments

/// A download replaces a local copy only if the copy holds no save of ours (law 6, HAZARDS 5).
@Suite("Publishing a download")
struct MovingDownloadPublisherTests {
    private struct World {
        let layout: StorageLayout
        let index: ItemIndex
        let states = UploadStates()
        let places: ItemPlaces
        let local: LocalStore
        let files: DownloadFiles
        let partials: PartialDownloadStore
        let publisher: DownloadPublisher
        let versions: KeptVersionStore
        let superseded: SupersededContent
        let item: RemoteItem

        init(_ path: String) async throws {
            layout = StorageLayout(dataDirectory: path + "/data", runtimeDirectory: path + "/run")
            try layout.prepare()
            let database = try HostDatabase(directory: layout.dataDirectory.text)
            index = ItemIndex(database: database)
            partials = index.partials
            let worker = BlockingWorker()
            let registry = ProviderRegistry(
                environment: ["HOME": path, "DOCENT_MANIFEST_PATH": path],
                consents: ProviderConsentStore(database: database), types: TypeCatalogue(system: UniformTypeRegistry()))
            places = ItemPlaces(layout: layout, registry: registry, worker: worker)
            local = LocalStore(index: index, places: places, worker: worker, logger: Logger(label: "test"))
            files = DownloadFiles(layout: layout, worker: worker, partials: partials)
            versions = KeptVersionStore(database: database)
            superseded = SupersededContent(
                layout: layout, worker: worker, journal: OperationJournal(database: database),
                logger: Logger(label: "test"))
            publisher = DownloadPublisher(
                index: index, states: states, places: places, local: local,
                replaced: ReplacedCopies(
                    places: places, superseded: superseded, versions: versions,
                    journal: OperationJournal(database: database)),
                files: files, locks: ItemLocks(),
                changes: ContentChanges(cache: DocumentCache(capacity: 4)), layout: layout, worker: worker)
            item = RemoteSample.item("a", name: "a.txt", size: 6)
            _ = try await index.merge([item.description], provider: item.key.provider, domain: item.key.domain)
        }

        /// A local copy, as downloaded or saved before.
        func keep(_ text: String, version: String) async throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(layout.uploadsDirectory)/op"))
            _ = try await places.publish("op", size: Int64(text.utf8.count), as: item.key, name: "a.txt")
            try await index.setLocal(
                item.key, LocalCopy(name: "a.txt", version: version, size: Int64(text.utf8.count)))
        }

        /// Publishes a complete download of that text.
        func download(_ text: String) async throws {
            let (file, _) = try await files.file(for: item, canResume: false)
            let path = "\(layout.downloadsDirectory)/\(file.name)"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try await files.record(item, file, Int64(text.utf8.count), nil)
            try await publisher.publish(
                file, length: Int64(text.utf8.count), item, said: item.description)
        }

        func content() async throws -> String? {
            guard let now = try await index.item(item.key), let file = try await local.open(now) else { return nil }
            let handle = FileHandle(fileDescriptor: dup(file.number), closeOnDealloc: true)
            return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
        }

        /// The contents of the versions, oldest first.
        func kept() async throws -> [String] {
            try await versions.list(of: item.key).map { version in
                let place = VersionStore.Place(folder: try FileName(version.folder), file: try FileName(version.file))
                let file = try VersionStore(layout: layout).open(place)
                let handle = FileHandle(fileDescriptor: dup(file.number), closeOnDealloc: true)
                return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
            }
        }

        /// The remaining files of downloads.
        func left() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: layout.downloadsDirectory.text)
        }
    }

    private func with(_ body: (World) async throws -> Void) async throws {
        let path = NSTemporaryDirectory() + "docent-publish-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(World(path))
    }

    @Test("N9: it becomes the local copy, and replaces an older one")
    func published() async throws {
        try await with { world in
            try await world.download("theirs")
            #expect(try await world.content() == "theirs")
            #expect(try await world.index.item(world.item.key)?.isCurrent == true)
            try await world.keep("older!", version: "0")
            try await world.download("theirs")
            #expect(try await world.content() == "theirs")
            #expect(try world.left().isEmpty)
            #expect(try await world.partials.partial(world.item.key) == nil)
        }
    }

    @Test("law 6: a save in the journal is not replaced, even before anything else knows of it")
    func savedOnRecord() async throws {
        try await with { world in
            try await world.keep("mine", version: LocalVersion("op").text)
            #expect(!world.states.contains(world.item.key))
            try await world.download("theirs")
            #expect(try await world.content() == "mine")
            #expect(try await world.index.item(world.item.key)?.local?.version == LocalVersion("op").text)
            #expect(try world.left().isEmpty)
            #expect(try await world.partials.partial(world.item.key) == nil)
        }
    }

    @Test("law 6: a document with unsent changes is not replaced, whatever its copy says")
    func unsent() async throws {
        try await with { world in
            try await world.keep("mine", version: "1")
            world.states.set(.uploading, of: world.item.key)
            try await world.download("theirs")
            #expect(try await world.content() == "mine")
            #expect(try world.left().isEmpty)
        }
    }

    @Test("O3: what it replaces is kept as a version, whoever saved it")
    func replaced() async throws {
        try await with { world in
            try await world.keep("older!", version: "0")
            try await world.download("theirs")
            #expect(try await world.content() == "theirs")
            #expect(try await world.kept() == ["older!"])
            let version = try #require(try await world.versions.list().first)
            #expect(version.reason == .superseded && version.contentVersion == "0" && version.name == "a.txt")
            try await world.download("others")
            #expect(try await world.kept() == ["older!", "theirs"])
            #expect(world.superseded.touched.take() == [world.item.key])
        }
    }

    @Test("O3: nothing is kept when nothing was there, or the same content")
    func unchanged() async throws {
        try await with { world in
            try await world.download("theirs")
            try await world.download("theirs")
            #expect(try await world.kept().isEmpty)
            #expect(try world.superseded.store.folders().isEmpty)
            #expect(world.superseded.touched.take().isEmpty)
        }
    }

    @Test("F1: a document whose identifier has changed, or that is gone, gets nothing under the old identifier")
    func gone() async throws {
        try await with { world in
            _ = try await world.index.remove(world.item.key)
            try await world.download("theirs")
            #expect(try await world.index.item(world.item.key) == nil)
            #expect(try world.left().isEmpty)
        }
    }
}
