import DocentInterfaces
import Synchronization
import Testing
import Varlink

@testable import Documents

/// Presenters (J1, J2; SEMANTICS 2.4).
@Suite struct CoordinationPresenterTests {
    private typealias Message = CoordinationFake.Message

    /// Records its messages.
    private final class Presenter: FilePresenter {
        let place: Mutex<DocumentPlace?>
        let notes = Mutex<[String]>([])
        let saving: Mutex<@Sendable () async throws -> Void> = Mutex({})
        let running = Mutex(0)

        init(_ place: DocumentPlace? = DocumentPlace(DocumentReference(FakeDaemon.reference))) {
            self.place = Mutex(place)
        }

        var log: [String] { notes.withLock { $0 } }
        func note(_ text: String) { notes.withLock { $0.append(text) } }

        var presentedItem: DocumentPlace? { place.withLock { $0 } }
        var blocksThread: PresenterThread? { .main }

        func relinquishPresentedItem(toReader cause: ChangeCause) async -> (@Sendable () async -> Void)? {
            note("relinquish to reader \(cause.client)")
            return { [weak self] in self?.note("reacquire from reader") }
        }

        func relinquishPresentedItem(toWriter cause: ChangeCause) async -> (@Sendable () async -> Void)? {
            note("relinquish to writer")
            return { [weak self] in self?.note("reacquire from writer") }
        }

        func savePresentedItemChanges() async throws {
            running.withLock { $0 += 1 }
            note("save")
            try await saving.withLock { $0 }()
            note("saved")
            running.withLock { $0 -= 1 }
        }

        func presentedItemDidChange(_ change: PresentedChange) async {
            #expect(running.withLock { $0 } == 0)
            note("changed to \(change.version ?? "?")\(change.isUncoordinated ? " uncoordinated" : "")")
        }

        func presentedItemDidDelete(_ change: PresentedChange) async { note("deleted") }
    }

    @Test("2.4: messages are handled one after another and answered in order, and the reacquirer comes last")
    func order() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let presenter = Presenter()
        presenter.saving.withLock { $0 = { try await Task.sleep(for: .milliseconds(30)) } }
        try await client.addFilePresenter(presenter)
        #expect(client.filePresenters.count == 1)
        #expect(fake.presented.first?.thread == "main")
        let cause = Wire.Cause(kind: "unconfined", client: "org.example.reader")
        fake.send(Message(kind: "relinquishToReader", message: "1", cause: cause))
        fake.send(Message(kind: "relinquishToWriter", message: "2", cause: cause))
        fake.send(Message(kind: "saveChanges", message: "3"))
        fake.send(Message(kind: "fromTheFuture", message: "4"))
        fake.send(Message(kind: "didChange", version: "5"))
        fake.send(Message(kind: "reacquire", message: "2"))
        fake.send(Message(kind: "reacquire", message: "1"))
        fake.send(Message(kind: "subitemDidAppear", subject: FakeDaemon.reference))
        fake.send(Message(kind: "resync"))
        #expect(await eventually { presenter.log.last == "changed to ? uncoordinated" })
        #expect(
            presenter.log == [
                "relinquish to reader org.example.reader", "relinquish to writer", "save", "saved", "changed to 5",
                "reacquire from writer", "reacquire from reader", "changed to ?", "changed to ? uncoordinated",
            ])
        #expect(fake.answers.map(\.message) == ["1", "2", "3", "4"])
        #expect(fake.answers.allSatisfy { $0.error == nil && $0.presenter == fake.presented.first?.presenter })
        await client.removeFilePresenter(presenter)
        #expect(client.filePresenters.isEmpty)
    }

    private struct Unwilling: Error, CustomStringConvertible {
        let description = "It does not want to."
    }

    @Test("2.4: an error of a handler is sent as the answer")
    func failure() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let presenter = Presenter()
        presenter.saving.withLock { $0 = { throw DocumentsError(.noSpace, "The disk is full.") } }
        try await client.addFilePresenter(presenter)
        fake.send(Message(kind: "saveChanges", message: "9"))
        #expect(await eventually { fake.answers.count == 1 })
        #expect(fake.answers.first?.error == "The disk is full.")
        presenter.saving.withLock { $0 = { throw Unwilling() } }
        fake.send(Message(kind: "saveChanges", message: "10"))
        #expect(await eventually { fake.answers.count == 2 })
        #expect(fake.answers.last?.error == "It does not want to.", "an error of the program's own")
        client.close()
    }

    @Test("2.3: a claim that is made in a message handler says so, and the presenter's coordinator names the message")
    func answering() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let presenter = Presenter()
        let reference = DocumentReference(FakeDaemon.reference)
        presenter.saving.withLock {
            $0 = { [weak presenter, weak client] in
                guard let presenter, let client else { return }
                try await FileCoordinator(client: client, filePresenter: presenter).coordinate(
                    writingItemAt: reference
                ) { access in _ = try await access.session(replacing: true) }
            }
        }
        // Handlers do not inherit the access around the call that added the presenter.
        try await FileCoordinator(client: client).coordinate(readingItemAt: reference) { _ in
            try await client.addFilePresenter(presenter)
        }
        fake.send(Message(kind: "saveChanges", message: "77"))
        #expect(await eventually { fake.answers.count == 1 })
        #expect(fake.answers.first?.error == nil)
        let claim = try #require(fake.claims.last)
        let registered = try #require(fake.presented.first)
        #expect(fake.claims.count == 2)
        #expect(claim.answering == ["77"] && claim.within == nil)
        #expect(claim.presenter == registered.presenter && claim.purpose == registered.purpose)
        let coordinator = FileCoordinator(client: client, filePresenter: presenter)
        #expect(coordinator.purposeIdentifier == registered.purpose)
        #expect(throws: DocumentsError.self) { try coordinator.setPurposeIdentifier("other") }
        client.close()
    }

    @Test(
        "D3: after a restart it registers again with its version, gets the change that it missed, then reacquires",
        arguments: ["1", "8"])
    func restart(version: String) async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let presenter = Presenter()
        try await client.addFilePresenter(presenter)
        fake.send(Message(kind: "relinquishToWriter", message: "1"))
        #expect(await eventually { fake.answers.count == 1 })
        fake.set { $0.version = version }
        try daemon.die()
        #expect(await eventually { presenter.log.contains("reacquire from writer") })
        let changed = version == "1" ? [] : ["changed to 8 uncoordinated"]
        #expect(presenter.log == ["relinquish to writer"] + changed + ["reacquire from writer"])
        #expect(fake.presented.map(\.version) == [nil, "1"])
        #expect(Set(fake.presented.map(\.presenter)).count == 1)
        client.close()
    }

    @Test("J1: a presenter without an item is added when an access on its behalf creates one, and follows it")
    func later() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let presenter = Presenter(nil)
        let reference = DocumentReference(FakeDaemon.reference)
        try await client.addFilePresenter(presenter)
        let coordinator = FileCoordinator(client: client, filePresenter: presenter)
        try await coordinator.coordinate(readingItemAt: reference) { _ in }
        #expect(fake.presented.isEmpty)
        #expect(fake.claims.first?.presenter == nil)
        presenter.place.withLock { $0 = DocumentPlace(name: "new", in: reference) }
        try await coordinator.coordinate(readingItemAt: reference) { _ in }
        #expect(await eventually { fake.presented.count == 1 })
        presenter.place.withLock { $0 = DocumentPlace(reference) }
        try await coordinator.coordinate(readingItemAt: reference) { _ in }
        #expect(await eventually { fake.presented.count == 2 })
        #expect(fake.presented.map(\.place.name) == ["new", nil])
        client.close()
    }

    @Test("A presenter that is refused is not added; one whose item is gone is notified", arguments: [true, false])
    func refused(isFirst: Bool) async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let presenter = Presenter()
        let failure = Failure(.notFound, "There is nothing.")
        if isFirst {
            fake.set { $0.refusal = failure }
            let error = await #expect(throws: DocumentsError.self) { try await client.addFilePresenter(presenter) }
            #expect(error?.code == .notFound)
            fake.set { $0.refusal = nil }
            try await client.addFilePresenter(presenter)
            #expect(client.filePresenters.count == 1)
        } else {
            try await client.addFilePresenter(presenter)
            fake.set { $0.refusal = failure }
            try daemon.die()
            #expect(await eventually { presenter.log == ["deleted"] })
            #expect(await eventually { client.filePresenters.isEmpty })
            fake.set { $0.refusal = nil }
            try await client.addFilePresenter(presenter)
            #expect(client.filePresenters.count == 1)
            #expect(fake.presented.count == 2)
        }
        client.close()
    }

    @Test("Removing waits for the running handler, and the handler may call it; a presenter is held weakly")
    func removal() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let presenter = Presenter()
        presenter.saving.withLock {
            $0 = { [weak presenter, weak client] in
                guard let presenter else { return }
                await client?.removeFilePresenter(presenter)
                try await Task.sleep(for: .milliseconds(30))
            }
        }
        try await client.addFilePresenter(presenter)
        fake.send(Message(kind: "saveChanges", message: "1"))
        #expect(await eventually { presenter.log == ["save", "saved"] })
        try await client.addFilePresenter(presenter)
        presenter.saving.withLock { $0 = { try await Task.sleep(for: .milliseconds(50)) } }
        fake.send(Message(kind: "saveChanges", message: "2"))
        #expect(await eventually { presenter.log.count == 3 })
        await client.removeFilePresenter(presenter)
        #expect(presenter.log == ["save", "saved", "save", "saved"])
        fake.send(Message(kind: "didChange", version: "3"))

        var other: Presenter? = Presenter()
        weak let held = other
        if let other { try await client.addFilePresenter(other) }
        #expect(client.filePresenters.count == 1)
        other = nil
        #expect(await eventually { held == nil && client.filePresenters.isEmpty })
        client.close()
    }
}
