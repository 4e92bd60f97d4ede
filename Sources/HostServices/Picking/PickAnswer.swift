package import DocentInterfaces
package import Rights
package import Storage

/// What the user answered to a request. Pure.
package struct PickAnswer: Sendable {
    /// The document, or the folder for export and move.
    package let location: Wire.Location
    /// What is granted; nil is what was asked for.
    package let access: AccessLevel?
    /// Under which it is exported or moved; nil is what the client said.
    package let name: String?
    /// Whether the right persists: true at once, nil when the client takes it, false never.
    package let persist: Bool?
    /// Seconds after which the right ends; nil is never.
    package let expires: Double?
    /// The companions that are granted, of those asked for.
    package let companions: [String]

    /// Reads an answer to a question.
    ///
    /// - Returns: nil for a refusal.
    /// - Throws: ``Failure`` `InvalidArgument` for what was not asked for, or cannot be.
    package static func make(
        _ parameters: AdministrationInterface.AnswerPick.Parameters, to question: PickQuestion
    ) throws(Failure) -> PickAnswer? {
        guard let location = parameters.location else { return nil }
        var access: AccessLevel?
        if let text = parameters.access {
            access = AccessLevel(rawValue: text)
            guard access != nil else {
                throw Failure(.invalidArgument, "\"\(text)\" is no access.", suggestion: "It is read or readWrite.")
            }
        }
        let companions = parameters.companions ?? []
        if let other = companions.first(where: { !question.companions.contains($0) }) {
            throw Failure(
                .invalidArgument, "The client did not ask for the companions \"\(other)\".",
                suggestion: question.companions.isEmpty
                    ? "It asked for none." : "It asked for \(question.companions.joined(separator: ", ")).")
        }
        _ = try GrantTerms.end(parameters.expires)
        return PickAnswer(
            location: location, access: access, name: parameters.name, persist: parameters.persist,
            expires: parameters.expires, companions: companions)
    }
}

/// What became of a request.
package struct PickOutcome: Sendable {
    /// What was chosen, copied or made.
    package var item: Wire.Item
    /// What was granted, if anything was.
    package var access: AccessLevel?
    /// The copy of an import.
    package var file: OpenDescriptor?
    /// The operation that a move is on record as, where it is not the client's.
    package var operation: String?
}
