import DocentTestSupport
import Foundation
import Testing

/// Every fault at every request of a save and of a creation (W9).
@Suite(.needs(.daemon, .server)) struct ChangeFaultTests {
    /// The stages of each installation: one, or in a sample all, because that has only few faults of them together.
    private static func fields(_ stages: [FaultStage]) -> [[FaultStage]] {
        Sample.shared.isWhole ? stages.map { [$0] } : [stages]
    }

    @Test(
        "W9: a fault at this request of a save loses, duplicates and leaves nothing",
        arguments: fields(FaultStage.saving))
    func saving(_ stages: [FaultStage]) async throws {
        try await Self.run(.apache, Sample.shared.of(FaultField.cells(stages, Fault.allCases)))
    }

    @Test(
        "W9: after a fault at this request a document is created once and completely",
        arguments: fields(FaultStage.creating))
    func creating(_ stages: [FaultStage]) async throws {
        try await Self.run(.apache, Sample.shared.of(FaultField.cells(stages, Fault.allCases)))
    }

    @Test("W9: the same of other servers", arguments: Sample.shared.of([WebDAVServer.Kind.rclone, .seaweedfs]))
    func others(_ kind: WebDAVServer.Kind) async throws {
        let stages: [FaultStage] = [.lookBefore, .put, .move, .lookAfter, .newPut, .newMove]
        try await Self.run(kind, FaultField.cells(stages, Fault.telling))
    }

    /// Where the request of a cell is expected, attempt by attempt; after the last the cell has failed.
    private static let shifts = [0, 0, 1, -1, 2, -2, 0, 1]

    private static func run(_ kind: WebDAVServer.Kind, _ cells: [FaultField.Cell]) async throws {
        var left = cells
        for shift in shifts where !left.isEmpty {
            for index in left.indices { left[index].shift = left[index].stage.method == "PROPFIND" ? shift : 0 }
            left = try await attempt(kind, left)
        }
        #expect(left.isEmpty, "these faults never met their requests: \(left.map(\.folder))")
    }

    /// - Returns: the cells whose fault met another request; these were not checked.
    private static func attempt(
        _ kind: WebDAVServer.Kind, _ cells: [FaultField.Cell]
    ) async throws -> [FaultField.Cell] {
        var missed: [FaultField.Cell] = []
        try await FaultField.with(kind, cells) { field in
            try await field.each { cell in
                // A new name is looked up, which is impossible while other cells' faults keep the domain offline.
                try await field.remote.installation.eventually("\(cell.folder) is taken", within: 60) {
                    let taken = try await field.remote.write(cell.new, cell.path)
                    if taken.status != 5 { try taken.succeeded() }
                    return taken.status == 0
                }
            }
            let failed = try await field.settled { try await releaseLocks(field) }
            missed = try await field.missed()
            let met = cells.filter { cell in !missed.contains { $0.folder == cell.folder } }
            for cell in met {
                let isFailed = failed.contains { $0.name == cell.name }
                let message = failed.first { $0.name == cell.name }?.message
                #expect(isFailed == (cell.expected == .failedAndKept), "\(cell.folder): \(message ?? "sent")")
                if isFailed { #expect(message?.isEmpty == false) }
            }

            try await field.proxy.reset()
            if !failed.isEmpty { try await field.remote.docent("transfers", "retry").succeeded() }
            #expect(try await field.settled().isEmpty)
            try await check(FaultField(remote: field.remote, proxy: field.proxy, cells: met))
        }
        return missed
    }

    /// The final content is right on both sides, once.
    private static func check(_ field: FaultField) async throws {
        let versions = try await field.versions()
        try await field.remote.docent("refresh", field.remote.location("")).succeeded()
        try await field.each { cell in
            let remote = field.remote
            #expect(try await remote.server.text(cell.path) == cell.new, "\(cell.folder) on the server")
            let there = try await field.names(of: cell)
            #expect(there == [cell.name], "\(cell.folder) on the server")
            let read = try await remote.docent("cat", remote.location(cell.path))
            #expect(read.text == cell.new, "\(cell.folder) here: \(read.errors)")
            let names = try await remote.docent("ls", remote.location(cell.folder)).succeeded().text
            #expect(names == cell.name + "\n", "\(cell.folder) listed")
            #expect(versions[cell.name, default: []] == [], "\(cell.folder): versions")
        }
    }

    /// A lock whose token was lost ends by itself after two minutes; here it is ended sooner.
    private static func releaseLocks(_ field: FaultField) async throws {
        for cell in field.cells where cell.stage == .lock && cell.fault.isDoneByServer {
            let body = "<propfind xmlns=\"DAV:\"><prop><lockdiscovery/></prop></propfind>"
            let reply = try await field.remote.server.request(
                "PROPFIND", cell.path, headers: ["Depth": "0"], body: Data(body.utf8))
            guard let found = reply.text.range(of: "opaquelocktoken:[0-9a-f-]+", options: .regularExpression) else {
                continue
            }
            let refused = try await field.proxy.requests("LOCK").contains {
                $0.path.contains("/\(cell.folder)/") && $0.status == 423
            }
            guard refused else { continue }
            _ = try await field.remote.server.request(
                "UNLOCK", cell.path, headers: ["Lock-Token": "<\(reply.text[found])>"])
        }
    }
}
