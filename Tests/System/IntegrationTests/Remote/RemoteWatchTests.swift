import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// `docent watch`, and what programs see of transfers, with a real daemon and server (N6).
@Suite(.needs(.daemon, .server)) struct RemoteWatchTests {
    private struct Transfer: Decodable {
        var name: String
        var kind: String
        var state: String
    }

    private struct Line: Decodable {
        var running: Int
        var waiting: Int
        var failed: Int
        var transfers: [Transfer]
        var ended: [Transfer]
        var finishedCount: Int
    }

    private static func spawn(_ remote: RemoteInstallation, _ output: String, _ arguments: [String]) throws
        -> ChildProcess
    {
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        return try ChildProcess(
            Installation.binaries + "/docent", ["watch"] + arguments, environment: remote.installation.environment,
            output: .file(output))
    }

    @Test("N6: a folder is watched until it is interrupted, and until nothing is in transit, with a code for failures")
    func command() async throws {
        try await RemoteInstallation.with { server in
            for name in ["a", "b"] { try await server.put("old", "\(name).txt") }
        } _: { remote in
            let (output, second) = (remote.installation.root + "/watched", remote.installation.root + "/until")
            let watcher = try Self.spawn(remote, output, ["--json", remote.location("")])
            func seen() throws -> [Line] {
                // The last line may not be complete yet.
                let text = remote.installation.read(output) ?? ""
                return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
                    try JSONDecoder().decode(Line.self, from: Data($0.utf8))
                }
            }
            try await remote.eventually("it begins") { try seen().count == 1 }
            #expect(try seen().first?.running == 0)
            let idle = try await remote.docent("watch", "--until-done", remote.location("a.txt")).succeeded()
            #expect(idle.text == "nothing in transit\n")
            try await remote.faults().add(.hold().on("PUT"))
            try await remote.write("new", "a.txt").succeeded()
            try await remote.eventually("the upload is seen") {
                try seen().contains { $0.transfers.first.map { $0.kind == "upload" && $0.state == "running" } ?? false }
            }
            let waiting = try Self.spawn(remote, second, ["--until-done", remote.location("a.txt")])
            try await remote.eventually("another watches") {
                remote.installation.read(second)?.contains("running upload: a.txt") == true
            }
            try await remote.faults().held("PUT")
            try await remote.faults().release()
            try await remote.installation.waitForEnd(of: waiting)
            #expect(waiting.terminationStatus == 0)
            #expect(remote.installation.read(second)?.hasSuffix("nothing in transit; 1 done\n") == true)
            try await remote.eventually("its end is seen") { try seen().last?.finishedCount == 1 }
            watcher.send(SIGINT)
            try await remote.installation.waitForEnd(of: watcher)
            #expect(watcher.terminationStatus == 7)

            try await remote.faults().add(.status(403).on("PUT").always)
            try await remote.write("new", "b.txt").succeeded()
            try await remote.eventually("it has failed") { try await remote.info("b.txt").uploadState == "failed" }
            let failed = try await remote.docent("watch", "--until-done", remote.location(""))
            #expect(failed.status == 1 && failed.errors.contains("b.txt: "), "\(failed)")
            #expect(try await remote.docent("watch", "--until-done", remote.location("a.txt")).status == 0)
            #expect(try await remote.docent("watch", remote.location("none.txt")).status == 2)
        }
    }

    @Test("N6: a confined client follows what it was granted, and is refused everything else in the account")
    func confined() async throws {
        try await RemoteInstallation.with { server in
            for name in ["a", "b"] { try await server.put("old", "\(name).txt") }
        } _: { remote in
            try await remote.docent(
                "grants", "add", "org.example.Boxed", remote.location("a.txt"), "--kind", "run", "--read-only"
            ).succeeded()
            let other = try await remote.open("b.txt", client: remote.installation.client("org.example.other"))
            try await remote.faults().add(.hold().on("PUT"))
            try await remote.write("new", "b.txt").succeeded()
            try await IsolationTests.withConfinedClient(remote.installation, "org.example.Boxed") { client in
                let own = try #require(
                    try await client.call(DocumentsInterface.Granted.self, .init()).value.items.first)
                let shown = try await client.call(DocumentsInterface.Watch.self, .init(reference: own.reference)).value
                #expect(shown.item?.name == "a.txt" && shown.item?.path == nil && shown.transfers.isEmpty)
                let wire = other.reference
                for identifier in [wire.identifier, ".root", "no such"] {
                    let reference = Wire.ItemReference(
                        provider: wire.provider, domain: wire.domain, identifier: identifier)
                    #expect(
                        await IsolationTests.failure {
                            _ = try await client.call(DocumentsInterface.Watch.self, .init(reference: reference))
                        } == .notPermitted)
                    let monitor = TransferMonitor(client: client, reference: DocumentReference(reference))
                    monitor.start()
                    for await status in monitor.updates { Issue.record("\(status)") }
                    #expect(monitor.failure?.code == .notPermitted)
                }
            }
            try await remote.faults().release()
        }
    }
}
