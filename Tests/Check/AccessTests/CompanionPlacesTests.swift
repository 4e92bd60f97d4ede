import DocentInterfaces
import Foundation
import HostTesting
import Rights
import Synchronization
import Testing
import UniformTypes

@testable import Access
@testable import ExtensionHosting
@testable import HostCore

/// Rights to documents and the names beside them (companions), for a client with very many.
@Suite struct CompanionPlacesTests {
    private static let player = Principal(kind: .run, identifier: "org.example.Player")

    private static func key(_ identifier: String) -> ItemKey { ItemKey(provider: "p", identifier: identifier) }

    /// Films in two folders, each with a right that covers its subtitles.
    private func with(
        films count: Int, _ body: (TestItems, GrantStore, ItemHierarchy, AccessControl) async throws -> Void
    ) async throws {
        let directory = NSTemporaryDirectory() + "docent-companions-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let database = try HostDatabase(directory: directory)
        let grants = try await GrantStore(database: database)
        let films = TestItems(["one": ".root", "two": ".root"])
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
        let hierarchy = ItemHierarchy(types: TypeCatalogue(system: .system(environment: [:])), source: films)
        let access = AccessControl(
            grants: grants, bookmarks: BookmarkStore(database: database),
            audit: AuditLog(database: database), aliases: ItemAliases(), hierarchy: hierarchy)
        try await body(films, grants, hierarchy, access)
        try database.close()
    }

    @Test(
        "an access to a companion asks the provider only a few times, however many documents the client has",
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
            // The item, its folder, the top folder and its document, whatever the others are.
            let all = films.state.withLock { $0.asked }
            #expect(all - first.0 <= count / 2 * 8, "\(all)")
        }
    }

    @Test(
        "a document that moved away no longer covers its old companions, and one that moved in covers those beside it",
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

    @Test("while the provider is unreachable, the last known places of documents count", arguments: [8, 200])
    func away(count: Int) async throws {
        try await with(films: count) { films, _, hierarchy, access in
            #expect(await access.currentGround(Self.player, Self.key("4.srt"), .read) != nil)
            films.state.withLock { $0.isAway = true }
            hierarchy.dropAll("p", domain: nil)
            #expect(await access.currentGround(Self.player, Self.key("4.srt"), .read) != nil)
            #expect(await access.currentGround(Self.player, Self.key("other.srt"), .read) == nil)
        }
    }

    @Test("G7: an identifier with a NUL is never a companion, even in a covered folder")
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
