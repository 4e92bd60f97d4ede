import CommandConsole
package import DocentInterfaces
package import Documents
import Glibc
import Synchronization

/// Answers a provider's questions during sign-in: with the answers from the command line, each used once, otherwise by
/// asking. Thread-safe.
package final class LoginQuestions: Sendable {
    private struct State {
        var given: [String: String]
        var files: [String: String]
        var unanswered: [Wire.SignInField] = []
        var wasDeclined = false
    }

    private let account: AccountName
    private let source: SecretSource
    private let home: String?
    private let automatic: (@Sendable (Wire.SignInField) -> String?)?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - given: answers by key, none of them secret.
    ///   - files: the paths of files with answers, by key.
    ///   - source: whom or what to ask for the others.
    ///   - automatic: answers in place of a person; nil where a person is asked.
    package init(
        account: AccountName, given: [String: String], files: [String: String], source: SecretSource, home: String?,
        automatic: (@Sendable (Wire.SignInField) -> String?)? = nil
    ) {
        self.automatic = automatic
        self.account = account
        self.source = source
        self.home = home
        state = Mutex(State(given: given, files: files))
    }

    /// The answer to a question; nil if there is no one to ask. Blocks.
    ///
    /// - Throws: ``DocumentsError``: `invalidArgument` for a prepared answer that the question does not accept,
    ///   `cancelled` if the person cancels.
    package func answer(_ field: Wire.SignInField) throws -> String? {
        let answer = try automatic?(field) ?? prepared(field) ?? ask(field)
        state.withLock { state in
            if answer == nil { state.unanswered.append(field) }
            if field.kind == "confirm", answer == "no" { state.wasDeclined = true }
        }
        return answer
    }

    /// Whether a question was answered with no. The sign-in is then not repeated.
    package var wasDeclined: Bool { state.withLock { $0.wasDeclined } }

    /// A refusal with advice, if a question was left unanswered because there was no one to ask; other errors
    /// unchanged.
    package func explain(_ error: DocumentsError) -> DocumentsError {
        let open = state.withLock { $0.unanswered }
        guard error.code == .notAuthenticated, !open.isEmpty else { return error }
        let options = open.map { field in
            "\"\(SafeText.escaped(field.label))\" (\(FormText.option(field)))"
        }
        return DocumentsError(
            error.code, error.message,
            suggestion:
                "There is no terminal to ask on, and the provider asked: \(options.joined(separator: ", ")). Answer "
                + "with these options or with --askpass, or sign in on a terminal.")
    }

    private func prepared(_ field: Wire.SignInField) throws -> String? {
        if let path = state.withLock({ $0.files.removeValue(forKey: field.key) }) {
            return try checked(AnswerFile.text(path, for: field, home: home), field)
        }
        guard let value = state.withLock({ $0.given.removeValue(forKey: field.key) }) else { return nil }
        guard !FormAnswers.isSecret(field) else { throw FormAnswers.secretArgument(field) }
        return try checked(value, field)
    }

    private func ask(_ field: Wire.SignInField) throws -> String? {
        switch source {
        case .nowhere, .descriptor: return nil
        case .standardInput:
            guard field.isMultiline != true, let line = try SecretPrompt.line() else { return nil }
            return try checked(line, field)
        case .askpass(let program):
            return try checked(Askpass(program: program).ask(QuestionText.askpass(field, account)), field)
        case .terminal:
            // What was typed before the question was shown is not an answer to it.
            tcflush(STDIN_FILENO, TCIFLUSH)
            StandardError.write(QuestionText.heading(field, account))
            var bare = field
            bare.help = nil
            guard FormAnswers.isSecret(field) else {
                return try FormConversation.ask(bare, standard: field.value, home: home)
            }
            return try checked(SecretSource.typed(bare, home: home), field)
        }
    }

    private func checked(_ text: String, _ field: Wire.SignInField) throws(DocumentsError) -> String {
        let given = text.isEmpty && !FormAnswers.isSecret(field) ? field.value ?? "" : text
        let value = field.kind == "confirm" ? FormConversation.confirmation(given) ?? given : given
        if let problem = FormAnswers.problem(value, field) { throw DocumentsError(.invalidArgument, problem) }
        return value
    }
}
