package import DocentInterfaces
import FoundationEssentials

/// A question that an extension asks while the user signs in. It is trusted only as far as it is checked here. Pure.
package struct SignInQuestion: Sendable {
    /// The most questions in one attempt.
    package static let maximum = 16
    /// How long the user has, in seconds: by default, and at most.
    static let patience = (standard: 300.0, longest: 900.0)

    /// The question.
    package let field: Wire.SignInField
    /// The question's number within the attempt.
    package let number: Int
    /// How long the user has.
    package let patience: Duration
    /// The step as sent to a client.
    package let step: Wire.SignInStep

    private static let kinds: Set<String> = ["text", "url", "secret", "choice", "confirm"]

    /// Reads a step.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Throws: ``Failure`` `ProviderFailed` for an invalid question, or one that is too long to read.
    package init(_ step: Wire.SignInStep, of provider: String, now: Double) throws(Failure) {
        guard let field = step.question, let number = step.number, Self.isGood(field) else {
            throw Failure(
                .providerFailed, "\(provider) asked an invalid question.", suggestion: "Report this to its authors.",
                provider: provider)
        }
        self.field = field
        self.number = number
        let left = step.expires.map { $0 - now } ?? Self.patience.standard
        let seconds = left.isFinite ? max(1, min(left, Self.patience.longest)) : Self.patience.standard
        patience = .seconds(seconds)
        var clean = field
        if field.kind == "secret" { clean.value = nil }
        self.step = Wire.SignInStep(kind: "question", expires: now + seconds, question: clean, number: number)
    }

    /// Whether a key can name an answer, which is passed like a setting.
    static func isKey(_ key: String) -> Bool {
        (1...64).contains(key.utf8.count)
            && key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "=") }
    }

    private static func isGood(_ field: Wire.SignInField) -> Bool {
        let choices = field.choices ?? []
        let texts = choices.map { $0.value.utf8.count + $0.label.utf8.count }.reduce(0, +)
        return isKey(field.key) && kinds.contains(field.kind) && (1...1024).contains(field.label.utf8.count)
            && field.help?.utf8.count ?? 0 <= 4096 && field.value?.utf8.count ?? 0 <= 4096
            && choices.count <= 64 && texts <= 16 * 1024 && (field.kind == "choice") == !choices.isEmpty
    }

    /// Checks that an answer is valid for the question.
    ///
    /// - Throws: ``Failure`` `InvalidArgument`, whose text does not contain the answer.
    package func check(_ answer: String) throws(Failure) {
        guard answer.utf8.count <= CredentialSource.limit, !answer.utf8.contains(0) else {
            throw Failure(.invalidArgument, "The answer to \(field.label) is too long or is not text.")
        }
        if answer.isEmpty {
            guard field.isOptional == true else { throw Failure(.invalidArgument, "\(field.label) is missing.") }
            return
        }
        let known = field.kind == "confirm" ? ["yes", "no"] : field.choices?.map(\.value) ?? []
        guard known.isEmpty || known.contains(where: { $0.utf8.elementsEqual(answer.utf8) }) else {
            throw Failure(.invalidArgument, "The answer to \(field.label) must be one of the choices offered.")
        }
    }
}
