import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
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

    @Test("What a confined client did is taken back by one command, which the client itself cannot use")
    func takenBack() async throws {
        try await Installation.withLocalFolder { installation in
            for number in 0..<4 { try installation.write("precious", to: "\(number).txt") }
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
                for (number, item) in items.filter({ !$0.isFolder }).enumerated() {
                    if number < 2 {
                        _ = try await confined.call(
                            DocumentsInterface.Delete.self,
                            .init(reference: item.reference, operation: UUID().uuidString))
                    } else {
                        let session = try await confined.document(DocumentReference(item.reference), access: .readWrite)
                            .beginWriting(replacing: true)
                        #expect(write(session.descriptor, "noise", 5) == 5)
                        try await session.commit()
                    }
                }
                let listed = await IsolationTests.failure {
                    _ = try await confined.call(
                        AdministrationInterface.Changes.self, .init(client: Self.client, since: 0))
                }
                let undone = await IsolationTests.failure {
                    _ = try await confined.call(AdministrationInterface.TakeBack.self, .init(identifier: "save-1"))
                }
                #expect(listed != nil && undone != nil)
            }
            // The user has changed one of them since.
            let names = ["0.txt", "1.txt", "2.txt", "3.txt"]
            let noisy = names.filter { installation.read(installation.documents + "/" + $0) == "noise" }
            #expect(noisy.count == 2)
            try await installation.docent("write", "LocalFolder:/\(noisy[0])", input: Data("mine".utf8)).succeeded()

            let before = ["restore", "--before", "1h", "--client", Self.client]
            let shown = try await installation.run(
                Installation.binaries + "/docent", before + ["--dry-run"]
            ).succeeded().text
            #expect(shown.split(separator: "\n").count == 4, "\(shown)")
            #expect(installation.read(installation.documents + "/" + noisy[1]) == "noise")
            #expect(try await installation.run(Installation.binaries + "/docent", before).status == 64)
            struct Change: Decodable {
                var outcome: String?
                var reason: String?
            }
            let done = try await installation.run(
                Installation.binaries + "/docent", before + ["--yes", "--json"])
            #expect(done.status == 6, "\(done.errors)")
            let changes = try done.json([Change].self)
            #expect(changes.count { $0.outcome == "takenBack" } == 3)
            #expect(changes.filter { $0.outcome == "refused" }.map { $0.reason?.contains("changed since") } == [true])
            for name in names {
                let text = installation.read(installation.documents + "/" + name)
                #expect(text == (name == noisy[0] ? "mine" : "precious"), "\(name)")
            }
        }
    }
}
