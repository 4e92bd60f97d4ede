import DocentInterfaces
import Foundation
import HostCore
import Records
import Rights
import Testing

@testable import RemoteDocuments

/// The next step of a deletion that can still be taken back.
@Suite struct DeletionDecisionTests {
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private static func deletion(isWanted: Bool = false, isSuspect: Bool = false) -> PendingDeletion {
        var deletion = PendingDeletion(
            id: "1", principal: Principal(kind: .unconfined, identifier: "org.docent.cli"),
            key: ItemKey(provider: "p", domain: "d", identifier: "/a.txt"), parent: ".root", name: "a.txt",
            isFolder: false, size: 1, path: "/a.txt", created: start, due: start.addingTimeInterval(3_600))
        deletion.isWanted = isWanted
        deletion.isSuspect = isSuspect
        return deletion
    }

    /// Seconds after the deletion, whether the user does not want to wait, whether it may have changed.
    private static let moments: [(after: Double, isWanted: Bool, isSuspect: Bool, expected: DeletionDecision)] = [
        (0, false, false, .wait), (3_599, false, false, .wait), (3_600, false, false, .delete),
        (90_000, false, false, .delete), (10, true, false, .delete), (10, false, true, .look),
        (10, true, true, .delete), (3_600, false, true, .delete),
        // The record of the moment is rounded.
        (-0.0005, false, false, .wait), (-0.0005, false, true, .look),
        // The clock was set back by an hour, and by years.
        (-3_600, false, false, .extend(start)), (-3_600, true, false, .delete),
        (-1e8, false, true, .extend(start.addingTimeInterval(-1e8 + 3_600))),
    ]

    @Test("O15: a deletion waits until its time, is looked at if it may have changed, and then carried out")
    func moment() {
        for one in Self.moments {
            let deletion = Self.deletion(isWanted: one.isWanted, isSuspect: one.isSuspect)
            #expect(
                DeletionDecision(deletion, at: Self.start.addingTimeInterval(one.after)) == one.expected, "\(one)")
        }
    }

    @Test("O15: what was changed is not deleted, and what is gone need not be")
    func findings() {
        #expect(DeletionVerdict(.same) == nil)
        #expect(DeletionVerdict(.changed) == .giveUp(.changed))
        #expect(DeletionVerdict(.missing) == .done)
    }

    private static let answers: [(code: FailureCode, expected: DeletionVerdict)] = [
        (.noSuchItem, .done), (.versionOutOfDate, .giveUp(.changed)), (.conflict, .giveUp(.changed)),
        (.collision, .giveUp(.changed)), (.notPermitted, .giveUp(.refused("No."))),
        (.notSupported, .giveUp(.refused("No."))), (.failed, .giveUp(.refused("No."))),
        (.serverUnreachable, .retry), (.unavailable, .retry), (.deadlineExceeded, .retry), (.busy, .retry),
        (.notAuthenticated, .retry), (.cancelled, .retry), (.deadlock, .retry), (.anchorExpired, .retry),
        // The provider is not installed any more.
        (.notFound, .retry),
    ]

    @Test("O15: a provider that cannot be reached is asked again, and one that refuses is believed")
    func failures() {
        for one in Self.answers {
            #expect(DeletionVerdict(Failure(one.code, "No.")) == one.expected, "\(one)")
        }
        #expect(DeletionVerdict.Reason.refused("No.").text == "No")
    }

    private static func description(
        _ name: String = "a", parent: String = ".root", folder: Bool = false, version: String? = "1", size: Int64 = 1
    ) -> ItemDescription {
        ItemDescription(
            identifier: "a", parent: parent, name: name, size: size, modificationDate: 5, isFolder: folder,
            version: version)
    }

    @Test("O15: another version, name or folder is a change; another version of a folder is none")
    func differences() {
        let document = DeletedItem(Self.description())
        #expect(!document.differs(from: Self.description()))
        #expect(!document.differs(from: Self.description(size: 2)), "The version says that it is the same.")
        for other in [
            Self.description(version: "2"), Self.description(version: nil), Self.description("b"),
            Self.description(parent: "other"), Self.description(folder: true),
        ] {
            #expect(document.differs(from: other), "\(other)")
        }
        let plain = DeletedItem(Self.description(version: nil))
        #expect(!plain.differs(from: Self.description(version: nil)))
        #expect(plain.differs(from: Self.description(version: nil, size: 2)))
        let folder = DeletedItem(Self.description(folder: true, version: "1"))
        #expect(!folder.differs(from: Self.description(folder: true, version: "2")))
        #expect(folder.differs(from: Self.description("b", folder: true)))
    }

    @Test("O15: a name is in the way of the same one, also in other case, in the same folder")
    func names() {
        let deletion = Self.deletion()
        let root = deletion.key.sibling(".root")
        #expect(deletion.blocks("a.txt", in: root) && deletion.blocks("A.TXT", in: root))
        #expect(!deletion.blocks("b.txt", in: root) && !deletion.blocks("a.txt", in: root.sibling("folder")))
        #expect(PendingDeletion.id(trashed: deletion.trashed) == "1")
        #expect(PendingDeletion.id(trashed: "a.txt") == nil)
    }

    @Test("O15: a period is a number of seconds, at most 30 days")
    func seconds() {
        #expect(DeletionPeriods.seconds("0") == 0 && DeletionPeriods.seconds("1.5") == 2)
        #expect(DeletionPeriods.seconds("1e9") == DeletionPeriods.longest)
        #expect(DeletionPeriods.seconds("") == nil && DeletionPeriods.seconds("-1") == nil)
        #expect(DeletionPeriods.seconds("soon") == nil && DeletionPeriods.seconds("nan") == nil)
    }
}
