import DocentTestSupport
import Foundation
import Glibc
import Testing

/// kill -9 of a process during a request that the proxy holds.
@Suite(.needs(.daemon, .server)) struct RemoteKillProcessTests {
    enum Victim: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case daemon, provider, server, client

        var testDescription: String { rawValue }
    }

    /// The step of sending a save.
    private static let moments: [(name: String, rule: FaultRule)] = [
        ("put", .hold(.requestBody, after: 20_000).on("PUT")),
        ("stored", .hold(.reply).on("PUT")),
        ("move", .hold().on("MOVE")),
        ("moved", .hold(.reply).on("MOVE")),
    ]

    private static func kill(_ victim: Victim, _ remote: RemoteInstallation, client: ChildProcess?) async throws {
        switch victim {
        case .daemon: try await remote.killDaemon()
        case .provider: try remote.installation.killProviders()
        case .server:
            try await remote.server.kill()
            try await remote.server.restart()
        case .client: client?.send(SIGKILL)
        }
    }

    @Test(
        "law 6, W: a kill of any process during PUT or MOVE: confirmed content arrives once",
        arguments: Sample.shared.of(SaveMode.allCases, [Victim.daemon, .provider, .server]))
    func sending(mode: SaveMode, victim: Victim) async throws {
        let saves = Self.moments.map { KillSave(mode: mode, name: "\(mode)-\($0.name).txt") }
        try await RemoteInstallation.with { server in
            guard mode == .write else { return }
            for save in saves { try await server.put(KillSave.old, save.name) }
        } _: { remote in
            let proxy = try #require(remote.proxy)
            for (moment, save) in zip(Self.moments, saves) {
                try await proxy.add(moment.rule.named(save.name))
                // The writer waits for no server.
                try await remote.run(save).succeeded()
                try await Self.waitUntilHeld(save, moment.name, proxy)
                try await Self.kill(victim, remote, client: nil)
                try await proxy.release()
                try await remote.settle()
                #expect(try await remote.server.text(save.name) == save.text, "\(save.name)")
                #expect(try await remote.read(save.name) == save.text)
                #expect(try await remote.arrivals(of: save.name) == 1, "\(save.name)")
            }
            let names = try await remote.server.list()
            #expect(names == saves.map(\.name).sorted(), "no temporary name is left")
            #expect(remote.installation.versions.isEmpty && remote.installation.leftovers.isEmpty)
        }
    }

    // Until the request is held: its content is being sent, or the server has executed it.
    private static func waitUntilHeld(_ save: KillSave, _ moment: String, _ proxy: FaultProxy) async throws {
        _ = try await proxy.request("\(save.name) is held") { request in
            guard request.rules.contains(save.name) else { return false }
            switch moment {
            case "put": return request.requestBytes >= 20_000
            case "stored", "moved": return request.upstreamStatus != nil
            default: return true
            }
        }
    }

    @Test(
        "law 6, N9: a kill of any process during GET: the next reader gets the whole document",
        arguments: Victim.allCases)
    func reading(victim: Victim) async throws {
        let text = Installation.content("read", lines: 50_000)
        try await RemoteInstallation.with { server in
            try await server.put(text, "a.txt")
        } _: { remote in
            let proxy = try #require(remote.proxy)
            try await remote.docent("ls", remote.location("")).succeeded()
            try await proxy.add(.hold(.responseBody, after: 100_000).on("GET").named("held"))
            let output = remote.installation.root + "/output"
            _ = FileManager.default.createFile(atPath: output, contents: nil)
            let client = try ChildProcess(
                Installation.binaries + "/docent", ["cat", remote.location("a.txt")],
                environment: remote.installation.environment, folder: remote.installation.home, output: .file(output))
            _ = try await proxy.request("the GET is held") {
                $0.rules.contains("held") && $0.responseBytes >= 100_000
            }
            try await Self.kill(victim, remote, client: client)
            try await proxy.release()
            try await remote.installation.eventually("the reader ends", within: 90) { !client.isRunning }
            if client.terminationReason == .exit, client.terminationStatus == 0 {
                #expect(remote.installation.read(output) == text)
            } else if victim != .client {
                // A library has no partial document: no incomplete content was handed out.
                #expect(remote.installation.read(output) == "")
            }
            // Asked in vain while its server started again, the account counts as offline until it is asked again.
            try await remote.installation.eventually("the document is read") {
                let outcome = try await remote.docent("cat", remote.location("a.txt"))
                if outcome.status == 0 { #expect(outcome.text == text) }
                return outcome.status == 0
            }
            #expect(try await remote.docent("transfers").succeeded().text.contains("a.txt") == false)
        }
    }
}
