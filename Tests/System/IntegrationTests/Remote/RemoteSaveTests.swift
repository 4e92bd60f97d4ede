import DocentTestSupport
import Documents
import Foundation
import Testing

/// A save of a remote document is local: it waits for no network.
@Suite(.needs(.daemon, .server)) struct RemoteSaveTests {
    @Test("W: between the commit and its reply the server gets no request, even if the cache is out of date")
    func asksNothing() async throws {
        // One transfer at a time: while the first upload hangs, no other request belongs to an upload.
        let options = RemoteInstallation.Options(
            environment: ["DOCENT_POLL_SECONDS": "0", "DOCENT_FRESH_SECONDS": "0"], settings: ["maximumTransfers=1"])
        try await RemoteInstallation.with(.apache, options: options) { server in
            try await server.put("old", "hanging.txt")
            try await server.put("old", "saved.txt")
        } _: { remote in
            let proxy = try remote.faults()
            let client = remote.installation.client("org.docent.editor")
            let document = try await remote.open("saved.txt", client: client)
            _ = try await remote.read("hanging.txt")
            try await proxy.add(.hold().on("PUT").named("taken"))
            try await remote.write("new", "hanging.txt").succeeded()
            _ = try await proxy.request("the upload that takes the only place") { $0.rules.contains("taken") }

            let session = try await document.beginWriting(replacing: true)
            try writeAll("new", to: session.descriptor)
            let before = try await proxy.requests().count
            try await proxy.add(.hang().always.named("unanswered"))
            let saved = try await session.commit()
            let asked = try await proxy.requests().dropFirst(before)
            #expect(asked.isEmpty, "\(asked.map { "\($0.method) \($0.path)" })")
            #expect(saved.uploadState == .queued && saved.size == 3)

            try await proxy.clearRules()
            try await proxy.release()
            try await proxy.cut()
            try await remote.eventually("both are sent") {
                let sent = try await (remote.server.text("hanging.txt"), remote.server.text("saved.txt"))
                return sent == ("new", "new")
            }
        }
    }
}
