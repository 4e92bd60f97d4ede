import DocentInterfaces
import ExtensionHosting
import ExtensionManifest
package import HostCore
import Rights
package import Saving
package import Storage

/// Performs the user's answer on behalf of the client that asked.
package struct PickPerformer: Sendable {
    private let picker: PickerService
    private let writes: WriteService

    package init(picker: PickerService, writes: WriteService) {
        self.picker = picker
        self.writes = writes
    }

    /// Performs an answer.
    ///
    /// - Parameters:
    ///   - number: the number of the answer. If an earlier answer was recorded, this one gets an operation of its own,
    ///     because it may concern another place.
    /// - Throws: ``Failure``, for the answering program.
    package func perform(
        _ session: Session, _ question: PickQuestion, _ answer: PickAnswer, source: OpenDescriptor?, number: Int
    ) async throws -> PickOutcome {
        var outcome: PickOutcome
        switch question.mode {
        case .import:
            let copy = try await writes.cancellable(question.operation, session) { [picker] in
                try await picker.pickImport(session, answer.location, types: question.types)
            }
            outcome = PickOutcome(item: copy.item, file: copy.file)
        case .open:
            let offer = try offer(question, answer, .open)
            let opened = try await writes.cancellable(question.operation, session) { [picker] in
                try await picker.pickOpen(session, answer.location, types: question.types, offer: offer)
            }
            outcome = PickOutcome(item: opened.item, access: opened.access)
        case .exportToService:
            let original = try original(question, answer, source)
            let item = try await asOperation(session, question, number) { [picker] operation in
                try await picker.pickExport(session, answer.location, original, operation: operation)
            }
            outcome = PickOutcome(item: item.result)
        case .moveToService:
            let offer = try offer(question, answer, .move)
            let original = try original(question, answer, source)
            let moved = try await asOperation(session, question, number) { [picker] operation in
                try await picker.pickMove(session, answer.location, original, operation: operation, offer: offer).item
            }
            outcome = PickOutcome(
                item: moved.result, access: offer.access,
                operation: moved.operation == question.operation ? nil : moved.operation)
        }
        // A confined program does not learn where the user keeps things.
        if session.principal.isConfined { outcome.item.path = nil }
        return outcome
    }

    private func offer(
        _ question: PickQuestion, _ answer: PickAnswer, _ origin: Grant.Origin
    ) throws(Failure) -> GrantOffer {
        var offer = try GrantTerms.offer(
            question.access(allowed: answer.access).rawValue, origin, persist: answer.persist, expires: answer.expires,
            companions: answer.companions)
        offer.isPersistable = answer.persist != false
        return offer
    }

    private func original(
        _ question: PickQuestion, _ answer: PickAnswer, _ source: OpenDescriptor?
    ) throws(Failure) -> PickerDriver.Original {
        guard let source, let name = answer.name ?? question.name else {
            throw Failure(.invalidArgument, "There is nothing to \(question.mode.shortName).")
        }
        return PickerDriver.Original(descriptor: source, name: name, contentType: question.contentType)
    }

    // The client cancels its own operation, whatever name the performed operation has.
    private func asOperation<Result: Sendable>(
        _ session: Session, _ question: PickQuestion, _ number: Int,
        _ body: @escaping @Sendable (_ operation: String) async throws -> Result
    ) async throws -> (result: Result, operation: String) {
        guard number > 1 else { return (try await body(question.operation), question.operation) }
        let operation = try await writes.unusedName(session, question.operation)
        guard operation != question.operation else { return (try await body(operation), operation) }
        return (
            try await writes.cancellable(question.operation, session) { try await body(operation) }, operation
        )
    }
}
