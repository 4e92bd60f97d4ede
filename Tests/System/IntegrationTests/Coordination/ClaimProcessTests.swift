import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Claims of different processes, through a real daemon (SEMANTICS 2).
@Suite(.needs(.daemon)) struct ClaimProcessTests {
    private static let document = "LocalFolder:/a.txt"
    private static let other = "LocalFolder:/b.txt"

    private static func with(
        environment: [String: String] = [:], _ body: (Installation) async throws -> Void
    ) async throws {
        try await Installation.withLocalFolder(environment: environment) { installation in
            try installation.write("first", to: "a.txt")
            try installation.write("second", to: "b.txt")
            try await body(installation)
        }
    }

    @Test(
        "2.3: readers in different processes share a document; a writer excludes all others",
        arguments: [
            ("hold-read", "hold-read", false), ("hold-read", "hold-write", true), ("hold-write", "hold-read", true),
            ("hold-write", "hold-write", true),
        ])
    func table(held: String, wanted: String, waits: Bool) async throws {
        try await Self.with { installation in
            let holder = try await Probe(installation, client: "org.example.Holder")
            let wanter = try await Probe(installation, client: "org.example.Wanter")
            let first = try holder.send(held, Self.document)
            try await holder.wait(first, for: "granted")
            let second = try wanter.send(wanted, Self.document)
            if waits {
                #expect(try await wanter.staysWithout(second, "granted"))
                // Another document is not affected.
                try await wanter.run("read", Self.other, until: "read")
                try holder.send("release", first)
            }
            try await wanter.wait(second, for: "granted")
        }
    }

    @Test("Law 5: a claim without a timeout ends in bounded time, and names the holder")
    func defaultDeadline() async throws {
        try await Self.with(environment: ["DOCENT_CLAIM_SECONDS": "1"]) { installation in
            let holder = try await Probe(installation, client: "org.example.Holder")
            let waiter = try await Probe(installation, client: "org.example.Wanter")
            let held = try holder.send("hold-write", Self.document)
            try await holder.wait(held, for: "granted")
            let error = try await waiter.wait(try waiter.send("write", Self.document, "never"), for: "error")
            #expect(error[1] == "DeadlineExceeded", "\(error)")
            #expect(error[2].contains("org.example.Holder"), "\(error)")
            // A claim may be held for any time, and then the next one is granted.
            try holder.send("release", held)
            try await holder.wait(held, for: "released")
            try await waiter.run("write", Self.document, "in turn", until: "ok")
            #expect(installation.read("\(installation.documents)/a.txt") == "in turn")
        }
    }

    @Test("2.9: the claim of a killed holder is released", arguments: ["hold-read", "hold-write"])
    func killed(_ verb: String) async throws {
        try await Self.with { installation in
            let holder = try await Probe(installation)
            let waiter = try await Probe(installation)
            try await holder.wait(try holder.send(verb, Self.document), for: "granted")
            let write = try waiter.send("write", Self.document, "after the kill")
            #expect(try await waiter.staysWithout(write, "ok"))
            holder.process.send(SIGKILL)
            try await waiter.wait(write, for: "ok")
            #expect(installation.read("\(installation.documents)/a.txt") == "after the kill")
        }
    }

    @Test(
        "2.9 deadlock 2: two clients hold one document each and ask for the other's: one gets a deadlock error, the other continues"
    )
    func cycle() async throws {
        try await Self.with { installation in
            let one = try await Probe(installation, client: "org.example.One")
            let two = try await Probe(installation, client: "org.example.Two")
            let first = try one.send("hold-then", Self.document, Self.other)
            let second = try two.send("hold-then", Self.other, Self.document)
            try await one.wait(first, for: "granted")
            try await two.wait(second, for: "granted")
            try one.send("release", first)
            try two.send("release", second)
            try await installation.eventually("both have ended", within: 60) {
                [one.kinds(first), two.kinds(second)].allSatisfy { $0.contains("error") || $0.contains("released") }
            }
            let errors = (one.told(first) + two.told(second)).filter { $0.first == "error" }
            #expect(errors.count == 1)
            let error = try #require(errors.first)
            #expect(error[1] == "Deadlock")
            #expect(error[2].contains("org.example.One") && error[2].contains("org.example.Two"), "\(error)")
            #expect(one.kinds(first).contains("both") || two.kinds(second).contains("both"))
        }
    }

    @Test("I2: intents acquire all of their items at once, regardless of their order")
    func intents() async throws {
        try await Self.with { installation in
            let one = try await Probe(installation)
            let two = try await Probe(installation)
            let ids = try (0..<10).map { _ in
                (try one.send("intents", Self.document, Self.other), try two.send("intents", Self.other, Self.document))
            }
            for (first, second) in ids {
                try await one.wait(first, for: "released")
                try await two.wait(second, for: "released")
            }
        }
    }

    @Test("2.6, complaint 30: prepare accepts the same document for reading and for writing")
    func prepare() async throws {
        try await Self.with { installation in
            let probe = try await Probe(installation)
            let id = try probe.send("prepare", Self.document)
            try await probe.wait(id, for: "ok")
            #expect(probe.kinds(id) == ["prepared", "read", "ok"])
        }
    }

    @Test(
        "Law 5, 2.8: a save without a claim waits for a holder for a bounded time, names it, and changes nothing; a waiting claim can be cancelled, and its holder is not interrupted"
    )
    func implicitDeadline() async throws {
        try await Self.with(environment: ["DOCENT_PRESENTER_DEADLINE_SECONDS": "1"]) { installation in
            let holder = try await Probe(installation, client: "org.example.Holder")
            let held = try holder.send("hold-write", Self.document)
            try await holder.wait(held, for: "granted")
            let refused = try await installation.docent("write", Self.document, input: Data("mine".utf8))
            #expect(refused.status == 7 && refused.errors.contains("org.example.Holder"), "\(refused)")
            #expect(installation.read("\(installation.documents)/a.txt") == "first")
            try await Self.cancel(installation, holder, held)
            try holder.send("release", held)
            try await holder.wait(held, for: "released")
            try await installation.docent("write", Self.document, input: Data("mine".utf8)).succeeded()
            #expect(installation.read("\(installation.documents)/a.txt") == "mine")
        }
    }

    /// Cancels a claim that waits for a held one, and then the held one, which stays.
    private static func cancel(_ installation: Installation, _ holder: Probe, _ held: String) async throws {
        let waiter = try await Probe(installation)
        let waiting = try waiter.send("hold-read", document)
        try await installation.eventually("it waits") {
            try await installation.docent("claims", "--json").succeeded().text.contains("\"waiting\"")
        }
        #expect(!waiter.kinds(waiting).contains("granted"))
        try waiter.send("cancel", waiting)
        let error = try await waiter.wait(waiting, for: "error")
        #expect(error[1] == "Cancelled")
        try holder.send("cancel", held)
        #expect(try await holder.staysWithout(held, "error"))
    }

    @Test("H5: four processes make many concurrent changes each (50 in the full tier), and no line is lost")
    func lostUpdates() async throws {
        let changes = Sample.shared.isWhole ? 50 : 15
        try await Self.with { installation in
            try installation.write("", to: "a.txt")
            var probes: [Probe] = []
            for number in 0..<4 { probes.append(try await Probe(installation, client: "org.example.Writer\(number)")) }
            var ids: [(Probe, String)] = []
            for line in 0..<changes {
                for (number, probe) in probes.enumerated() {
                    ids.append((probe, try probe.send("append", Self.document, "\(number).\(line)")))
                }
            }
            for (probe, id) in ids { try await probe.wait(id, for: "ok", within: 120) }
            let lines = (installation.read("\(installation.documents)/a.txt") ?? "").split(separator: "\n")
            #expect(lines.count == 4 * changes)
            #expect(Set(lines).count == 4 * changes)
        }
    }

    @Test("200 readers and writers of one document are all served")
    func manyClients() async throws {
        try await Self.with { installation in
            // A process may have 64 connections (T4): 25 clients each, with a session and a claim.
            var probes: [Probe] = []
            for number in 0..<8 { probes.append(try await Probe(installation, client: "org.example.Many\(number)")) }
            let ids = try (0..<200).map { number in
                let isWriter = number.isMultiple(of: 10)
                let probe = probes[number % 8]
                return (probe, try probe.send(isWriter ? "own-append" : "own-read", Self.document, "line"), isWriter)
            }
            for (probe, id, isWriter) in ids { try await probe.wait(id, for: isWriter ? "ok" : "read", within: 120) }
            let text = installation.read("\(installation.documents)/a.txt")
            #expect(text == "first" + String(repeating: "line\n", count: 20))
            #expect(try await installation.docent("claims", "--json").succeeded().text.contains("\"claims\""))
        }
    }

    @Test("consecutive claims (100,000 in the full tier) do not grow the daemon's memory")
    func memory() async throws {
        let isWhole = Sample.shared.isWhole
        try await Self.with { installation in
            let probe = try await Probe(installation)
            try await probe.wait(
                try probe.send("many", Self.document, isWhole ? "5000" : "2000"), for: "ok", within: 120)
            let daemon = try #require(installation.daemonProcess)
            let before = try ProcessMemory.resident(of: daemon)
            try await probe.wait(
                try probe.send("many", Self.document, isWhole ? "95000" : "7500"), for: "ok", within: 600)
            let after = try ProcessMemory.resident(of: daemon)
            #expect(after < before + (isWhole ? 8 : 4) * 1024 * 1024, "from \(before) to \(after) bytes")
        }
    }

    @Test("D3: a waiting claim survives a kill of the daemon, and a held one is requested again")
    func restart() async throws {
        try await Self.with { installation in
            let holder = try await Probe(installation)
            let waiter = try await Probe(installation)
            let held = try holder.send("hold-read", Self.document)
            try await holder.wait(held, for: "granted")
            let waiting = try waiter.send("write", Self.document, "after the restart")
            #expect(try await waiter.staysWithout(waiting, "ok"))
            kill(try #require(installation.daemonProcess), SIGKILL)
            try await waiter.wait(waiting, for: "ok")
            // The document it had read is another one now: that is reported, never silently ignored.
            try holder.send("release", held)
            let error = try await holder.wait(held, for: "error")
            #expect(error[1] == "ClaimLost", "\(error)")
        }
    }

    @Test("2.9 deadlock 4: if a process that holds a claim is suspended, those who wait get its name")
    func stopped() async throws {
        try await Self.with { installation in
            let holder = try await Probe(installation, client: "org.example.Stopped")
            let waiter = try await Probe(installation)
            try await holder.wait(try holder.send("hold-write", Self.document), for: "granted")
            holder.process.send(SIGSTOP)
            let waiting = try waiter.send("read", Self.document)
            try await installation.eventually("the wait is shown") {
                let shown = try await installation.docent("claims").succeeded().text
                return shown.contains("org.example.Stopped") && shown.contains("stopped") && shown.contains("waiting")
            }
            holder.process.send(SIGCONT)
            holder.process.send(SIGKILL)
            try await waiter.wait(waiting, for: "read")
        }
    }
}
