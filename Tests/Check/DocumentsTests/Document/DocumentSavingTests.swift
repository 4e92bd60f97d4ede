import Synchronization
import Testing

@testable import Documents

@Suite("Document: saving")
@MainActor
struct DocumentSavingTests {
    let store = DocumentModelStore()

    func open() async throws -> TextDocument {
        let document = TextDocument.made(in: store)
        try await document.open()
        return document
    }

    @Test("M3: overwriting writes the edited contents and clears the count")
    func overwrite() async throws {
        let document = try await open()
        document.edit("two")
        #expect(document.hasUnsavedChanges)
        try await document.save()
        #expect(store.text == "two")
        #expect(!document.hasUnsavedChanges)
        #expect(document.fileVersion == "v2")
    }

    @Test("M2: a save that takes long does not block the main actor, and edits during it do not count as saved")
    func mainActorIsFree() async throws {
        let document = try await open()
        let gate = DocumentModelStore.Gate()
        store.hold(at: gate)
        document.edit("two")
        let saving = Task { try await document.save() }
        #expect(await eventually { document.waitingAccess != nil })
        document.edit("three")
        gate.open()
        try await saving.value
        #expect(store.text == "two")
        #expect(document.hasUnsavedChanges)
        #expect(!store.usedMainThread)
        try await document.save()
        #expect(store.text == "three")
    }

    @Test("M6: many changes are autosaved once")
    func autosave() async throws {
        let document = try await open()
        document.autosavingInterval = .milliseconds(50)
        for number in 1...100 { document.edit("edit \(number)") }
        #expect(await eventually { !document.hasUnsavedChanges })
        #expect(store.log.filter { $0.hasPrefix("wrote") } == ["wrote edit 100"])
        // The next change starts a new timer.
        document.edit("more")
        #expect(await eventually { store.text == "more" })
    }

    @Test("M6: a change that was undone is not autosaved")
    func undone() async throws {
        let document = try await open()
        document.updateChangeCount(.done)
        document.updateChangeCount(.undone)
        try await document.autosave()
        #expect(store.version == 1)
    }

    @Test("M6: an undo manager's changes are counted")
    func undoManager() async throws {
        final class Manager: DocumentUndoManager {
            var changeHandler: (@MainActor @Sendable (Document.ChangeKind) -> Void)?
            var forgotten = 0
            func removeAllActions() { forgotten += 1 }
        }
        let document = try await open()
        let manager = Manager()
        document.undoManager = manager
        manager.changeHandler?(.done)
        #expect(document.hasUnsavedChanges)
        manager.changeHandler?(.undone)
        #expect(!document.hasUnsavedChanges)
        try await document.revert()
        #expect(manager.forgotten == 1)
        document.undoManager = nil
        #expect(manager.changeHandler == nil)
    }

    @Test("3.6: a failed save sets savingError, and the next successful one clears it")
    func savingError() async throws {
        let document = try await open()
        document.edit("two")
        store.fail(DocumentsError(.unavailable, "Nobody answers."))
        await #expect { try await document.save() } throws: { ($0 as? DocumentsError)?.code == .unavailable }
        #expect(document.state == .savingError)
        #expect(document.hasUnsavedChanges)
        #expect(document.log.last == "error true")
        store.fail(nil)
        try await document.save()
        #expect(document.state == .normal)
    }

    @Test("M6: a failed autosave is retried")
    func triedAgain() async throws {
        let document = try await open()
        document.autosavingInterval = .milliseconds(20)
        store.fail(DocumentsError(.unavailable, "Nobody answers."))
        document.edit("two")
        #expect(await eventually { document.state == .savingError })
        store.fail(nil)
        #expect(await eventually { document.state == .normal })
        #expect(store.text == "two")
    }

    @Test("C11: a new document is created, presented, and can be saved from then on")
    func create() async throws {
        let document = try TextDocument.new("new.md", in: store)
        #expect(document.fileType == "net.daringfireball.markdown")
        #expect(document.localizedName == "new")
        document.edit("fresh")
        try await document.save(for: .creating)
        #expect(document.state == .normal)
        #expect(store.log == ["created new.md", "registered"])
        #expect(!document.hasUnsavedChanges)
        document.edit("more")
        try await document.save()
        #expect(store.text == "more")
        try await document.close()
        #expect(store.presenterCount == 0)
    }

    @Test("M4: a document that is saved at another place while a reader waits for its unsaved edits blocks neither")
    func createdWhileAsked() async throws {
        let document = try await open()
        let place = Document.SaveTarget.folder(try DocumentLocation("Cloud:/"), name: "copy.txt")
        document.edit("two")
        let gate = DocumentModelStore.Gate()
        store.hold(at: gate)
        Task {
            try await document.save(to: place, for: .creating)
            store.note("saved")
        }
        #expect(await eventually { gate.waitingCount == 1 })
        Task {
            _ = try await store.othersRead()
            store.note("answered")
        }
        #expect(await eventually { Document.savedForOthers.contains(store.reference) })
        gate.open()
        try #require(await eventually { Set(store.log).isSuperset(of: ["saved", "answered"]) })
        let steps = store.log.filter { !["read", "saved", "answered"].contains($0) }
        #expect(steps == ["registered", "created copy.txt", "unregistered", "stopped", "registered"])
        #expect(!document.hasUnsavedChanges && document.state == .normal)
        // Others are answered again.
        document.edit("three")
        #expect(try await store.othersRead() == "three")
        try await document.close()
    }

    @Test("A document that cannot be created stays unchanged")
    func createFails() async throws {
        let document = try TextDocument.new("new.md", in: store)
        document.edit("fresh")
        store.fail(DocumentsError(.conflict, "There is something of that name."))
        await #expect { try await document.save(for: .creating) } throws: {
            ($0 as? DocumentsError)?.code == .conflict
        }
        #expect(document.state == [.closed, .savingError])
        #expect(document.hasUnsavedChanges)
    }

    @Test("Work on the document's files runs in turn with saves, off the main thread")
    func fileAccess() async throws {
        let document = try await open()
        let gate = DocumentModelStore.Gate()
        let store = store
        let working = Task {
            await document.performAsynchronousFileAccess {
                store.note("work")
                await gate.pass()
                store.note("done")
            }
        }
        #expect(await eventually { store.log.contains("work") })
        document.edit("two")
        let saving = Task { try await document.save() }
        gate.open()
        await working.value
        try await saving.value
        #expect(store.log.suffix(3) == ["work", "done", "wrote two"])
    }
}
