import DocentTestSupport
import Foundation
import Testing

/// One process per extension, as long as it is needed (law 3).
@Suite(.needs(.daemon)) struct ExtensionLifeTests {
    private struct Status: Decodable {
        struct Extension: Decodable {
            var state: String
            var crashes: Int
        }
        var extensions: [Extension]
    }

    @Test("law 3: an extension starts at its first use, ends when idle without counting as a crash, and starts again")
    func idle() async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_EXTENSION_IDLE_SECONDS": "0.5"]) { installation in
            func extensions() async throws -> [Status.Extension] {
                try await installation.docent("daemon", "status", "--json").succeeded().json(Status.self).extensions
            }
            #expect(try await extensions().isEmpty, "nothing runs before it is used")
            try installation.write("x", to: "a.txt")
            try await installation.docent("ls", "LocalFolder:/").succeeded()
            try await installation.eventually("the idle extension has ended") {
                try await extensions().map(\.state) == ["ended"]
            }
            #expect(try await extensions().map(\.crashes) == [0])
            #expect(try await installation.docent("cat", "LocalFolder:/a.txt").succeeded().text == "x")
        }
    }
}
