import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Testing
import Varlink

/// I1, I2: interfaces, sessions and identities that are not the client's.
@Suite(.needs(.daemon, .server)) struct HostileSurfaceTests {
    @Test(
        "I1: every method of Picker and Administration is refused to confined clients before its parameters are read, and answered outside"
    )
    func interfaces() async throws {
        try await HostileStage.with { stage in
            let lines = try await stage.attack(
                "surface", ["tokens": ["other": "00000000-0000-0000-0000-000000000000"]])
            for (interface, text) in [
                (PickerInterface.name, PickerInterface.description),
                (AdministrationInterface.name, AdministrationInterface.description),
            ] {
                let methods = text.matches(of: /(?m)^method\s+(\w+)/).map { "\(interface).\($0.1)" }
                #expect(methods.count >= 10)
                for method in methods {
                    let answers = lines.filter { $0.attack == method }.map(\.came)
                    #expect(Set(answers) == ["NotPermitted"] && answers.count == 12, "\(method): \(answers)")
                }
            }
            // The control: the same calls are answered to an unconfined program.
            let outside = stage.installation.client("org.docent.cli")
            defer { outside.close() }
            _ = try await outside.call(
                PickerInterface.GetItem.self, .init(location: HostileStage.location("/secret.txt")))
            let status = try await outside.call(AdministrationInterface.Status.self, .init()).value
            #expect(status.processIdentifier > 0, "Stop was executed")
            let grants = try await outside.call(
                AdministrationInterface.ListGrants.self, .init(client: HostileStage.client)
            ).value.grants
            #expect(grants.count == 5, "a right was added or taken away: \(grants)")
        }
    }

    @Test(
        "I2: a client cannot become another by stating an identifier or a kind, or by another's session or operation"
    )
    func identities() async throws {
        try await HostileStage.with { stage in
            let outside = try VarlinkConnection.connect(path: stage.installation.socket)
            defer { outside.close() }
            let other = try outside.callBlocking(
                DocumentsInterface.OpenSession.self, .init(client: "org.example.victim")
            ).value
            let operation = UUID().uuidString
            let begun = try outside.callBlocking(
                DocumentsInterface.BeginWrite.self,
                .init(reference: stage.victim, replacing: true, operation: operation))
            try await IsolationTests.withSocket(stage.installation, "org.example.second") { path in
                let second = try VarlinkConnection.connect(path: path)
                defer { second.close() }
                let confined = try second.callBlocking(
                    DocumentsInterface.OpenSession.self, .init(client: "org.gnome.TextEditor")
                ).value
                #expect(
                    confined.principal == .init(kind: "run", identifier: "org.example.second", strength: "enforced"))
                // An unconfined program cannot become the confined one with its token either.
                let joining = try VarlinkConnection.connect(path: stage.installation.socket)
                defer { joining.close() }
                #expect(throws: (any Error).self) {
                    try joining.callBlocking(DocumentsInterface.JoinSession.self, .init(token: confined.token))
                }
                let lines = try await stage.attack(
                    "surface",
                    [
                        "tokens": ["other": other.token, "second": confined.token],
                        "operations": ["other": operation],
                    ])
                lines.expect("state another identifier", ["run \(HostileStage.client)"])
                lines.expect("state another kind", ["run", "error"])
                lines.expect("join the session of", ["NotFound", "NotPermitted"])
                lines.expect("join by a made-up token", ["NotFound", "InvalidArgument", "InvalidParameter"])
                lines.expect("open as", ["NotPermitted"])
                lines.expect("Cancel of other", ["False"])
                lines.expect("Outcome of other", ["unknown"])
                for method in ["CommitWrite", "AbandonWrite"] {
                    lines.expect("\(method) of other", ["NotFound", "NotPermitted", "Conflict"])
                }
                lines.expect("the common socket", ["ENOENT"])
                lines.expect("control: its own document", ["worked"])
                lines.expect("control: its own session", ["worked"])
            }
            // The control: the write still belongs to its owner, and was neither ended nor published.
            _ = try outside.callBlocking(DocumentsInterface.CommitWrite.self, .init(operation: operation))
            withExtendedLifetime(begun) {}
            #expect(stage.installation.read(stage.installation.documents + "/victim.txt") == "")
        }
    }
}
