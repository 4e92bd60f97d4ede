import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Testing
import Varlink

/// Programs that delete or replace too much at once.
@Suite(.needs(.daemon)) struct HostileChangeTests {
    private static let client = "org.example.viewer"

    @Test("What a confined client destroys ends at the limit, and only the user allows more, also after a restart")
    func held() async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_CHANGE_LIMIT": "4"]) { installation in
            for number in 0..<6 { try installation.write("precious", to: "\(number).txt") }
            let outside = installation.client("org.docent.cli")
            defer { outside.close() }
            let root = try await outside.call(
                AdministrationInterface.AddGrant.self,
                .init(
                    clientKind: "run", client: Self.client,
                    location: .init(provider: "LocalFolder", domain: "", path: "/"), access: "readWrite")
            ).value.grant
            let folder = Wire.ItemReference(
                provider: root.provider, domain: root.domain, identifier: root.identifier)
            try await IsolationTests.withConfinedClient(installation, Self.client) { confined in
                let items = try await confined.call(DocumentsInterface.List.self, .init(reference: folder)).value.items
                var refused = 0
                for item in items where !item.isFolder {
                    let code = await IsolationTests.failure {
                        _ = try await confined.call(
                            DocumentsInterface.Delete.self,
                            .init(reference: item.reference, operation: UUID().uuidString))
                    }
                    #expect(code == nil || code == .held)
                    refused += code == nil ? 0 : 1
                }
                #expect(refused == 2)
                let listed = await IsolationTests.failure {
                    _ = try await confined.call(AdministrationInterface.Held.self, .init())
                }
                let allowed = await IsolationTests.failure {
                    _ = try await confined.call(
                        AdministrationInterface.AllowHeld.self, .init(clientKind: "run", client: Self.client))
                }
                let limited = await IsolationTests.failure {
                    _ = try await confined.call(AdministrationInterface.SetChangeLimit.self, .init(limit: 0))
                }
                #expect([listed, allowed, limited].allSatisfy { $0 != nil })
            }
            // The command line is another client.
            try await installation.docent("write", "LocalFolder:/new.txt", input: Data("new".utf8)).succeeded()
            try await installation.docent("daemon", "stop", "--force").succeeded()
            let table = try await installation.docent("held").succeeded().text
            #expect(table.contains(Self.client))
            #expect(try await installation.docent("held", "allow", "nobody").status == 2)
            #expect(try await installation.docent("held", "limit", "9").status == 3)
            #expect(try await installation.docent("held", "limit").succeeded().text == "4\n")
            let answer = try await installation.docent("held", "allow", Self.client).succeeded().text
            #expect(answer.hasPrefix("allowed until"))
            #expect(try await installation.docent("held").succeeded().text.isEmpty)
        }
    }
}
