import FoundationEssentials
import Testing

@testable import Documents

@Suite("Document: changes by others")
@MainActor
struct DocumentPresenterTests {
    let store = DocumentModelStore()

    func open() async throws -> TextDocument {
        let document = TextDocument.made(in: store)
        try await document.open()
        return document
    }

    @Test("3.6: a reader gets the edited contents, because they are saved first")
    func readerGetsUnsaved() async throws {
        let document = try await open()
        document.edit("mine")
        #expect(try await store.othersRead() == "mine")
        #expect(!document.hasUnsavedChanges)
    }

    @Test("2.4: contents that cannot be saved fail the waiting reader with the reason")
    func readerIsTold() async throws {
        let document = try await open()
        document.edit("mine")
        document.isBroken = true
        await #expect { _ = try await store.othersRead() } throws: {
            ($0 as? DocumentsError)?.message == "There is nothing to write."
        }
        #expect(document.state == .savingError)
    }

    @Test("2.4: a merging writer finds the edited contents, and its change is loaded with editing disabled")
    func writerOnTop() async throws {
        let document = try await open()
        document.edit("mine")
        document.log = []
        try await store.othersWrite(merging: true) { $0 + ", theirs" }
        #expect(await eventually { document.text == "mine, theirs" })
        #expect(await eventually { document.state == .normal })
        #expect(document.log == ["disable", "load mine, theirs", "enable"])
        #expect(document.fileVersion == "v3")
    }

    @Test("2.9, deadlock 3: a save that waits for its turn is withdrawn in favour of the one that the writer waits for")
    func waitingSaveGoesFirst() async throws {
        let document = try await open()
        let gate = DocumentModelStore.Gate()
        let store = store
        let writing = Task { try await store.othersWrite(merging: true, after: gate) { $0 + ", theirs" } }
        #expect(await eventually { store.isClaimed })
        document.edit("mine")
        let saving = Task { try await document.save() }
        #expect(await eventually { store.waitingCount == 1 })
        gate.open()
        try await writing.value
        try await saving.value
        #expect(await eventually { document.text == "mine, theirs" })
        #expect(store.log.filter { $0.hasPrefix("wrote") } == ["wrote mine"])
    }

    @Test("2.4: a plain writer does not make the document save, and the unsaved contents survive in a conflict")
    func plainWriter() async throws {
        let document = try await open()
        document.edit("mine")
        try await store.othersWrite { _ in "theirs" }
        #expect(await eventually { document.state == .inConflict })
        #expect(document.text == "mine")
        #expect(store.text == "theirs")
        #expect(store.log.filter { $0.hasPrefix("wrote") }.isEmpty)
    }

    @Test(
        "2.9, deadlock 3: a read that waits for its turn gives way to the save that the writer waits for",
        arguments: [true, false])
    func waitingReadMakesWay(reverting: Bool) async throws {
        let document = try await open()
        let other = store.document()
        let gate = DocumentModelStore.Gate()
        let store = store
        let writing = Task { try await store.othersWrite(merging: true, after: gate) { $0 + ", theirs" } }
        #expect(await eventually { store.isClaimed })
        document.edit("mine")
        let reading = Task { () -> DocumentContents? in
            guard reverting else { return try await document.storedContents() }
            try await document.revert(
                toContentsOf: SecurityScopedDocument(
                    reference: DocumentReference(provider: "org.example.Cloud", identifier: "other"),
                    access: .readWrite,
                    client: other.client))
            return nil
        }
        #expect(await eventually { store.waitingCount == 1 })
        gate.open()
        try await writing.value
        let found = try await reading.value
        #expect(store.text == "mine, theirs")
        if let found { #expect(found.data.map { String(decoding: $0, as: UTF8.self) } == "mine, theirs") }
        #expect(store.log.filter { $0.hasPrefix("wrote") } == ["wrote mine"])
    }

    @Test("J2: a writer that changes nothing causes no revert")
    func nothingChanged() async throws {
        let document = try await open()
        document.log = []
        try await store.othersWrite { _ in nil }
        #expect(await eventually { document.refreshTask == nil })
        #expect(document.log.isEmpty)
        #expect(store.log.filter { $0 == "read" }.count == 1)
    }

    @Test("J2: an uncoordinated change is loaded")
    func uncoordinated() async throws {
        let document = try await open()
        await store.othersWriteUncoordinated("two")
        #expect(await eventually { document.text == "two" })
        #expect(await eventually { document.state == .normal })
    }

    @Test("M7: a rename changes name and type, and nothing is loaded again")
    func renamed() async throws {
        let document = try await open()
        document.log = []
        store.rename("list.md")
        let change = PresentedChange(cause: DocumentModelStore.cause, isUncoordinated: false, version: nil)
        await document.presentedItemDidChange(change)
        #expect(await eventually { document.localizedName == "list" })
        #expect(document.fileType == "net.daringfireball.markdown")
        #expect(document.log.isEmpty)
    }

    @Test("M7: after a move the new reference is presented and saved to")
    func moved() async throws {
        let document = try await open()
        let place = DocumentReference(provider: "org.example.Cloud", identifier: "elsewhere")
        await document.presentedItemDidMove(to: place, PresentedChange())
        #expect(document.presentedItem == DocumentPlace(place))
        #expect(document.document?.reference == place)
        #expect(document.document?.access == .readWrite)
        document.edit("two")
        try await document.save()
        #expect(store.lastReference == place)
    }

    @Test("3.6: a deletion hands over the unsaved contents, and closes the document")
    func deleted() async throws {
        let document = try await open()
        document.edit("mine")
        try await store.othersDelete()
        #expect(document.state == .closed)
        #expect(document.log.last == "deleted mine")
        #expect(await eventually { store.presenterCount == 0 && store.log.last == "stopped" })
    }

    @Test("J2: contents that could not be saved before a deletion are handed over")
    func deletedUnsaved() async throws {
        let document = try await open()
        document.edit("mine")
        await document.presentedItemDidDelete(PresentedChange())
        #expect(document.state == .closed)
        #expect(document.log.last == "deleted mine")
        #expect(!document.hasUnsavedChanges)
    }

    @Test("Messages to a closed document do nothing")
    func closedDocument() async throws {
        let document = try await open()
        let presenter = document as any FilePresenter
        try await document.close()
        document.log = []
        document.updateChangeCount(.done)
        try await presenter.savePresentedItemChanges()
        try await presenter.accommodatePresentedItemDeletion()
        let change = PresentedChange(cause: DocumentModelStore.cause, isUncoordinated: true, version: "v9")
        await presenter.presentedItemDidChange(change)
        #expect(document.log.isEmpty)
        #expect(store.version == 1)
    }

    @Test("M5: kept versions mean a conflict, until they are gone")
    func keptVersions() async throws {
        let document = try await open()
        await document.presentedItemDidGainVersion("theirs", PresentedChange())
        #expect(document.state == .inConflict)
        #expect(document.conflictVersions == ["theirs"])
        // This does not prevent saving.
        document.edit("two")
        try await document.save()
        #expect(store.text == "two")
        await document.presentedItemDidResolveConflict("theirs", PresentedChange())
        #expect(document.state == .normal)
    }
}
