import Foundation
import Testing
import Varlink

@testable import DocentInterfaces

@Suite struct FailureTests {
    @Test(
        "complaint 32: every code round-trips with its message, suggestion and chain of causes",
        arguments: FailureCode.ofServices + FailureCode.ofProviders)
    func roundTrip(_ code: FailureCode) {
        let failure = Failure(
            code, "It failed.", suggestion: "Try again.", provider: "org.example.P",
            causes: [
                .init(domain: "NSFileProviderErrorDomain", code: -1005, message: "gone"),
                .init(domain: "x", code: 7, message: ""),
            ])
        #expect(Failure(failure.callError(interface: "org.docent.Documents")) == failure)
        #expect(code.isKnown)
    }

    @Test("T5: an unknown code survives, equals no constant, and never traps")
    func invented() {
        let failure = Failure(
            VarlinkCallError(name: "org.docent.Documents.Sulks", parameters: Data("{\"mood\":3}".utf8)))
        #expect(failure.code == FailureCode("Sulks"))
        #expect(!failure.code.isKnown)
    }

    @Test("T5: the varlink service's own errors are recognised")
    func service() {
        let failure = Failure(VarlinkCallError(name: "org.varlink.service.MethodNotFound", parameters: Data("{}".utf8)))
        #expect(failure.code == .notSupported)
    }

    @Test("the interface files declare every error that the services answer with")
    func declared() {
        for code in FailureCode.ofServices {
            #expect(DocumentsInterface.description.contains("error \(code.rawValue) ("))
        }
        for code in FailureCode.ofProviders {
            #expect(FileProviderInterface.description.contains("error \(code.rawValue) ("))
        }
    }
}
