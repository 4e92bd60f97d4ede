import DocentInterfaces
import Varlink

/// What is known of a document or folder, whether or not its content is on this machine.
public struct PromisedItemValues: Sendable, Hashable {
    /// The document or folder.
    public let reference: DocumentReference
    /// The values that are known, of those that were asked for.
    public let values: [PromisedItemKey: PromisedItemValue]
    /// Why nothing is known: `notPermitted`, `notFound`, or `unavailable` if its provider did not answer in time; nil
    /// if something is.
    public let failure: DocumentsError?

    /// The value of a fact; nil if it is not known, or was not asked for.
    public subscript(key: PromisedItemKey) -> PromisedItemValue? { values[key] }
}

extension DocumentsClient {
    // As many as the daemon answers in one call.
    private static let mostInOne = 500

    /// What is known of documents and folders, in their order. Downloads nothing, and works offline for what was listed
    /// before. An unconfined program needs no right to them.
    ///
    /// - Parameters:
    ///   - keys: the facts.
    ///   - references: any number; they are asked for in parts, and cancelling the task ends it between two parts.
    /// - Throws: ``DocumentsError`` if the daemon cannot answer. What fails for one item is its
    ///   ``PromisedItemValues/failure``.
    public func values(
        for keys: Set<PromisedItemKey>, of references: [DocumentReference]
    ) async throws(DocumentsError) -> [PromisedItemValues] {
        var result: [PromisedItemValues] = []
        while result.count < references.count {
            if Task.isCancelled { throw DocumentsError(.cancelled, "The call was cancelled.") }
            let part = references[result.count...].prefix(Self.mostInOne)
            let answers = try await call(DocumentsInterface.Values.self, .init(references: part.map(\.wire))).value
                .values
            guard answers.count == part.count else {
                throw DocumentsError(.failed, "The daemon's answer does not fit the question.")
            }
            for (reference, answer) in zip(part, answers) {
                let item = answer.item.map { DocumentItem($0) }
                var values: [PromisedItemKey: PromisedItemValue] = [:]
                if let item { for key in keys { values[key] = item.value(for: key) } }
                let failure = DocumentsError(
                    Failure(
                        FailureCode(answer.failure ?? FailureCode.failed.rawValue),
                        answer.message ?? "Nothing is known of it."))
                result.append(
                    PromisedItemValues(
                        reference: reference, values: values, failure: item == nil ? failure : nil))
            }
        }
        return result
    }
}
