import Foundation
import HostTesting
import Testing

@testable import Rights

/// Which right gives access to an item (G7).
@Suite struct RightDecisionTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)

    private static func grant(
        _ id: Int64, _ item: String, _ access: AccessLevel = .read, expires: Double? = nil, patterns: [String] = []
    ) -> Grant {
        Grant(
            id: id, principal: writer, item: document(item), access: access, origin: .open, created: now,
            expires: expires.map { now.addingTimeInterval($0) },
            companions: (try? CompanionPattern.list(patterns)) ?? [])
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var wanted = AccessLevel.read
        var folders: [String] = []
        var name = "movie.srt"
        var isFolder = false
        var rights: [Grant] = []
        var companions: [(grant: Grant, name: String, folder: String)] = []
        let expected: Int64?
    }

    static let cases: [Case] = [
        Case(testDescription: "no right at all", expected: nil),
        Case(testDescription: "a right to the item", rights: [grant(1, "i")], expected: 1),
        Case(
            testDescription: "a right with too little access", wanted: .readWrite, rights: [grant(1, "i")],
            expected: nil),
        Case(testDescription: "an expired right", rights: [grant(1, "i", expires: -1)], expected: nil),
        Case(testDescription: "a right that expires now", rights: [grant(1, "i", expires: 0)], expected: nil),
        Case(testDescription: "a right that expires later", rights: [grant(1, "i", expires: 1)], expected: 1),
        Case(testDescription: "a right to the folder", folders: ["f"], rights: [grant(2, "f")], expected: 2),
        Case(
            testDescription: "a right to a folder three levels above", folders: ["f", "g", "h"],
            rights: [grant(3, "h")],
            expected: 3),
        Case(testDescription: "a right to another folder", folders: ["f"], rights: [grant(2, "g")], expected: nil),
        Case(
            testDescription: "the item's own right before the folder's", folders: ["f"],
            rights: [grant(1, "f"), grant(2, "i")], expected: 2),
        Case(
            testDescription: "the nearest folder's right before a farther one", folders: ["f", "g"],
            rights: [grant(1, "g"), grant(2, "f")], expected: 2),
        Case(
            testDescription: "the folder's right if the item's own has too little access", wanted: .readWrite,
            folders: ["f"], rights: [grant(1, "i"), grant(2, "f", .readWrite)], expected: 2),
        Case(
            testDescription: "the folder's right if the item's own has expired", folders: ["f"],
            rights: [grant(1, "i", expires: -1), grant(2, "f")], expected: 2),
        Case(
            testDescription: "a companion in the same folder", folders: ["f"],
            companions: [(grant(4, "m", patterns: ["{stem}.srt"]), "movie.mkv", "f")], expected: 4),
        Case(
            testDescription: "a companion's document in another folder", folders: ["f"],
            companions: [(grant(4, "m", patterns: ["{stem}.srt"]), "movie.mkv", "g")], expected: nil),
        Case(
            testDescription: "a companion with another stem", folders: ["f"],
            companions: [(grant(4, "m", patterns: ["{stem}.srt"]), "film.mkv", "f")], expected: nil),
        Case(
            testDescription: "a folder with the name of a companion", folders: ["f"], isFolder: true,
            companions: [(grant(4, "m", patterns: ["{stem}.srt"]), "movie.mkv", "f")], expected: nil),
        Case(
            testDescription: "writing with a companion's right to read", wanted: .readWrite, folders: ["f"],
            companions: [(grant(4, "m", patterns: ["{stem}.srt"]), "movie.mkv", "f")], expected: nil),
        Case(
            testDescription: "a companion with an expired right", folders: ["f"],
            companions: [(grant(4, "m", expires: -1, patterns: ["{stem}.srt"]), "movie.mkv", "f")], expected: nil),
        Case(
            testDescription: "the oldest of two companions", folders: ["f"],
            companions: [
                (grant(7, "m", patterns: ["{stem}.srt"]), "movie.mkv", "f"),
                (grant(5, "n", patterns: ["*.srt"]), "other.mkv", "f"),
            ], expected: 5),
        Case(
            testDescription: "the folder's right before a companion's", folders: ["f"], rights: [grant(9, "f")],
            companions: [(grant(4, "m", patterns: ["{stem}.srt"]), "movie.mkv", "f")], expected: 9),
    ]

    @Test("the direct right decides, then the nearest folder's, then a companion's", arguments: cases)
    func decides(one: Case) {
        let place = RightDecision.Place(
            item: document("i"), name: one.name, folders: one.folders.map(document), isFolder: one.isFolder)
        let found = RightDecision.ground(
            one.wanted, to: place, at: Self.now,
            right: { item in one.rights.first { $0.item == item } },
            companions: one.companions.map {
                RightDecision.Companion(grant: $0.grant, name: $0.name, folder: document($0.folder))
            })
        #expect(found?.id == one.expected)
    }
}
