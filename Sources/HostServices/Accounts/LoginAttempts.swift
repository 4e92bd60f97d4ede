import DocentInterfaces
import ExtensionHosting
import FoundationEssentials
import RemoteDocuments
import Synchronization

/// The extensions that run the current login attempts. Browser redirects and a person's answers are delivered to them.
/// Thread-safe.
package final class LoginAttempts: Sendable {
    private struct Attempt {
        let connection: ExtensionConnection
        let watch: ProgressWatch
        /// The questions that wait for an answer, by number.
        var questions: [Int: SignInQuestion] = [:]
        /// The numbers of all questions so far.
        var asked: Set<Int> = []
    }

    private let running = Mutex<[String: Attempt]>([:])

    package init() {}

    /// Runs an attempt under the name that its client gave it.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for a name that is invalid or in use; what the body throws.
    func run<Result>(
        _ name: String, _ connection: ExtensionConnection, _ watch: ProgressWatch, _ body: () async throws -> Result
    ) async throws -> Result {
        let isFree = running.withLock { running in
            guard !name.isEmpty, name.utf8.count <= 128, running[name] == nil else { return false }
            running[name] = Attempt(connection: connection, watch: watch)
            return true
        }
        guard isFree else { throw Failure(.invalidArgument, "The attempt needs a name of its own.") }
        defer { running.withLock { _ = $0.removeValue(forKey: name) } }
        return try await body()
    }

    /// Passes the address that the browser was redirected to on to an attempt.
    ///
    /// - Throws: ``Failure`` `NotFound` if the attempt is over; the extension's error.
    package func proceed(_ name: String, url: String) async throws {
        guard let connection = running.withLock({ $0[name]?.connection }) else {
            throw Failure(.notFound, "This login is over.", suggestion: "Begin it again.")
        }
        guard Self.isLoopback(url), url.utf8.count <= 16 * 1024, !url.utf8.contains(where: { $0 <= 0x20 }) else {
            throw Failure(.invalidArgument, "A browser can only be sent back to an address of this machine.")
        }
        _ = try await connection.call(
            FileProviderInterface.ContinueAuthentication.self, .init(attempt: name, url: url))
    }

    // MARK: Questions

    /// Records that an attempt waits for the answer to a question, and extends its deadline by the time that a person
    /// may take.
    ///
    /// - Throws: ``Failure`` `ProviderFailed` for one question too many, or a number that was used before.
    func note(_ question: SignInQuestion, of name: String) throws(Failure) {
        let (isTaken, watch) = running.withLock { running in
            guard let attempt = running[name], attempt.asked.count < SignInQuestion.maximum,
                running[name]?.asked.insert(question.number).inserted == true
            else { return (false, nil as ProgressWatch?) }
            running[name]?.questions[question.number] = question
            return (true, attempt.watch)
        }
        guard isTaken else {
            throw Failure(
                .providerFailed,
                "The provider asked more than \(SignInQuestion.maximum) questions, or one of them twice.",
                suggestion: "Report this to its authors.")
        }
        // The extension itself reports a question that was not answered in time.
        watch?.allow(question.patience + .seconds(30))
    }

    /// Passes a person's answer on to an attempt.
    ///
    /// - Parameter answer: nil if there is no answer.
    /// - Throws: ``Failure`` `NotFound` if no question waits for it (any more); `InvalidArgument` if the question does
    ///   not accept the answer, and another one may follow; the extension's error.
    package func answer(_ name: String, _ number: Int, _ answer: String?) async throws {
        let found = running.withLock { running in
            running[name].flatMap { attempt in attempt.questions[number].map { (attempt, $0) } }
        }
        guard let (attempt, question) = found else {
            throw Failure(.notFound, "Nobody is waiting for this answer any more.")
        }
        if let answer {
            try question.check(answer)
            if question.field.kind == "secret" { attempt.connection.learnAnswer(answer) }
        }
        _ = try await attempt.connection.call(
            FileProviderInterface.AnswerAuthentication.self, .init(attempt: name, number: number, answer: answer))
        running.withLock { _ = $0[name]?.questions.removeValue(forKey: number) }
        attempt.watch.noteAnswer()
    }

    /// Whether an address is a loopback address, where only this machine can listen.
    static func isLoopback(_ url: String) -> Bool {
        ["http://127.0.0.1:", "http://[::1]:"].contains { url.hasPrefix($0) }
    }
}
