import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// Claims that a provider makes on its own account, and clients' claims (H1, 2.3, 2.4), through a real daemon.
@Suite(.needs(.daemon, within: .seconds(300))) struct ProviderClaimTests {
    private static let kinds = [CoordinatingStage.Kind.inPlace, .remote]

    @Test(
        "2.3: a client waits for a provider's claim, a provider for a client's, and `docent claims` lists both",
        arguments: kinds)
    func inTurn(kind: CoordinatingStage.Kind) async throws {
        try await CoordinatingStage.with(kind, ["a.txt": "old"]) { stage in
            let probe = try await Probe(stage.installation)
            try stage.command("one", "hold-write", "none", "a.txt")
            try await stage.wait("one", for: "granted")
            let reading = try probe.send("read", stage.location("a.txt"))
            #expect(try await probe.staysWithout(reading, "read"))
            let shown = try await stage.claims()
            let held = try #require(shown.first { $0.clientKind == "provider" })
            #expect(held.client == stage.bundle && held.state == "held" && !held.operation.hasPrefix("docentd"))
            let waiting = try #require(shown.first { $0.state == "waiting" })
            #expect(waiting.waitsFor.contains { $0.contains(stage.bundle) }, "\(waiting.waitsFor)")
            try stage.release("one")
            try await probe.wait(reading, for: "read")

            let holding = try probe.send("hold-read", stage.location("a.txt"))
            try await probe.wait(holding, for: "granted")
            try stage.command("two", "write", "none", "a.txt", "new")
            try await stage.installation.eventually("the writer waits") {
                try await stage.claims().contains { $0.clientKind == "provider" && $0.state == "waiting" }
            }
            #expect(try await stage.staysWithout("two", "granted"))
            try stage.command("three", "hold-read", "none", "a.txt")
            try await stage.wait("three", for: "waits")
            try probe.send("release", holding)
            try await stage.wait("two", for: "ended")
            try await stage.wait("three", for: "granted")
            try stage.release("three")
            #expect(try await probe.run("read", stage.location("a.txt"), until: "read")[1] == "new")
            try await stage.waitForNoClaims()
        }
    }

    @Test(
        "2.9: the claim of a killed provider is released at once",
        arguments: Sample.shared.of(kinds, ["hold-read", "hold-write"]))
    func killed(kind: CoordinatingStage.Kind, verb: String) async throws {
        try await CoordinatingStage.with(kind, ["a.txt": "old"]) { stage in
            let probe = try await Probe(stage.installation)
            // A local copy does not need the killed process.
            _ = try await probe.run("read", stage.location("a.txt"), until: "read")
            try stage.command("one", verb, "none", "a.txt")
            try await stage.wait("one", for: "granted")
            let writing = try probe.send("hold-write", stage.location("a.txt"))
            #expect(try await probe.staysWithout(writing, "granted"))
            let held = try #require(try await stage.claims().first { $0.clientKind == "provider" })
            let process = try #require(held.process)
            #expect(try await stage.process == process)
            kill(pid_t(process), SIGKILL)
            try await probe.wait(writing, for: "granted")
            #expect(try await stage.claims().allSatisfy { $0.clientKind != "provider" })
        }
    }

    @Test("2.9, law 5: a client that waits for a provider hanging in its claim gets the provider's name")
    func hanging() async throws {
        try await CoordinatingStage.with(.inPlace, environment: ["DOCENT_CLAIM_SECONDS": "2"], ["a.txt": "old"]) {
            stage in
            let probe = try await Probe(stage.installation)
            try stage.command("one", "hold-write", "none", "a.txt")
            try await stage.wait("one", for: "granted")
            let error = try await probe.wait(try probe.send("read", stage.location("a.txt")), for: "error")
            #expect(error[1] == "DeadlineExceeded", "\(error)")
            #expect(error[2].contains(stage.bundle), "\(error)")
            let shown = try await stage.installation.docent("claims").succeeded().text
            #expect(shown.contains(stage.bundle), "\(shown)")
        }
    }

    @Test(
        "2.4: presenters are asked before a provider's change and notified after it, with the provider as the cause",
        arguments: kinds, ["none", "own"])
    func presenters(kind: CoordinatingStage.Kind, purpose: String) async throws {
        try await CoordinatingStage.with(kind, ["a.txt": "old"]) { stage in
            let presenter = try await Probe(stage.installation, client: "org.example.Presenter")
            let id = try presenter.send("present", stage.location("a.txt"), "quick")
            try await presenter.wait(id, for: "presenting")
            try stage.command("one", "write", purpose, "a.txt", "by the provider")
            try await presenter.wait(id, for: "reacquire")
            #expect(presenter.kinds(id) == ["presenting", "toWriter", "didChange", "reacquire"])
            #expect(presenter.told(id)[1][1] == stage.bundle)
            #expect(presenter.told(id)[2] == ["didChange", "coordinated", stage.bundle])
            let text = try await presenter.run("read", stage.location("a.txt"), until: "read")[1]
            #expect(text == "by the provider")

            try stage.command("two", "rename", purpose, "a.txt", "b.txt")
            let moved = try await presenter.wait(id, for: "didMove")
            #expect(moved.last == stage.bundle, "\(moved)")
            try stage.command("three", "delete", purpose, "b.txt")
            let deleted = try await presenter.wait(id, for: "didDelete")
            #expect(deleted == ["didDelete", "coordinated", stage.bundle])
            let told = presenter.kinds(id)
            let asked = try #require(told.firstIndex(of: "accommodate"))
            #expect(try asked < #require(told.firstIndex(of: "didDelete")))
            try await stage.waitForNoClaims()
        }
    }

    @Test(
        "2.4: a provider's claim fails if a presenter refuses or does not answer",
        arguments: ["silent", "refusing"])
    func silent(mode: String) async throws {
        let environment = ["DOCENT_PRESENTER_DEADLINE_SECONDS": "2"]
        try await CoordinatingStage.with(.inPlace, environment: environment, ["a.txt": "old"]) { stage in
            let presenter = try await Probe(stage.installation)
            let id = try presenter.send("present", stage.location("a.txt"), mode)
            try await presenter.wait(id, for: "presenting")
            try stage.command("one", "delete", "none", "a.txt")
            try await stage.installation.eventually("it is notified") {
                stage.callbacks("one").contains { $0.hasPrefix("failed") }
            }
            #expect(stage.read("a.txt") == "old")
            try await stage.waitForNoClaims()
        }
    }
}
