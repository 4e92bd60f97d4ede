import DocentInterfaces
import Foundation
import Rights
import Synchronization
import Testing

@testable import HostCore
@testable import HostServices
@testable import Varlink

/// Requests that wait for the user, and their answers (I1, law 5).
@Suite struct PickBrokerTests {
    private static let location = Wire.Location(provider: "LocalFolder", domain: "", path: "/a.txt")

    private static func session(_ client: String = "org.example.Boxed", _ number: UInt64 = 1) -> Session {
        Session(
            principal: Principal(kind: .run, identifier: client), executable: nil,
            lifeline: ConnectionIdentifier(rawValue: number))
    }

    private static func question(_ operation: String = "one") throws -> PickQuestion {
        try PickQuestion(.init(mode: "open", operation: operation))
    }

    private static let item = Wire.Item(
        reference: .init(provider: "org.docent.LocalFolder", domain: "", identifier: "1"), name: "a.txt",
        contentType: "public.text", isFolder: false, isDownloaded: true, isUploaded: true)

    private static func ask(
        _ broker: PickBroker, _ session: Session,
        _ perform: @escaping @Sendable (PickAnswer, Int) async throws -> PickOutcome
    ) -> Task<PickOutcome, any Error> {
        Task {
            try await broker.ask(session, try question(), size: nil) {
            } wait: {
                try await $0()
            } perform: {
                try await perform($0, $1)
            }
        }
    }

    private static func asked(_ broker: PickBroker, _ count: Int = 1) async throws -> [Wire.PickRequest] {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let requests = await broker.requests()
            if requests.count == count { return requests }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Failure(.failed, "There never were \(count) requests.")
    }

    private static func code(_ task: Task<PickOutcome, any Error>) async -> FailureCode? {
        do {
            _ = try await task.value
            return nil
        } catch { return FailureMapping.failure(error).code }
    }

    @Test("I1: a request without a listener is refused at once, and the error says what to do")
    func nobody() async throws {
        let broker = PickBroker()
        let task = Self.ask(broker, Self.session()) { _, _ in PickOutcome(item: Self.item) }
        await #expect { try await task.value } throws: { error in
            (error as? Failure)?.code == .notPermitted
                && (error as? Failure)?.suggestion?.contains("docent run") == true
        }
    }

    @Test("I1: a listener for another client or another kind does not count")
    func otherListener() async throws {
        let broker = PickBroker()
        let other = await broker.listen(client: "org.example.Other")
        let kind = await broker.listen(client: "org.example.Boxed", kind: "flatpak")
        let task = Self.ask(broker, Self.session()) { _, _ in PickOutcome(item: Self.item) }
        #expect(await Self.code(task) == .notPermitted)
        withExtendedLifetime((other, kind)) {}
    }

    @Test("I1: an answer is performed for the client that asked, and both sides get the outcome")
    func answered() async throws {
        let broker = PickBroker()
        let listener = await broker.listen(client: "org.example.Boxed", kind: "run")
        let task = Self.ask(broker, Self.session()) { answer, number in
            #expect(answer.location == Self.location)
            #expect(number == 1)
            return PickOutcome(item: Self.item, access: .read)
        }
        let request = try #require(try await Self.asked(broker).first)
        #expect(request.client == "org.example.Boxed")
        #expect(request.strength == "enforced")
        try await broker.answer(.init(identifier: request.identifier, location: Self.location))
        #expect(try await task.value.access == .read)
        _ = try await Self.asked(broker, 0)
        await #expect(throws: Failure.self) {
            try await broker.answer(.init(identifier: request.identifier, location: Self.location))
        }
        withExtendedLifetime(listener) {}
    }

    @Test("I1: a wrong answer is reported to the listener that gave it, and the request keeps waiting")
    func wrongAnswer() async throws {
        let broker = PickBroker()
        let listener = await broker.listen()
        let task = Self.ask(broker, Self.session()) { _, number in
            guard number == 2 else { throw Failure(.notFound, "There is no such document.") }
            return PickOutcome(item: Self.item)
        }
        let request = try #require(try await Self.asked(broker).first)
        await #expect {
            try await broker.answer(.init(identifier: request.identifier, location: Self.location))
        } throws: { ($0 as? Failure)?.code == .notFound }
        #expect(try await Self.asked(broker).first?.identifier == request.identifier)
        try await broker.answer(.init(identifier: request.identifier, location: Self.location))
        #expect(try await task.value.item.name == "a.txt")
        withExtendedLifetime(listener) {}
    }

    @Test("I1: a refusal ends the request")
    func refused() async throws {
        let broker = PickBroker()
        let listener = await broker.listen()
        let task = Self.ask(broker, Self.session()) { _, _ in PickOutcome(item: Self.item) }
        let request = try #require(try await Self.asked(broker).first)
        try await broker.answer(.init(identifier: request.identifier))
        #expect(await Self.code(task) == .notPermitted)
        withExtendedLifetime(listener) {}
    }

    @Test("T4: four requests of a client wait, and the next is refused; another client's requests are not")
    func four() async throws {
        let broker = PickBroker()
        let listener = await broker.listen()
        let session = Self.session()
        let tasks = (1...4).map { _ in Self.ask(broker, session) { _, _ in PickOutcome(item: Self.item) } }
        _ = try await Self.asked(broker, 4)
        let fifth = Self.ask(broker, Self.session("org.example.Boxed", 2)) { _, _ in PickOutcome(item: Self.item) }
        #expect(await Self.code(fifth) == .unavailable)
        let other = Self.ask(broker, Self.session("org.example.Other", 3)) { _, _ in PickOutcome(item: Self.item) }
        _ = try await Self.asked(broker, 5)
        for task in tasks + [other] { task.cancel() }
        for task in tasks + [other] { _ = await task.result }
        _ = try await Self.asked(broker, 0)
        withExtendedLifetime(listener) {}
    }

    @Test("T3: a request is withdrawn when its task is cancelled or its session ends; a later answer finds no request")
    func takenBack() async throws {
        let broker = PickBroker()
        let listener = await broker.listen()
        let task = Self.ask(broker, Self.session()) { _, _ in PickOutcome(item: Self.item) }
        let request = try #require(try await Self.asked(broker).first)
        task.cancel()
        #expect(await Self.code(task) == .cancelled)
        await #expect {
            try await broker.answer(.init(identifier: request.identifier, location: Self.location))
        } throws: { ($0 as? Failure)?.code == .notFound }
        let session = Self.session("org.example.Ended", 2)
        let ended = Self.ask(broker, session) { _, _ in PickOutcome(item: Self.item) }
        _ = try await Self.asked(broker)
        await broker.sessionEnded(session)
        #expect(await Self.code(ended) == .cancelled)
        withExtendedLifetime(listener) {}
    }

    @Test("I1: when the last listener goes, the waiting requests are refused")
    func listenerGoes() async throws {
        let broker = PickBroker()
        let stream = await broker.listen()
        let listening = Task { for await _ in stream {} }
        let task = Self.ask(broker, Self.session()) { _, _ in PickOutcome(item: Self.item) }
        _ = try await Self.asked(broker)
        listening.cancel()
        #expect(await Self.code(task) == .notPermitted)
    }

    @Test("Law 5: a request without an answer ends, and the error says after what time")
    func overdue() async throws {
        let broker = PickBroker(seconds: 0.2)
        let listener = await broker.listen()
        let task = Self.ask(broker, Self.session()) { _, _ in PickOutcome(item: Self.item) }
        #expect(await Self.code(task) == .deadlineExceeded)
        withExtendedLifetime(listener) {}
    }

    @Test("I1: when two answers come at once, one is performed and the other is a conflict")
    func twice() async throws {
        let broker = PickBroker()
        let listener = await broker.listen()
        let (gate, opened) = AsyncStream.makeStream(of: Void.self)
        let task = Self.ask(broker, Self.session()) { _, _ in
            for await _ in gate { break }
            return PickOutcome(item: Self.item)
        }
        let request = try #require(try await Self.asked(broker).first)
        let first = Task { try await broker.answer(.init(identifier: request.identifier, location: Self.location)) }
        _ = try await Self.asked(broker, 0)
        await #expect {
            try await broker.answer(.init(identifier: request.identifier, location: Self.location))
        } throws: { ($0 as? Failure)?.code == .conflict }
        opened.yield()
        try await first.value
        #expect(try await task.value.item.name == "a.txt")
        withExtendedLifetime(listener) {}
    }
}
