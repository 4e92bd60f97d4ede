package import DocentInterfaces
package import Rights
package import Storage

/// The user's answer to a request. Pure.
package struct PickAnswer: Sendable {
    /// The document, or the folder for export and move.
    package let location: Wire.Location
    /// The granted access; nil is the requested one.
    package let access: AccessLevel?
    /// The name for the export or move; nil is the client's.
    package let name: String?
    /// Whether the right persists: true immediately, nil if the client takes it, false never.
    package let persist: Bool?
    /// Seconds until the right expires; nil is never.
    package let expires: Double?
    /// The granted companions, out of those requested.
    package let companions: [String]

    /// Parses an answer to a question.
    ///
    /// - Returns: nil for a refusal.
    /// - Throws: ``Failure`` `InvalidArgument` for an answer that was not asked for or is impossible.
    package static func make(
        _ parameters: AdministrationInterface.AnswerPick.Parameters, to question: PickQuestion
    ) throws(Failure) -> PickAnswer? {
        guard let location = parameters.location else { return nil }
        var access: AccessLevel?
        if let text = parameters.access {
            access = AccessLevel(rawValue: text)
            guard access != nil else {
                throw Failure(.invalidArgument, "\"\(text)\" is not an access.", suggestion: "Use read or readWrite.")
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

/// The result of a request.
package struct PickOutcome: Sendable {
    /// The item that was chosen, copied or created.
    package var item: Wire.Item
    /// The granted access, if there is any.
    package var access: AccessLevel?
    /// The copy that an import made.
    package var file: OpenDescriptor?
    /// The operation that a move is recorded as, if it is not the client's.
    package var operation: String?
}
