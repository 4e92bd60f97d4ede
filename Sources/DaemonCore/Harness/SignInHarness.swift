import DocentInterfaces
import HostCore
package import HostServices
import Varlink

/// Login and logout on the wire. Every method is refused to a confined client (I1).
package struct SignInHarness: Sendable {
    private typealias Interface = AdministrationInterface

    private let logins: LoginService
    private let logouts: LogoutService

    package init(logins: LoginService, logouts: LogoutService) {
        self.logins = logins
        self.logouts = logouts
    }

    /// Adds the methods to the table of the interface.
    func add(to table: inout MethodTable) {
        loginMethods(&table)
        let logouts = logouts
        table.stream(Interface.Logout.shortName, requiresMore: false, Interface.Logout.Parameters.self) {
            parameters, call, sink in
            let wantsMore = call.wantsMore
            let outcome = try await logouts.logout(
                parameters.provider, parameters.domain, discards: parameters.discard == true,
                timeout: parameters.timeout, leavesSecret: parameters.leaveSecret == true
            ) { stage, pending in
                guard wantsMore else { return }
                try await sink.send(Reply(Interface.Logout.Reply(stage: stage, pending: pending)))
            }
            return Reply(
                Interface.Logout.Reply(
                    domain: outcome.domain, kept: outcome.kept, discarded: outcome.discarded,
                    openDescriptors: outcome.openDescriptors, left: outcome.left,
                    undeleted: outcome.undeleted.isEmpty ? nil : outcome.undeleted))
        }
    }

    private func loginMethods(_ table: inout MethodTable) {
        let logins = logins
        table.call(Interface.PrepareLogin.self) { parameters, call in
            return Reply(
                try await logins.prepare(
                    parameters.provider, parameters.domain, sealedFile: parameters.sealedFile == true))
        }
        table.stream(Interface.Login.shortName, requiresMore: false, Interface.Login.Parameters.self) {
            parameters, call, sink in
            let wantsMore = call.wantsMore
            let done = try await logins.login(parameters) { step in
                guard wantsMore else {
                    throw Failure(
                        .invalidArgument, "This login has several steps: call it with `more`.")
                }
                try await sink.send(Reply(Interface.Login.Reply(step: step)))
            }
            return Reply(Interface.Login.Reply(domain: done.domain, storage: done.storage))
        }
        table.call(Interface.ContinueLogin.self, changesState: true) { parameters, call in
            try await logins.attempts.proceed(parameters.attempt, url: parameters.url)
            return Reply(.init())
        }
        table.call(Interface.AnswerLogin.self, changesState: true) { parameters, call in
            try await logins.attempts.answer(parameters.attempt, parameters.number, parameters.answer)
            return Reply(.init())
        }
    }
}
