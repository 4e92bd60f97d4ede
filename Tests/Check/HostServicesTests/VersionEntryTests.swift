import DocentInterfaces
import Foundation
import Records
import Rights
import Testing

@testable import HostServices
@testable import RemoteDocuments

/// One history of what is kept here and what the provider has. Pure.
@Suite struct VersionEntryTests {
    private static let key = ItemKey(provider: "p", identifier: "i")

    private func kept(
        _ id: String, at moment: Double, size: Int64 = 3, version: String? = nil,
        reason: KeptVersion.Reason = .superseded
    ) -> KeptVersion {
        KeptVersion(
            id: id, key: Self.key, name: "former.txt", reason: reason, size: size,
            created: Date(timeIntervalSince1970: moment + 100), folder: "f", file: "g",
            operation: id, modified: Date(timeIntervalSince1970: moment), contentVersion: version)
    }

    private func earlier(_ said: Wire.EarlierVersion...) -> [EarlierContent] { EarlierContent.usable(said) }

    @Test("Versions of both are in one order, newest first")
    func order() {
        let merged = VersionEntry.merge(
            [kept("b", at: 20), kept("a", at: 10)],
            earlier(
                .init(identifier: "x", modificationDate: 5, size: 9), .init(identifier: "y", modificationDate: 15),
                .init(identifier: "z", modificationDate: 25), .init(identifier: "undated")))
        #expect(merged.map { $0.kept?.id ?? $0.earlier?.identifier } == ["z", "b", "y", "a", "x", "undated"])
    }

    @Test("The same version is one entry; so is the same second with the same size, where versions are not known")
    func same() {
        let merged = VersionEntry.merge(
            [kept("b", at: 20.7, size: 4), kept("a", at: 10, version: "v1")],
            earlier(
                .init(identifier: "x", modificationDate: 99, version: "v1"),
                .init(identifier: "y", modificationDate: 20, size: 4, version: "v2"),
                // Another size, another second, another version.
                .init(identifier: "p", modificationDate: 20, size: 5),
                .init(identifier: "q", modificationDate: 19, size: 4),
                .init(identifier: "r", modificationDate: 10, size: 3, version: "v3")))
        #expect(merged.first { $0.kept?.id == "a" }?.earlier?.identifier == "x")
        #expect(merged.first { $0.kept?.id == "b" }?.earlier?.identifier == "y")
        #expect(merged.count == 5)
    }

    @Test("A version that is kept twice is the provider's once")
    func once() {
        let merged = VersionEntry.merge(
            [kept("b", at: 20), kept("a", at: 20)],
            earlier(.init(identifier: "x", modificationDate: 20, size: 3)))
        #expect(merged.map { $0.earlier == nil } == [false, true])
    }

    @Test("A content that is kept here keeps its name at the provider; a conflict has its own, by which it is settled")
    func names() {
        let merged = VersionEntry.merge(
            [kept("c", at: 30), kept("b", at: 20), kept("a", at: 10, reason: .conflict)],
            earlier(
                .init(identifier: "x", modificationDate: 20, size: 3),
                .init(identifier: "y", modificationDate: 10, size: 3)))
        #expect(merged.map { $0.earlier?.identifier } == [nil, "x", "y"])
        #expect(merged.map(\.name) == ["c", merged[1].earlier?.name, "a"])
        let alone = VersionEntry.merge([kept("b", at: 20)], [])
        #expect(alone.map(\.name) == ["b"])
    }

    @Test("What a provider says about a version is used only as far as it can be")
    func usable() {
        let long = String(repeating: "x", count: 501)
        let found = EarlierContent.usable([
            .init(identifier: ""), .init(identifier: long), .init(identifier: "nul\0"),
            .init(
                identifier: "a", modificationDate: .infinity, size: -1, version: long,
                savedBy: String(repeating: "y", count: 999)),
            .init(identifier: "b", modificationDate: .nan, savedBy: ""), .init(identifier: "a", size: 7),
        ])
        #expect(Set(found.map(\.identifier)) == ["a", "b"])
        let first = found.first { $0.identifier == "a" }
        #expect(first?.saved == nil && first?.size == nil && first?.contentVersion == nil)
        #expect(first?.author?.count == 200)
        #expect(found.allSatisfy { $0.name.hasPrefix("p-") && $0.name.count == 26 })
    }
}
