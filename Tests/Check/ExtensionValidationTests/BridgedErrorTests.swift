import DocentInterfaces
import Testing
import Varlink

@testable import ExtensionValidation

@Suite struct BridgedErrorTests {
    @Test(
        "a provider's failure that reached a client has the provider's code again",
        arguments: [
            (FailureCode.notFound, FailureCode.noSuchItem), (.notPermitted, .notPermitted),
            (.notAuthenticated, .notAuthenticated), (.unavailable, .serverUnreachable), (.noSpace, .insufficientQuota),
            (.notSupported, .notSupported), (.invalidArgument, .invalidArgument), (.conflict, .versionOutOfDate),
            (.busy, .failed),
        ])
    func translated(_ given: FailureCode, _ expected: FailureCode) {
        let failure = Failure(given, "It failed.", provider: "org.example.Drive")
        let reply = Failure(BridgedError.reply(failure, .versionOutOfDate))
        #expect(reply.code == expected)
        #expect(reply.message == "It failed.")
    }

    @Test("the daemon's own refusal means that the item does not exist, because the client may reach everything")
    func refused() {
        let reply = Failure(BridgedError.reply(Failure(.notPermitted, "No right."), .versionOutOfDate))
        #expect(reply.code == .noSuchItem)
    }

    @Test("the conflict of a method has the code of that method")
    func conflict() {
        let failure = Failure(.conflict, "There is one.", provider: "org.example.Drive")
        #expect(Failure(BridgedError.reply(failure, .collision)).code == .collision)
    }

    @Test("an error reply is passed on as it is")
    func passed() {
        let own = VarlinkCallError(name: "org.example.Own")
        #expect(BridgedError.reply(own, .versionOutOfDate).name == "org.example.Own")
    }
}
