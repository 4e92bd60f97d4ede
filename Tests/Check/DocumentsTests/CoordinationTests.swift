import Dispatch
import DocentInterfaces
import Glibc
import Synchronization
import Testing
import Varlink

@testable import Documents

/// Coordinated reading and writing (SEMANTICS 2).
@Suite struct CoordinationTests {
    private let reference = DocumentReference(FakeDaemon.reference)

    private struct Stop: Error {}

    private static func text(_ descriptor: CInt) -> String {
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    /// Runs blocking code on its own thread.
    private static func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "test").async { continuation.resume(with: Result { try work() }) }
        }
    }

    @Test(
        "2.1: a read is one call and one message to end it; its descriptor is open in the accessor and closed after it")
    func reading() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let coordinator = FileCoordinator(client: fake.client(daemon))
        let kept = Mutex<ReadingAccess?>(nil)
        let own = try await coordinator.coordinate(readingItemAt: reference, options: .withoutChanges) { access in
            #expect(Self.text(access.descriptor) == "content 1")
            #expect(access.item.name == "a.txt")
            kept.withLock { $0 = access }
            return try access.openForReading()
        }
        defer { close(own) }
        #expect(await eventually { daemon.log.last == "release" })
        #expect(daemon.log == ["coordinate", "granted", "released", "release"])
        #expect(Self.text(own) == "content 1")
        let access = try #require(kept.withLock { $0 })
        #expect(access.descriptor == -1)
        #expect(throws: DocumentsError.self) { try access.openForReading() }
        let claim = try #require(fake.claims.first)
        #expect(claim.accesses.first?.options == ["withoutChanges"])
        #expect(claim.open == true && claim.within == nil && claim.answering == nil && claim.thread == nil)
        #expect(claim.purpose == coordinator.purposeIdentifier)
    }

    @Test("2.1: synchronous code reads on its own thread")
    func readingBlocking() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let texts = try await Self.blocking { [reference] in
            let coordinator = FileCoordinator(client: client)
            return try (0..<20).map { _ in
                try coordinator.coordinateBlocking(readingItemAt: reference) { Self.text($0.descriptor) }
            }
        }
        #expect(texts == Array(repeating: "content 1", count: 20))
        #expect(await eventually { daemon.log.count { $0 == "release" } == 20 })
        #expect(daemon.log.prefix(5) == ["coordinate", "granted", "released", "release", "coordinate"])
    }

    @Test("2.2: attributes are read without a descriptor")
    func metadata() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let name = try await FileCoordinator(client: fake.client(daemon)).coordinate(
            readingItemAt: reference, options: .immediatelyAvailableMetadataOnly
        ) { access in
            #expect(access.descriptor == -1)
            return access.item.name
        }
        #expect(name == "a.txt")
        #expect(fake.claims.first?.open == nil)
    }

    @Test("2.9: a session that was begun in a write is committed when the accessor returns, within the claim")
    func autocommit() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let kept = Mutex<WriteSession?>(nil)
        try await FileCoordinator(client: fake.client(daemon)).coordinate(
            writingItemAt: reference, options: .forReplacing
        ) { access in
            let session = try await access.session()
            #expect(session.descriptor >= 0 && session.isOpen)
            kept.withLock { $0 = session }
        }
        #expect(await eventually { daemon.log.last == "release" })
        #expect(
            daemon.log == ["coordinate", "granted", "begin replacing in claim", "commit", "released", "release"])
        #expect(kept.withLock { $0?.descriptor } == -1)
    }

    @Test("2.9: a session that was committed or abandoned in the accessor is not committed again")
    func finished() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        try await FileCoordinator(client: fake.client(daemon)).coordinate(writingItemAt: reference) { access in
            try await access.session().commit()
            #expect(access.item?.version == "2")
            try await access.session(replacing: true).abandon()
        }
        #expect(await eventually { daemon.log.last == "release" })
        #expect(
            daemon.log == [
                "coordinate", "granted", "begin in claim", "commit", "begin replacing in claim", "abandon", "released",
                "release",
            ])
    }

    @Test("2.9: an accessor that throws abandons its session, even in a cancelled task", arguments: [false, true])
    func abandoned(isCancelled: Bool) async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let coordinator = FileCoordinator(client: fake.client(daemon))
        let task = Task { [reference] in
            try await coordinator.coordinate(writingItemAt: reference) { access in
                _ = try await access.session()
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                throw Stop()
            }
        }
        await #expect(throws: Stop.self) { try await task.value }
        #expect(await eventually { daemon.log.last == "release" })
        #expect(daemon.log == ["coordinate", "granted", "begin in claim", "abandon", "released", "release"])
    }

    @Test("2.9: synchronous code commits and abandons in the same way", arguments: [false, true])
    func blockingWrite(fails: Bool) async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let outcome = await Task { [reference] in
            try await Self.blocking {
                try FileCoordinator(client: client).coordinateBlocking(writingItemAt: reference) { access in
                    _ = try access.session()
                    if fails { throw Stop() }
                }
            }
        }.result
        let failed = if case .failure = outcome { true } else { false }
        #expect(failed == fails)
        #expect(await eventually { daemon.log.last == "release" })
        #expect(
            daemon.log == [
                "coordinate", "granted", "begin in claim", fails ? "abandon" : "commit", "released", "release",
            ])
    }

    @Test(
        "2.8: cancelling a waiting claim ends it, its accessor is not called, and later calls fail",
        arguments: [false, true])
    func cancel(byTask: Bool) async throws {
        let fake = CoordinationFake()
        fake.set { $0.waits = true }
        let daemon = try fake.daemon()
        let coordinator = FileCoordinator(client: fake.client(daemon))
        let task = Task { [reference] in
            try await coordinator.coordinate(readingItemAt: reference) { _ in daemon.note("accessor") }
        }
        #expect(await eventually { daemon.log.contains("waiting") })
        if byTask { task.cancel() } else { coordinator.cancel() }
        let error = await #expect(throws: DocumentsError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(await eventually { daemon.log.contains("cancelled") })
        fake.set { $0.waits = false }
        let later = Task { [reference] in try await coordinator.coordinate(readingItemAt: reference) { _ in } }
        if byTask {
            try await later.value
        } else {
            let error = await #expect(throws: DocumentsError.self) { try await later.value }
            #expect(error?.code == .cancelled)
            #expect(daemon.log.count { $0 == "coordinate" } == 1)
        }
        #expect(!daemon.log.contains("accessor"))
    }

    @Test("2.8: cancelling does not interrupt a running accessor, which keeps its claim")
    func cancelRunning() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let coordinator = FileCoordinator(client: fake.client(daemon))
        try await coordinator.coordinate(writingItemAt: reference) { access in
            coordinator.cancel()
            _ = try await access.session()
        }
        #expect(await eventually { daemon.log.last == "release" })
        #expect(daemon.log == ["coordinate", "granted", "begin in claim", "commit", "released", "release"])
    }

    @Test("2.9: a write within the same coordinator's write of one item is refused before anything is sent")
    func misuse() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let coordinator = FileCoordinator(client: client)
        let place = DocumentPlace(reference)
        try await coordinator.coordinate(writingItemAt: reference) { _ in
            let error = await #expect(throws: DocumentsError.self) {
                try await coordinator.coordinate(writingItemAt: self.reference) { _ in }
            }
            #expect(error?.code == .invalidArgument)
            #expect(fake.claims.count == 1)
            try await coordinator.coordinate(readingItemAt: self.reference) { _ in }
            try await FileCoordinator(client: client).coordinate(writingItemAt: place) { _ in }
        }
        #expect(fake.claims.count == 3)
        // Within two at once it is allowed, and also once the first has ended.
        try await coordinator.coordinate(readingItemAt: reference, options: [], writingItemAt: place) { _, _ in
            try await coordinator.coordinate(writingItemAt: place) { _ in }
        }
        let other = DocumentPlace(name: "b", in: reference)
        try await coordinator.coordinate(writingItemAt: place, options: [], writingItemAt: other) { _, second in
            #expect(second.item == nil)
            try await coordinator.coordinate(writingItemAt: place) { _ in }
        }
        #expect(fake.claims.count == 7)
    }

    @Test("2.9: a claim names the accesses that it is made in, while they last")
    func within() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let late = try await FileCoordinator(client: client).coordinate(writingItemAt: reference) { _ in
            try await FileCoordinator(client: client).coordinate(readingItemAt: self.reference) { _ in
                try await FileCoordinator(client: client).coordinate(readingItemAt: self.reference) { _ in }
            }
            return Task { [reference] in
                while !daemon.log.contains("go") { try await Task.sleep(for: .milliseconds(2)) }
                try await FileCoordinator(client: client).coordinate(readingItemAt: reference) { _ in }
            }
        }
        daemon.note("go")
        try await late.value
        let claims = fake.claims
        let first = try #require(claims.first)
        #expect(claims.count == 4)
        #expect(claims.map(\.within) == [nil, [first.operation], [first.operation, claims[1].operation], nil])
    }

    @Test("2.7: a purpose is set once, not empty, before the first use, and not with a presenter")
    func purpose() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let client = fake.client(daemon)
        let coordinator = FileCoordinator(client: client)
        #expect(throws: DocumentsError.self) { try coordinator.setPurposeIdentifier("") }
        try coordinator.setPurposeIdentifier("org.example.sync")
        #expect(throws: DocumentsError.self) { try coordinator.setPurposeIdentifier("org.example.other") }
        coordinator.deadline = .milliseconds(1500)
        try await coordinator.coordinate(readingItemAt: reference) { _ in }
        #expect(fake.claims.first?.purpose == "org.example.sync")
        #expect(fake.claims.first?.deadline == 1.5)
        let used = FileCoordinator(client: client)
        #expect(used.purposeIdentifier != coordinator.purposeIdentifier)
        try await used.coordinate(readingItemAt: reference) { _ in }
        #expect(throws: DocumentsError.self) { try used.setPurposeIdentifier("org.example.late") }
    }

    @Test("I2: several items are one claim with the accesses in the order of the intents, each with its content")
    func intents() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let intents: [FileAccessIntent] = [
            .writing(DocumentPlace(name: "new", in: reference), options: .forReplacing),
            .reading(reference, options: .immediatelyAvailableMetadataOnly), .reading(reference), .reading(reference),
        ]
        try await FileCoordinator(client: fake.client(daemon)).coordinate(with: intents) { accesses in
            let descriptors = accesses.map { access in
                if case .reading(let reading) = access { reading.descriptor } else { CInt(-2) }
            }
            #expect(descriptors.prefix(2) == [-2, -1])
            #expect(Self.text(descriptors[2]) == "content 1")
            #expect(Self.text(descriptors[3]) == "opened id-1")
            #expect(accesses.map { $0.item == nil } == [true, false, false, false])
        }
        #expect(fake.claims.first?.accesses.map(\.writing) == [false, false, true, false])
    }

    @Test("2.6: prepare refuses invalid options; otherwise it holds the claim during the accessor, and opens nothing")
    func prepare() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let coordinator = FileCoordinator(client: fake.client(daemon))
        await #expect(throws: DocumentsError.self) {
            try await coordinator.prepare(forReadingItemsAt: [reference], options: .resolvesSymbolicLink) {}
        }
        await #expect(throws: DocumentsError.self) {
            try await coordinator.prepare(
                forReadingItemsAt: [], options: [], writingItemsAt: [DocumentPlace(reference)], options: .forReplacing
            ) {}
        }
        #expect(fake.claims.isEmpty)
        try await coordinator.prepare(
            forReadingItemsAt: [reference], options: [], writingItemsAt: [DocumentPlace(reference)]
        ) {
            try await coordinator.coordinate(readingItemAt: reference, options: .withoutChanges) { _ in }
        }
        #expect(fake.claims.map(\.prepares) == [true, nil])
        #expect(fake.claims.map(\.open) == [nil, true])
        #expect(fake.claims.last?.within == fake.claims.first.map { [$0.operation] })
    }

    @Test("2.5: a move goes through the claim; reporting a move outside of a write is an error")
    func moves() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        let coordinator = FileCoordinator(client: fake.client(daemon))
        let other = DocumentReference(provider: "org.example.Cloud", domain: "work", identifier: "id-2")
        let error = await #expect(throws: DocumentsError.self) {
            try await coordinator.item(at: reference, didMoveTo: other)
        }
        #expect(error?.code == .invalidArgument)
        coordinator.item(at: reference, willMoveTo: other)
        try await coordinator.coordinate(writingItemAt: reference, options: .forMoving) { access in
            try await access.move(name: "b.txt")
            try await coordinator.item(at: self.reference, didMoveTo: other)
            try await coordinator.item(at: other, didMoveTo: other)
        }
        #expect(await eventually { daemon.log.last == "release" })
        #expect(
            daemon.log == [
                "coordinate", "granted", "move to b.txt in claim", "didMove to id-2", "released", "release",
            ])
    }

    @Test("The accessor runs in its caller's isolation")
    @MainActor func isolation() async throws {
        let fake = CoordinationFake()
        let daemon = try fake.daemon()
        var count = 0
        try await FileCoordinator(client: fake.client(daemon)).coordinate(readingItemAt: reference) { _ in
            MainActor.assertIsolated()
            count += 1
        }
        #expect(count == 1)
    }
}
