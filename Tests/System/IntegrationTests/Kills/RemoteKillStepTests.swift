import DocentTestSupport
import Documents
import Foundation
import Glibc
import Storage
import Testing

/// kill -9 of the daemon after every numbered step of a save to a WebDAV server.
@Suite(.needs(.daemon, .server)) struct RemoteKillStepTests {
    private static func name(_ mode: SaveMode, _ steps: WriteStep...) -> String {
        "\(mode)-" + steps.map(\.rawValue).joined(separator: "-") + ".txt"
    }

    /// The kills of each mode, which share an installation.
    private static func grouped<Kill>(_ all: [(SaveMode, Kill)]) -> [(SaveMode, [Kill])] {
        SaveMode.allCases.compactMap { mode in
            let own = all.filter { $0.0 == mode }.map { $0.1 }
            return own.isEmpty ? nil : (mode, own)
        }
    }

    @Test(
        "W, X14, law 6: after kill -9 at each step the server has the confirmed content once; a source is never removed without its copy",
        arguments: grouped(Sample.shared.of(SaveMode.allCases, WriteStep.allCases)))
    func everyStep(mode: SaveMode, steps: [WriteStep]) async throws {
        let saves = steps.map { ($0, KillSave(mode: mode, name: Self.name(mode, $0))) }
        try await RemoteInstallation.with { server in
            guard mode == .write else { return }
            for (_, save) in saves { try await server.put(KillSave.old, save.name) }
        } _: { remote in
            for (step, save) in saves { try await Self.strike(save, after: step, remote) }
            #expect(try await remote.server.list() == saves.map(\.1.name).sorted(), "no other file is left there")
        }
    }

    private static func strike(_ save: KillSave, after step: WriteStep, _ remote: RemoteInstallation) async throws {
        let installation = remote.installation
        try await installation.stopDaemon()
        let daemon = try await installation.readyDaemon(crashAfter: step.rawValue)
        let versions = installation.versions.count
        let outcome = try await remote.run(save)
        // The steps of sending come after the reply.
        try await installation.waitForEnd(of: daemon)
        #expect(daemon.terminationReason == .uncaughtSignal && daemon.terminationStatus == SIGKILL)
        try await remote.settle()

        let now = try await remote.server.text(save.name)
        if save.mode.makesDocument || step.isCommitted || step == .opened { try outcome.succeeded() }
        if outcome.status == 0 {
            #expect(now == save.text, "\(save.name): confirmed, so it exists")
            #expect(try await remote.arrivals(of: save.name) == 1, "\(save.name): sent exactly once")
            #expect(installation.versions.count == versions, "\(save.name)")
        } else {
            #expect(now == KillSave.old, "\(save.name): not confirmed")
            #expect(installation.versions.contains(save.text), "no written content is dropped (W0)")
        }
        if save.mode.makesDocument {
            let isSourceHere = FileManager.default.fileExists(atPath: "\(installation.home)/\(save.name)")
            #expect(isSourceHere == (save.mode == .export), "\(save.name)")
        }
        #expect(try await remote.read(save.name) == now, "the local copy equals the server's")
        try await expectNothingLeft(save.name, installation)
    }

    private static func expectNothingLeft(_ name: String, _ installation: Installation) async throws {
        try await installation.eventually("\(name): nothing is left, but \(installation.leftovers)") {
            installation.leftovers.isEmpty
        }
        try await installation.eventually("\(name): nothing is queued") {
            try await installation.status().pendingOperations == 0
        }
    }

    // MARK: Killed while it recovers

    /// A first kill, and a step after it at which the next daemon, which completes the save, is killed as well.
    private static let pairs: [(WriteStep, WriteStep)] = {
        let all: [(WriteStep, [WriteStep])] = [
            (.committed, [.renamed, .recorded, .sent, .uploadRecorded, .uploaded]),
            (.renamed, [.renamed, .recorded, .sent, .uploadRecorded, .uploaded]),
            (.recorded, [.sent, .uploadRecorded, .uploaded]),
            (.sent, [.sent, .uploadRecorded, .uploaded]),
        ]
        return all.flatMap { first, seconds in seconds.map { (first, $0) } }
    }()

    @Test(
        "W: a recovery killed at any later step is resumed, and the content is on the server once",
        arguments: grouped(Sample.shared.of([SaveMode.write, .move], pairs)))
    func interruptedRecovery(mode: SaveMode, kills: [(WriteStep, WriteStep)]) async throws {
        let rounds = kills.map { first, second in
            (first, second, KillSave(mode: mode, name: Self.name(mode, first, second)))
        }
        try await RemoteInstallation.with { server in
            guard mode == .write else { return }
            for (_, _, save) in rounds { try await server.put(KillSave.old, save.name) }
        } _: { remote in
            for (first, second, save) in rounds { try await Self.strikeTwice(save, first, second, remote) }
            #expect(try await remote.server.list() == rounds.map(\.2.name).sorted())
            #expect(remote.installation.versions.isEmpty)
        }
    }

    private static func strikeTwice(
        _ save: KillSave, _ first: WriteStep, _ second: WriteStep, _ remote: RemoteInstallation
    ) async throws {
        let installation = remote.installation
        try await installation.stopDaemon()
        let daemon = try await installation.readyDaemon(crashAfter: first.rawValue)
        let (operation, _) = try await remote.attempt(save)
        try await installation.waitForEnd(of: daemon)
        // The next one gets no request: committed content is completed without one.
        let next = try installation.startDaemon(environment: ["DOCENT_TEST_CRASH_AFTER": second.rawValue])
        try await installation.waitForEnd(of: next)
        #expect(next.terminationReason == .uncaughtSignal, "\(save.name): \(next.terminationStatus)")

        let last = try await installation.readyDaemon()
        try await remote.settle()
        #expect(try await installation.passiveClient().outcome(of: operation).state == .finished, "\(save.name)")
        #expect(try await remote.server.text(save.name) == save.text, "\(save.name)")
        #expect(try await remote.arrivals(of: save.name) == 1, "\(save.name)")
        #expect(try await remote.read(save.name) == save.text)
        try await installation.eventually("\(save.name): nothing is left, but \(installation.leftovers)") {
            installation.leftovers.isEmpty
        }
        #expect(last.isRunning)
    }
}
