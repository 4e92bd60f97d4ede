package import DocentInterfaces
package import Documents
import FoundationEssentials
import Varlink

/// One attempt to sign in with the answers to a form: the call, the browser that may return meanwhile, and what is
/// shown.
package struct LoginAttempt: Sendable {
    /// How long a person has to use the browser.
    private static let browserTime: Duration = .seconds(600)

    private let administrator: DocumentsClient
    private let parameters: AdministrationInterface.Login.Parameters
    private let listens: Bool
    private let steps: LoginSteps
    private let questions: LoginQuestions

    /// - Parameters:
    ///   - parameters: the account and the answers; the attempt adds the redirect address.
    ///   - listens: whether a browser on this machine is redirected back here.
    package init(
        administrator: DocumentsClient, parameters: AdministrationInterface.Login.Parameters, listens: Bool,
        steps: LoginSteps, questions: LoginQuestions
    ) {
        self.administrator = administrator
        self.parameters = parameters
        self.listens = listens
        self.steps = steps
        self.questions = questions
    }

    /// Signs in. Cancelling the task ends the attempt.
    ///
    /// - Throws: ``DocumentsError``; `notAuthenticated` says why the attempt was refused.
    package func run() async throws -> AdministrationInterface.Login.Reply {
        let listener = listens ? try LoopbackListener() : nil
        var parameters = parameters
        parameters.redirect = listener?.redirect
        parameters.answersQuestions = true
        let call = parameters
        let (asked, asking) = AsyncStream.makeStream(of: Wire.SignInStep.self)
        return try await withThrowingTaskGroup(of: AdministrationInterface.Login.Reply?.self) { group in
            group.addTask { try await login(call) { asking.yield($0) } }
            // A separate thread waits for the person: the login goes on, and may end meanwhile.
            group.addTask(executorPreference: BlockingExecutor.shared) {
                for await question in asked { try await answer(question, call.attempt) }
                return nil
            }
            group.addTask {
                try await steps.run()
                return nil
            }
            if let listener {
                group.addTask {
                    let url = try await listener.answer(within: Self.browserTime)
                    _ = try await administrator.call(
                        AdministrationInterface.ContinueLogin.self, .init(attempt: call.attempt, url: url),
                        attempts: 1)
                    return nil
                }
            }
            defer { group.cancelAll() }
            while let reply = try await group.next() {
                if let reply { return reply }
            }
            throw DocumentsError(.failed, "The daemon ended the login without an answer.")
        }
    }

    private func login(
        _ call: AdministrationInterface.Login.Parameters, _ ask: @Sendable (Wire.SignInStep) -> Void
    ) async throws -> AdministrationInterface.Login.Reply {
        try await administrator.follow(AdministrationInterface.Login.self, call, attempts: 1) { reply in
            guard let step = reply.step else { return }
            if step.kind == "question" { ask(step) } else { try steps.show(step, now: Date().timeIntervalSince1970) }
        }
    }

    private func answer(_ step: Wire.SignInStep, _ attempt: String) async throws {
        guard let field = step.question, let number = step.number else { return }
        steps.setAsking(true)
        defer { steps.setAsking(false) }
        let text = try questions.answer(field)
        do {
            _ = try await administrator.call(
                AdministrationInterface.AnswerLogin.self, .init(attempt: attempt, number: number, answer: text),
                attempts: 1)
        } catch {
            // The login or the provider has ended. Its own result says why.
            guard [.notFound, .unavailable].contains(error.code) else { throw error }
        }
    }
}
