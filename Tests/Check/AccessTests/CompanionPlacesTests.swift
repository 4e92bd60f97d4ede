import DocentInterfaces
import Foundation
import Rights
import Synchronization
import Testing
import UniformTypes

@testable import Access
@testable import ExtensionHosting
@testable import HostCore

/// Rights that cover names beside their documents, where a client has very many of them.
@Suite struct CompanionPlacesTests {
    /// A provider with numbered films in folders, that counts what it is asked.
    private final class Films: Sendable {
        struct State {
            var parents: [String: String] = [:]
            var asked = 0
            var listed = 0
            var isAway = false
        }

        let state = Mutex(State())

        func item(_ key: ItemKey) throws -> Wire.Item {
            try state.withLock { state in
                state.asked += 1
                if state.isAway { throw Failure(.unavailable, "It is away.") }
                guard key.identifier == ".root" || state.parents[key.identifier] != nil else {
                    throw Failure(.notFound, "It is gone.")
                }
                return Self.item(key, state.parents[key.identifier])
            }
        }

        func children(_ folder: ItemKey) throws -> [Wire.Item] {
            try state.withLock { state in
                state.listed += 1
                if state.isAway { throw Failure(.unavailable, "It is away.") }
                return state.parents.filter { $0.value == folder.identifier }.keys.sorted().map {
                    Self.item(CompanionPlacesTests.key($0), folder.identifier)
                }
            }
        }

        private static func item(_ key: ItemKey, _ parent: String?) -> Wire.Item {
            let isFolder = !key.identifier.contains(".") || parent == nil
            return Wire.Item(
                reference: key.reference, parent: parent, name: key.identifier,
                contentType: isFolder ? "public.folder" : "public.data", isFolder: isFolder, isDownloaded: true,
                isUploaded: true)
        }
    }

    private static let player = Principal(kind: .run, identifier: "org.example.Player")

    private static func key(_ identifier: String) -> ItemKey { ItemKey(provider: "p", identifier: identifier) }

    /// Films in two folders, each with a right that covers its subtitles.
    private func with(
        films count: Int, _ body: (Films, GrantStore, ItemHierarchy, AccessControl) async throws -> Void
    ) async throws {
        let directory = NSTemporaryDirectory() + "docent-companions-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let database = try HostDatabase(directory: directory)
        let grants = try await GrantStore(database: database)
        let films = Films()
        films.state.withLock { $0.parents = ["one": ".root", "two": ".root"] }
        for number in 0..<count {
            let folder = number % 2 == 0 ? "one" : "two"
            films.state.withLock { state in
                state.parents["\(number).mkv"] = folder
                state.parents["\(number).srt"] = folder
            }
            try await grants.record(
                Self.player, Self.key("\(number).mkv"),
                GrantOffer(access: .read, origin: .open, companions: try CompanionPattern.list(["{stem}.srt"])))
        }
        films.state.withLock { $0.parents["other.srt"] = "one" }
        let hierarchy = ItemHierarchy(types: TypeCatalogue(system: .system(environment: [:]))) {
            try films.item($0)
        } list: { folder, _ in
            (try films.children(folder), nil)
        }
        let access = AccessControl(
            grants: grants, bookmarks: BookmarkStore(database: database),
            audit: AuditLog(database: database), aliases: ItemAliases(), hierarchy: hierarchy)
        try await body(films, grants, hierarchy, access)
        try database.close()
    }

    @Test(
        "an access beside one's documents asks the provider about few, however many there are",
        arguments: [8, 200])
    func bounded(count: Int) async throws {
        try await with(films: count) { films, _, _, access in
            #expect(await access.currentGround(Self.player, Self.key("4.srt"), .read)?.item == Self.key("4.mkv"))
            #expect(await access.currentGround(Self.player, Self.key("other.srt"), .read) == nil)
            #expect(await access.currentGround(Self.player, Self.key("4.srt"), .readWrite) == nil)
            let first = films.state.withLock { ($0.asked, $0.listed) }
            #expect(first.0 <= 2 * CompanionPlaces.mostAsked && first.1 <= 3, "\(first)")
            for number in stride(from: 0, to: count, by: 2) {
                let name = "\(number)"
                #expect(
                    await access.currentGround(Self.player, Self.key(name + ".srt"), .read)?.item
                        == Self.key(name + ".mkv"))
            }
            // The item, its folder, the top, its document: whatever the others are.
            let all = films.state.withLock { $0.asked }
            #expect(all - first.0 <= count / 2 * 8, "\(all)")
        }
    }

    @Test(
        "what was moved elsewhere covers nothing that stays behind, what came covers what is there",
        arguments: [8, 200])
    func moved(count: Int) async throws {
        try await with(films: count) { films, _, hierarchy, access in
            #expect(await access.currentGround(Self.player, Self.key("4.srt"), .read) != nil)
            films.state.withLock { state in
                state.parents["4.mkv"] = "two"
                state.parents["5.mkv"] = "one"
                state.parents["5.srt"] = "one"
            }
            for name in ["4.mkv", "5.mkv", "5.srt"] { hierarchy.drop(Self.key(name)) }
            #expect(await access.currentGround(Self.player, Self.key("4.srt"), .read) == nil)
            #expect(await access.currentGround(Self.player, Self.key("5.srt"), .read)?.item == Self.key("5.mkv"))
        }
    }

    @Test("while the provider cannot be asked, documents lie where they lay last", arguments: [8, 200])
    func away(count: Int) async throws {
        try await with(films: count) { films, _, hierarchy, access in
            #expect(await access.currentGround(Self.player, Self.key("4.srt"), .read) != nil)
            films.state.withLock { $0.isAway = true }
            hierarchy.dropAll("p", domain: nil)
            #expect(await access.currentGround(Self.player, Self.key("4.srt"), .read) != nil)
            #expect(await access.currentGround(Self.player, Self.key("other.srt"), .read) == nil)
        }
    }

    @Test("G7: an identifier with a NUL is covered by nothing, also where its folder is")
    func storable() async throws {
        try await with(films: 2) { films, grants, _, access in
            try await grants.record(
                Self.player, Self.key("one"), GrantOffer(access: .read, origin: .open, isFolder: true))
            #expect(await access.currentGround(Self.player, Self.key("other.srt"), .read) != nil)
            films.state.withLock { $0.parents["other.srt\0"] = "one" }
            #expect(await access.currentGround(Self.player, Self.key("other.srt\0"), .read) == nil)
            #expect(access.ground(Self.player, Self.key("other.srt\0"), .read) == nil)
        }
    }
}
