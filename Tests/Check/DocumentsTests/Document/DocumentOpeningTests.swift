import Testing

@testable import Documents

@Suite("Document: opening and closing")
@MainActor
struct DocumentOpeningTests {
    let store = DocumentModelStore()

    func make() -> TextDocument { TextDocument.made(in: store) }

    @Test("M3, G11: opening reads, registers during the read, and keeps the access until closing")
    func openAndClose() async throws {
        let document = make()
        #expect(document.state == .closed)
        try await document.open()
        #expect(document.state == .normal)
        #expect(document.text == "one")
        #expect(document.localizedName == "notes")
        #expect(document.fileType == "public.plain-text")
        #expect(document.fileVersion == "v1")
        #expect(store.log == ["read", "registered"])
        try await document.close()
        #expect(document.state == .closed)
        #expect(store.log == ["read", "registered", "unregistered", "stopped"])
        #expect(!store.usedMainThread)
    }

    @Test("M5: the stream of states begins with the present one and yields each change in order")
    func states() async throws {
        let document = make()
        store.tell([DownloadProgress(completedBytes: 1, totalBytes: 2)])
        var seen: [Document.State] = []
        let states = document.states
        var progress = document.progress.makeAsyncIterator()
        try await document.open()
        #expect(await progress.next()?.completedBytes == 1)
        try await document.close()
        for await state in states {
            seen.append(state)
            if state == .closed, seen.count > 1, seen.contains(.normal) { break }
        }
        // Progress may come too late to matter.
        var expected: [Document.State] = [.closed, .normal, .closed]
        if seen.contains([.closed, .progressAvailable]) {
            expected.insert(contentsOf: [[.closed, .progressAvailable], .closed], at: 1)
        }
        #expect(seen == expected)
    }

    @Test("3.6: contents that the class refuses leave the document closed and unregistered")
    func refused() async throws {
        let document = make()
        document.isBroken = true
        await #expect(throws: DocumentsError.self) { try await document.open() }
        #expect(document.state == .closed)
        #expect(store.presenterCount == 0)
        #expect(document.log == ["error true"])
        document.isBroken = false
        try await document.open()
        #expect(document.text == "one")
    }

    @Test("A document is opened once, and only if it exists")
    func misuse() async throws {
        let document = make()
        try await document.open()
        await #expect { try await document.open() } throws: { ($0 as? DocumentsError)?.code == .invalidArgument }
        let new = try TextDocument.new("new.md", in: store)
        await #expect { try await new.open() } throws: { ($0 as? DocumentsError)?.code == .invalidArgument }
        await #expect { try await new.save() } throws: { ($0 as? DocumentsError)?.code == .invalidArgument }
    }

    @Test("2.4: a change between reading and registering is not lost")
    func changeWhileOpening() async throws {
        let document = make()
        let store = store
        store.duringOpening { await store.othersWriteUncoordinated("two") }
        try await document.open()
        #expect(await eventually { document.text == "two" })
    }

    @Test("3.6: closing saves pending changes, and the document stays open if that fails")
    func closeSaves() async throws {
        let document = make()
        try await document.open()
        document.edit("mine")
        store.fail(DocumentsError(.noSpace, "There is no room."))
        await #expect { try await document.close() } throws: { ($0 as? DocumentsError)?.code == .noSpace }
        #expect(document.state == .savingError)
        #expect(document.log.last == "error false")
        store.fail(nil)
        try await document.close()
        #expect(store.text == "mine")
        #expect(document.state == .closed)
    }

    @Test("Closing drops changes on request")
    func closeDiscards() async throws {
        let document = make()
        try await document.open()
        document.edit("mine")
        try await document.close(discardingUnsavedChanges: true)
        #expect(store.text == "one")
        #expect(!document.hasUnsavedChanges)
    }

    @Test("2.9, deadlock 8: two documents of one item in one process do not block each other")
    func twoDocuments() async throws {
        let (first, second) = (make(), make())
        try await first.open()
        first.edit("first")
        // Opening the second asks the first to save.
        try await second.open()
        #expect(second.text == "first")
        second.edit("second")
        try await second.save()
        #expect(await eventually { first.text == "second" })
        #expect(first.state == .normal)
        try await first.close()
        try await second.close()
        #expect(store.presenterCount == 0)
    }
}
