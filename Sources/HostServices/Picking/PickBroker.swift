package import DocentInterfaces
import ExtensionHosting
import ExtensionManifest
import Foundation
package import HostCore
import Rights
import Varlink

/// Passes clients' requests for a choice to the programs that ask the user, and the answers back (I1).
///
/// A request waits until it is answered, its client has gone, no program is left that could answer, or its time is over
/// (law 5).
package actor PickBroker {
    private struct Waiting {
        var request: Wire.PickRequest
        var question: PickQuestion
        var session: Session
        var given: PickAnswer?
        var isBeingAnswered = false
        var isOver = false
        var failure: (any Error)?
        var client: CheckedContinuation<PickAnswer, any Error>?
        var answerer: CheckedContinuation<Void, any Error>?
        var clock: Task<Void, Never>?
    }

    private struct Listener {
        var client: String?
        var kind: String?
        var updates: AsyncStream<[Wire.PickRequest]>.Continuation

        func hears(_ request: Wire.PickRequest) -> Bool {
            (client == nil || client == request.client) && (kind == nil || kind == request.clientKind)
        }
    }

    private let seconds: Double
    private let clock: any HostClock
    private var waiting: [String: Waiting] = [:]
    private var shares = PrincipalShares(PrincipalLimits.picks)
    private var order: [String] = []
    private var listeners: [Int: Listener] = [:]
    private var lastListener = 0

    /// - Parameter seconds: how long a request waits.
    package init(seconds: Double = 600, clock: any HostClock = SystemClock()) {
        self.seconds = seconds
        self.clock = clock
    }

    // MARK: Clients

    /// Asks the user, and performs answers until one succeeds.
    ///
    /// - Parameters:
    ///   - size: the bytes to export or move.
    ///   - asked: called once the request was passed on.
    ///   - wait: runs the wait, so that the client can cancel it by its operation.
    ///   - perform: performs an answer, numbered from 1. Its error is returned to the answering program, which may
    ///     answer again.
    /// - Throws: ``Failure`` `NotPermitted` if no program can ask the user or the user refused, `DeadlineExceeded`,
    ///   `Unavailable` if too many requests are waiting; `CancellationError`.
    package func ask(
        _ session: Session, _ question: PickQuestion, size: Int?,
        asked: @Sendable () async throws -> Void,
        wait: @Sendable (@escaping @Sendable () async throws -> PickAnswer) async throws -> PickAnswer,
        perform: @Sendable (PickAnswer, Int) async throws -> PickOutcome
    ) async throws -> PickOutcome {
        let identifier = try begin(session, question, size)
        defer { end(identifier) }
        try await asked()
        for number in 1... {
            let answer = try await wait { try await self.answer(of: identifier) }
            do {
                guard !session.hasEnded else { throw CancellationError() }
                let outcome = try await perform(answer, number)
                performed(identifier)
                return outcome
            } catch {
                failed(identifier, error)
                if Self.isCancellation(error) || Task.isCancelled { throw CancellationError() }
            }
        }
        throw CancellationError()
    }

    /// Cancels the requests of a session that has ended.
    package func sessionEnded(_ session: Session) {
        for (identifier, entry) in waiting where entry.session === session { fail(identifier, CancellationError()) }
    }

    private func begin(_ session: Session, _ question: PickQuestion, _ size: Int?) throws -> String {
        let principal = session.principal
        let request = Wire.PickRequest(
            identifier: UUID().uuidString, clientKind: principal.kind.rawValue, client: principal.identifier,
            strength: principal.strength.rawValue, process: session.process, executable: session.executable,
            mode: question.mode.shortName, types: question.types,
            access: question.mode == .open || question.mode == .moveToService ? question.access.rawValue : nil,
            companions: question.companions.isEmpty ? nil : question.companions,
            name: ClientWords.shown(question.name, limit: 255), size: size, reason: question.reason,
            since: clock.date.timeIntervalSince1970)
        guard listeners.values.contains(where: { $0.hears(request) }) else { throw Self.nobody }
        if let refusal = shares.take(1, for: principal.shareHolder) {
            throw refusal.failure(
                principal.shareHolder, "requests waiting for the user",
                suggestion: "Wait until one of them has been answered.")
        }
        let identifier = request.identifier
        var entry = Waiting(request: request, question: question, session: session)
        let limit = seconds
        entry.clock = Task { [weak self, clock] in
            try? await clock.sleep(for: .seconds(limit))
            guard !Task.isCancelled else { return }
            await self?.timeIsOver(identifier)
        }
        waiting[identifier] = entry
        order.append(identifier)
        tell()
        return identifier
    }

    private func answer(of identifier: String) async throws -> PickAnswer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard let entry = waiting[identifier] else {
                    return continuation.resume(throwing: CancellationError())
                }
                if let failure = entry.failure { return continuation.resume(throwing: failure) }
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                if let given = entry.given {
                    waiting[identifier]?.given = nil
                    return continuation.resume(returning: given)
                }
                waiting[identifier]?.client = continuation
            }
        } onCancel: {
            Task { await self.fail(identifier, CancellationError()) }
        }
    }

    private func performed(_ identifier: String) {
        waiting[identifier]?.answerer?.resume()
        waiting[identifier]?.answerer = nil
    }

    private func failed(_ identifier: String, _ error: any Error) {
        guard let entry = waiting[identifier] else { return }
        waiting[identifier]?.isBeingAnswered = false
        waiting[identifier]?.answerer = nil
        entry.answerer?.resume(throwing: Self.isCancellation(error) ? Self.gone : error)
        if entry.isOver { return fail(identifier, overdue) }
        refuseUnheard()
        tell()
    }

    // Waiting for a claim also ends with its own `Cancelled` failure when it is cancelled.
    private static func isCancellation(_ error: any Error) -> Bool { FailureMapping.failure(error).code == .cancelled }

    private func timeIsOver(_ identifier: String) {
        // A request that is just being answered may finish.
        guard waiting[identifier]?.isBeingAnswered == true else { return fail(identifier, overdue) }
        waiting[identifier]?.isOver = true
    }

    private func fail(_ identifier: String, _ error: any Error) {
        guard let entry = waiting[identifier], entry.failure == nil else { return }
        waiting[identifier]?.failure = error
        waiting[identifier]?.client = nil
        entry.client?.resume(throwing: error)
        tell()
    }

    private func end(_ identifier: String) {
        let entry = waiting.removeValue(forKey: identifier)
        if let entry { shares.give(1, of: entry.session.principal.shareHolder) }
        order.removeAll { $0 == identifier }
        entry?.clock?.cancel()
        entry?.client?.resume(throwing: CancellationError())
        entry?.answerer?.resume(throwing: Self.gone)
        tell()
    }

    // MARK: Programs that ask the user

    /// The waiting requests of one client or of all, oldest first.
    package func requests(client: String? = nil, kind: String? = nil) -> [Wire.PickRequest] {
        let (_, updates) = AsyncStream.makeStream(of: [Wire.PickRequest].self)
        return heard(by: Listener(client: client, kind: kind, updates: updates))
    }

    /// The waiting requests, sent again whenever they change. Clients can make requests while the stream is read.
    package func listen(client: String? = nil, kind: String? = nil) -> AsyncStream<[Wire.PickRequest]> {
        let (stream, updates) = AsyncStream.makeStream(
            of: [Wire.PickRequest].self, bufferingPolicy: .bufferingNewest(1))
        lastListener += 1
        let number = lastListener
        let listener = Listener(client: client, kind: kind, updates: updates)
        listeners[number] = listener
        updates.onTermination = { _ in Task { await self.stopListening(number) } }
        updates.yield(heard(by: listener))
        return stream
    }

    /// Answers a request; returns when the answer was performed.
    ///
    /// - Throws: ``Failure`` `NotFound` if the request is no longer waiting, `Conflict` if another program is answering
    ///   it, or the reason why the answer could not be performed; the request is then still waiting.
    package func answer(_ parameters: AdministrationInterface.AnswerPick.Parameters) async throws {
        let identifier = parameters.identifier
        guard let entry = waiting[identifier], entry.failure == nil else { throw Self.gone }
        guard !entry.isBeingAnswered else {
            throw Failure(
                .conflict, "This request is already being answered.", suggestion: "`docent picks` shows what is left.")
        }
        guard let answer = try PickAnswer.make(parameters, to: entry.question) else {
            return fail(
                identifier,
                Failure(.notPermitted, "The user refused.", suggestion: "Ask again only if the user wants it."))
        }
        waiting[identifier]?.isBeingAnswered = true
        tell()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            waiting[identifier]?.answerer = continuation
            if let client = waiting[identifier]?.client {
                waiting[identifier]?.client = nil
                client.resume(returning: answer)
            } else {
                waiting[identifier]?.given = answer
            }
        }
    }

    private func stopListening(_ number: Int) {
        listeners[number] = nil
        refuseUnheard()
    }

    private func refuseUnheard() {
        for (identifier, entry) in waiting
        where !entry.isBeingAnswered && !listeners.values.contains(where: { $0.hears(entry.request) }) {
            fail(identifier, Self.nobody)
        }
    }

    private func heard(by listener: Listener) -> [Wire.PickRequest] {
        order.compactMap { waiting[$0] }.filter {
            $0.failure == nil && !$0.isBeingAnswered && listener.hears($0.request)
        }.map(\.request)
    }

    private func tell() { for listener in listeners.values { listener.updates.yield(heard(by: listener)) } }

    // MARK: Texts

    private static let nobody = Failure(
        .notPermitted, "No program is running that could ask the user.",
        suggestion: "Start the program with docent run in a terminal, or keep docent picks --watch open.")

    private static let gone = Failure(
        .notFound, "There is no such request any more.", suggestion: "`docent picks` lists the waiting ones.")

    private var overdue: Failure {
        let time = seconds >= 120 ? "\(Int(seconds / 60)) minutes" : "\(Int(seconds)) seconds"
        return Failure(
            .deadlineExceeded, "Nobody answered within \(time).", suggestion: "Ask again when the user is there.")
    }
}
