import DocentTestSupport
import Foundation
import Testing

/// Servers that ask for a pause, do not answer, or cannot be reached (HAZARDS 6).
@Suite(.needs(.daemon, .server)) struct SilenceTests {
    @Test("Retry-After is respected by uploads and by readers")
    func retryAfter() async throws {
        try await RemoteInstallation.with(.apache) { server in
            try await server.put("old", "a.txt")
            try await server.put("here", "b.txt")
            try await server.put("far", "c.txt")
        } _: { remote in
            let proxy = try #require(remote.proxy)
            _ = try await remote.read("a.txt")
            try await proxy.reset()
            try await proxy.add(.status(503, retryAfter: "4").on("PUT").named("later"))
            let begun = ContinuousClock.now
            try await remote.write("new", "a.txt").succeeded()
            // `docent drain` would retry at once, on the user's behalf.
            try await remote.installation.eventually("it is sent", within: 60) {
                try await remote.server.text("a.txt") == "new"
            }
            #expect(ContinuousClock.now - begun >= .seconds(4), "not before its time")
            let puts = try await proxy.requests("PUT")
            #expect(puts.map(\.status) == [503, 201])
            #expect(try await remote.server.text("a.txt") == "new")

            try await proxy.add(.status(429, retryAfter: "2").on("GET", "b.txt"))
            #expect(try await remote.read("b.txt") == "here", "a reader waits so long")
            try await proxy.add(.status(503, retryAfter: "3600").on("GET", "c.txt"))
            let told = try await remote.docent("cat", remote.location("c.txt"))
            #expect(told.status == 5, "and not for an hour: \(told.errors)")
            #expect(try await proxy.requests("GET").count { $0.path.hasSuffix("c.txt") } == 1)
        }
    }

    @Test("HAZARDS 6: an unanswered request is abandoned and repeated, at every stage")
    func hang() async throws {
        let stages: [FaultStage] = [.lookBefore, .put, .lock, .move, .lookAfter, .unlock, .newPut, .newMove]
        var left = Sample.shared.of(stages).map { FaultField.Cell(stage: $0, fault: .delay) }
        // How often a document is checked depends on its age.
        for shift in [0, 0, 1, -1, 0] where !left.isEmpty {
            for index in left.indices { left[index].shift = left[index].stage.method == "PROPFIND" ? shift : 0 }
            left = try await Self.hang(left)
        }
        #expect(left.isEmpty, "these were never met: \(left.map(\.folder))")
    }

    /// - Returns: the cells whose unanswered request was another one.
    private static func hang(_ cells: [FaultField.Cell]) async throws -> [FaultField.Cell] {
        var missed: [FaultField.Cell] = []
        try await FaultField.with(.apache, cells, environment: ["DOCENT_PROVIDER_DEADLINE_SECONDS": "5"]) { field in
            try await field.proxy.clearRules()
            for cell in cells {
                try await field.proxy.add(
                    FaultRule.hang().on(cell.stage.method, cell.stage.part(cell.folder)).from(
                        max(cell.stage.position + cell.shift, 1)
                    ).named(cell.folder))
            }
            try await field.each { try await field.remote.write($0.new, $0.path).succeeded() }
            #expect(try await field.settled().isEmpty)
            missed = try await field.missed()
            try await field.each { cell in
                let text = try await field.remote.server.text(cell.path)
                #expect(text == cell.new, "\(cell.folder)")
                let there = try await field.names(of: cell)
                #expect(there == [cell.name], "\(cell.folder)")
                #expect(try await field.remote.read(cell.path) == cell.new, "\(cell.folder)")
            }
            #expect(try await field.versions().isEmpty)
        }
        return missed
    }

    @Test("HAZARDS 6: a reader of a document that never arrives gets an error, and others are served meanwhile")
    func hangingReader() async throws {
        var options = RemoteInstallation.Options()
        options.environment["DOCENT_PROVIDER_DEADLINE_SECONDS"] = "3"
        try await RemoteInstallation.with(.apache, options: options) { server in
            try await server.put("a", "a.txt")
            try await server.put("b", "b.txt")
        } _: { remote in
            let proxy = try #require(remote.proxy)
            try await remote.docent("ls", remote.location("")).succeeded()
            try await proxy.add(.hang().on("GET", "a.txt").always)
            async let hanging = remote.docent("cat", remote.location("a.txt"))
            _ = try await proxy.request("the one that hangs") { $0.method == "GET" && $0.path.hasSuffix("a.txt") }
            #expect(try await remote.read("b.txt") == "b")
            let told = try await hanging
            #expect([5, 7].contains(told.status), "\(told.errors)")
            #expect(!told.errors.isEmpty)
            try await proxy.reset()
            try await remote.reachable()
            #expect(try await remote.read("a.txt") == "a")
        }
    }

    @Test(
        "a closed port is reported at once, a host that accepts no connection after the deadline"
    )
    func unreachable() async throws {
        var options = RemoteInstallation.Options()
        options.environment["DOCENT_PROVIDER_DEADLINE_SECONDS"] = "3"
        try await RemoteInstallation.with(.apache, options: options) { server in
            try await server.put("a", "a.txt")
            try await server.put("b", "b.txt")
        } _: { remote in
            let proxy = try #require(remote.proxy)
            #expect(try await remote.read("a.txt") == "a")
            try await proxy.refuse()
            #expect(try await remote.docent("cat", remote.location("b.txt")).status == 5)
            #expect(try await remote.read("a.txt") == "a", "a local copy is read")
            try await remote.write("saved", "a.txt").succeeded()
            try await proxy.accept()
            // The kernel accepts connections, and nothing ever answers.
            try await proxy.add(FaultRule.hang().always)
            let silent = try await remote.docent("cat", remote.location("b.txt"))
            #expect([5, 7].contains(silent.status), "\(silent.errors)")
            #expect(try await remote.read("a.txt") == "saved")
            try await proxy.reset()
            try await remote.reachable()
            try await remote.drain().succeeded()
            #expect(try await remote.server.text("a.txt") == "saved")
            #expect(try await remote.read("b.txt") == "b")
        }
    }
}

extension RemoteInstallation {
    /// Waits until the domain is online again.
    func reachable() async throws {
        try await installation.eventually("the domain is online", within: 60) {
            try await docent("refresh", location("")).status == 0
        }
    }
}
