import DocentInterfaces
import Documents
import FoundationEssentials
import Varlink

/// One try to sign in, with the answers to a form: the call, the browser that may come back meanwhile, and what is shown.
struct LoginAttempt: Sendable {
    /// How long a person has for the browser.
    private static let browserTime: Duration = .seconds(600)

    let administrator: DocumentsClient
    let parameters: AdministrationInterface.Login.Parameters
    /// Whether a browser on this machine is sent back here.
    let listens: Bool
    let steps: LoginSteps

    /// Tries; cancelling the task ends the attempt.
    ///
    /// - Throws: ``DocumentsError``: `notAuthenticated` says why it was refused.
    func run() async throws -> AdministrationInterface.Login.Reply {
        let listener = listens ? try LoopbackListener() : nil
        var parameters = parameters
        parameters.redirect = listener?.redirect
        let call = parameters
        return try await withThrowingTaskGroup(of: AdministrationInterface.Login.Reply?.self) { group in
            group.addTask { try await login(call) }
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
        _ call: AdministrationInterface.Login.Parameters
    ) async throws -> AdministrationInterface.Login.Reply {
        try await administrator.follow(AdministrationInterface.Login.self, call, attempts: 1) { reply in
            if let step = reply.step { steps.show(step, now: Date().timeIntervalSince1970) }
        }
    }
}
