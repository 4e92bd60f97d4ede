import FoundationEssentials
import Testing

@testable import Documents

@Suite("Document: conflicts")
@MainActor
struct DocumentConflictTests {
    let store = DocumentModelStore()

    func open() async throws -> TextDocument {
        let document = TextDocument.made(in: store)
        try await document.open()
        return document
    }

    /// A document with unsaved changes and a newer stored version.
    func diverged() async throws -> TextDocument {
        let document = try await open()
        document.edit("mine")
        await store.othersWriteUncoordinated("theirs")
        #expect(await eventually { document.state == .inConflict })
        return document
    }

    @Test(
        "A stored change that cannot be read at first is loaded without another notification",
        arguments: [DocumentsError.Code.unavailable, .deadlock, .conflict, .cancelled])
    func readLater(_ code: DocumentsError.Code) async throws {
        let document = try await open()
        store.fail(DocumentsError(code, "Not now."), times: 2)
        await store.othersWriteUncoordinated("theirs")
        #expect(await eventually { document.text == "theirs" })
        #expect(document.state == .normal && !document.log.contains("error false"))
    }

    @Test("A change that cannot be read for good is reported once, and does not replace the contents")
    func notRead() async throws {
        let document = try await open()
        store.fail(DocumentsError(.notPermitted, "No."))
        await store.othersWriteUncoordinated("theirs")
        #expect(await eventually { document.log.contains("error false") })
        #expect(document.text == "one" && document.log.count { $0 == "error false" } == 1)
    }

    @Test("Contents that the document itself refuses are not read again and again")
    func refused() async throws {
        let document = try await open()
        document.isBroken = true
        await store.othersWriteUncoordinated("theirs")
        #expect(await eventually { document.log.contains("error false") })
        #expect(document.text == "one" && document.log.count { $0 == "disable" } == 1)
    }

    @Test("O5: a stored change under unsaved ones keeps both")
    func keepsBoth() async throws {
        let document = try await diverged()
        #expect(document.text == "mine")
        #expect(document.hasUnsavedChanges)
        #expect(store.text == "theirs")
        #expect(try await document.storedContents().data == Data("theirs".utf8))
    }

    @Test("O5: no save overwrites an unseen version, neither an explicit one, nor autosaving, nor one for a reader")
    func notOverwritten() async throws {
        let document = try await diverged()
        await #expect { try await document.save() } throws: { ($0 as? DocumentsError)?.code == .conflict }
        await #expect { try await document.close() } throws: { ($0 as? DocumentsError)?.code == .conflict }
        try await document.autosave()
        #expect(try await store.othersRead() == "theirs")
        #expect(document.text == "mine")
        #expect(document.state == .inConflict)
    }

    @Test("O5: a save detects that another version was stored")
    func foundBySaving() async throws {
        let first = try await open()
        first.edit("first")
        store.changeQuietly("second")
        await #expect { try await first.save() } throws: { ($0 as? DocumentsError)?.code == .conflict }
        #expect(first.state == .inConflict)
        #expect(store.text == "second")
        #expect(first.text == "first")
    }

    @Test("O5: keeping the stored version drops the edited contents")
    func keepStored() async throws {
        let document = try await diverged()
        try await document.resolveConflict(keepingCurrent: true)
        #expect(document.text == "theirs")
        #expect(document.state == .normal)
        #expect(!document.hasUnsavedChanges)
    }

    @Test("O5: keeping the edited contents replaces the stored version, and saving continues")
    func keepMine() async throws {
        let document = try await diverged()
        try await document.resolveConflict(keepingCurrent: false)
        #expect(store.text == "mine")
        #expect(document.state == .normal)
        document.edit("more")
        try await document.save()
        #expect(store.text == "more")
    }

    @Test("O5: a decision about a version that was seen does not overwrite a newer one")
    func movedOn() async throws {
        let document = try await diverged()
        store.changeQuietly("theirs again")
        await #expect { try await document.resolveConflict(keepingCurrent: false) } throws: {
            ($0 as? DocumentsError)?.code == .conflict
        }
        #expect(store.text == "theirs again")
        // Now the newer version has been seen.
        try await document.resolveConflict(keepingCurrent: false)
        #expect(store.text == "mine")
    }

    @Test("O5: a newer version that was stored after the look is not overwritten unseen")
    func newerAfterLook() async throws {
        let document = try await diverged()
        #expect(try await document.storedContents().data == Data("theirs".utf8))
        // The document itself gets the change before the program decides.
        await store.othersWriteUncoordinated("theirs again")
        #expect(await eventually { document.diverged?.version == "v3" && document.refreshTask == nil })
        await #expect { try await document.resolveConflict(keepingCurrent: false) } throws: {
            ($0 as? DocumentsError)?.code == .conflict
        }
        #expect(store.text == "theirs again")
        #expect(try await document.storedContents().data == Data("theirs again".utf8))
        try await document.resolveConflict(keepingCurrent: false)
        #expect(store.text == "mine")
        #expect(document.state == .normal)
    }

    @Test("O5: the edited contents survive the process as long as the conflict lasts, including later edits")
    func keptSafe() async throws {
        let document = try await diverged()
        #expect(store.kept == ["mine"])
        document.autosavingInterval = .milliseconds(20)
        document.edit("mine, more")
        #expect(await eventually { store.kept == ["mine, more"] })
        #expect(store.text == "theirs")
        try await document.resolveConflict(keepingCurrent: false)
        #expect(await eventually { store.kept.isEmpty })
        document.edit("last")
        try await document.close()
        #expect(store.kept.isEmpty)
        #expect(store.text == "last")
    }

    @Test("O5: closing without the edited contents drops them, and leaves no copy")
    func keptUntilClosed() async throws {
        let document = try await diverged()
        await #expect(throws: DocumentsError.self) { try await document.close() }
        #expect(store.kept == ["mine"])
        try await document.close(discardingUnsavedChanges: true)
        #expect(store.kept.isEmpty)
    }

    @Test("Reverting drops the edited contents and ends the conflict")
    func revert() async throws {
        let document = try await diverged()
        try await document.revert()
        #expect(document.text == "theirs")
        #expect(document.state == .normal)
    }

    @Test("M5: a document with kept versions is in conflict from its opening until the conflict is resolved")
    func keptVersions() async throws {
        store.keepVersions(1)
        let document = try await open()
        #expect(document.state == .inConflict)
        try await document.resolveConflict(keepingCurrent: true)
        #expect(document.state == .normal)
        #expect(document.text == "one")
    }
}
