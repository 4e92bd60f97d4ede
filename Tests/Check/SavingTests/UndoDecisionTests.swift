import Foundation
import HostTesting
import Records
import Rights
import Testing

@testable import Saving

/// Whether a change can be taken back.
@Suite struct UndoDecisionTests {
    private typealias Situation = UndoDecision.Situation

    private func change(_ kind: UndoableChange.Kind, isTrashed: Bool = true) -> UndoableChange {
        UndoableChange(
            id: "1", principal: writer, kind: kind, key: TestProviderKind.remote.key("x"), name: "new", parent: "there",
            formerName: "old", formerParent: "here", isFolder: false, isTrashed: isTrashed)
    }

    private let here = Situation.Place(parent: "here", name: "old")
    private let there = Situation.Place(parent: "there", name: "new")

    @Test("O16: a move is taken back only from where it led to", arguments: [UndoableChange.Kind.move, .rename])
    func moves(_ kind: UndoableChange.Kind) {
        func decide(_ now: Situation) -> UndoDecision { UndoDecision(change(kind), now) }
        #expect(decide(Situation(place: there)) == .moveBack)
        #expect(decide(Situation(place: here)) == .nothing)
        #expect(decide(Situation()) == .refuse(.gone))
        #expect(decide(Situation(place: .init(parent: "there", name: "newer"))) == .refuse(.movedAgain))
        #expect(decide(Situation(place: .init(parent: "elsewhere", name: "new"))) == .refuse(.movedAgain))
        #expect(decide(Situation(place: there, hasFormerFolder: false)) == .refuse(.folderGone))
        #expect(decide(Situation(place: there, isNameTaken: true)) == .refuse(.nameTaken))
    }

    @Test("O16: a deletion is taken back only from the trash, and replaces nothing")
    func deletions() {
        func decide(_ now: Situation, isTrashed: Bool = true) -> UndoDecision {
            UndoDecision(change(.delete, isTrashed: isTrashed), now)
        }
        #expect(decide(Situation(trashed: "t")) == .restore(trashed: "t"))
        #expect(decide(Situation(place: here)) == .nothing)
        #expect(decide(Situation(place: here), isTrashed: false) == .nothing)
        #expect(decide(Situation(), isTrashed: false) == .refuse(.deletedForGood))
        #expect(decide(Situation()) == .refuse(.notInTrash))
        #expect(decide(Situation(hasFormerFolder: false, trashed: "t")) == .refuse(.folderGone))
        #expect(decide(Situation(isNameTaken: true, trashed: "t")) == .refuse(.nameTaken))
        #expect(decide(Situation(place: there, trashed: "t")) == .refuse(.movedAgain))
    }

    @Test("O16: a save is taken back only while the document has its content, and what it replaced is kept")
    func saves() {
        func decide(_ now: Situation) -> UndoDecision { UndoDecision(change(.overwrite), now) }
        #expect(decide(Situation(place: there, hasSavedContent: true, version: "v")) == .putBack(version: "v"))
        #expect(decide(Situation(place: there, version: "v")) == .refuse(.savedAgain))
        #expect(decide(Situation(place: there, hasSavedContent: true)) == .refuse(.notKept))
        #expect(decide(Situation(hasSavedContent: true, version: "v")) == .refuse(.gone))
    }

    @Test("O16: names that only look the same are different places")
    func exactNames() {
        let composed = Situation.Place(parent: "here", name: "\u{E9}")
        #expect(!composed.isSame(as: .init(parent: "here", name: "e\u{301}")))
    }
}
