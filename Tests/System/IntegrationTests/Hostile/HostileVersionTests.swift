import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Testing
import Varlink

/// V5: what a confined client learns of the versions of a document that it may read and write.
@Suite(.needs(.daemon)) struct HostileVersionTests {
    @Test("V5: versions from before its right do not exist for a confined client, and it does not learn who saves")
    func versions() async throws {
        try await Installation.withLocalFolder { installation in
            let location = "LocalFolder:/a.txt"
            func save(_ text: String) async throws {
                try await installation.docent("write", location, input: Data(text.utf8)).succeeded()
            }
            try installation.write("secret", to: "a.txt")
            for text in ["also secret", "given"] { try await save(text) }
            let outside = installation.client("org.docent.cli")
            defer { outside.close() }
            let reference = try await outside.call(
                AdministrationInterface.AddGrant.self,
                .init(
                    clientKind: "run", client: "org.example.viewer",
                    location: .init(provider: "LocalFolder", domain: "", path: "/a.txt"), access: "readWrite")
            ).value.grant
            let item = Wire.ItemReference(
                provider: reference.provider, domain: reference.domain, identifier: reference.identifier)
            let kept = try await installation.docent("history", "--json", location).succeeded().json(
                [HistoryTests.Version].self)
            #expect(kept.count == 3 && kept[1].savedBy == "org.docent.cli")
            try await IsolationTests.withConfinedClient(installation, "org.example.viewer") { confined in
                func listed() async throws -> [Wire.DocumentVersion] {
                    try await confined.call(DocumentsInterface.Versions.self, .init(reference: item)).value.versions
                }
                let before = try await listed()
                #expect(before.map(\.identifier) == ["current"])
                #expect(before.allSatisfy { $0.savedBy == nil && $0.host == nil })
                for version in kept.dropFirst() {
                    #expect(
                        await IsolationTests.failure {
                            _ = try await confined.call(
                                DocumentsInterface.OpenVersion.self, .init(reference: item, version: version.version))
                        } == .notFound)
                    #expect(
                        await IsolationTests.failure {
                            _ = try await confined.call(
                                DocumentsInterface.RestoreVersion.self,
                                .init(reference: item, version: version.version, operation: UUID().uuidString))
                        } == .notFound)
                    #expect(
                        await IsolationTests.failure {
                            _ = try await confined.call(
                                DocumentsInterface.RemoveVersions.self,
                                .init(reference: item, versions: [version.version]))
                        } == .notFound)
                }
                try await save("newer")
                let after = try await listed()
                #expect(after.count == 2 && after.allSatisfy { $0.savedBy == nil && $0.host == nil })
            }
            #expect(installation.read(installation.documents + "/a.txt") == "newer")
            let all = try await installation.docent("history", "--json", location).succeeded().json(
                [HistoryTests.Version].self)
            #expect(all.count == 4)
        }
    }
}
