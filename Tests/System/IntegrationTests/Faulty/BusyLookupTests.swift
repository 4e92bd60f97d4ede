import DocentTestSupport
import Documents
import Faulty
import Foundation
import Testing

/// A provider that cannot say for a moment whether there is a document.
@Suite(.needs(.daemon)) struct BusyLookupTests {
    private static let provider = "org.example.Busy"

    @Test("a document that its provider could not look up for a moment is replaced, not taken for a new one")
    func isReplaced() async throws {
        try await FaultyProviders.with([Self.provider: .full]) { providers in
            try await providers.addDomain(Self.provider, faults: "child.error=Busy@1:Welcome.txt")
            let place = "\(Self.provider)@\(FaultyProviders.domain):/Welcome.txt"
            let installation = providers.installation
            try await installation.docent("write", place, input: Data("new".utf8)).succeeded()
            #expect(try await installation.docent("cat", place).succeeded().text == "new")
            let tour = FaultyTour(providers: providers, provider: Self.provider)
            #expect(try await tour.names(in: "/").filter { $0.hasPrefix("Welcome") } == ["Welcome.txt"])
        }
    }
}
