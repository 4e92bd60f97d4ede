import DocentTestSupport
import Foundation
import Testing

/// Many documents of one domain, each in its own folder and each with one fault, so that one installation serves all
/// the faults of a stage.
struct FaultField {
    struct Transfer: Decodable {
        var state: String
        var name: String
        var message: String?
    }

    struct Version: Decodable {
        var identifier: String
        var name: String
    }

    struct Cell: Sendable {
        var stage: FaultStage
        var fault: Fault
        /// How much later than usual the request is expected after an earlier attempt missed it.
        var shift = 0

        var folder: String { "\(stage.rawValue)-\(fault.rawValue)" }
        var name: String { folder + ".txt" }
        var path: String { "\(folder)/\(name)" }
        var old: String { "old content of \(folder)" }
        var new: String { "new content of \(folder), which is longer" }
        var rule: FaultRule {
            // The content is damaged in either direction.
            let rule = fault == .corrupt && stage.method == "PUT" ? .corrupt(at: 5, stage: .request) : fault.rule
            return rule.on(stage.method, stage.part(folder)).from(max(stage.position + shift, 1)).named(folder)
        }
        var expected: FaultEnding { .expected(fault, at: stage) }
    }

    let remote: RemoteInstallation
    let proxy: FaultProxy
    let cells: [Cell]

    /// Every fault at every stage, except the impossible ones (``FaultStage/reasonAgainst(_:)``).
    static func cells(_ stages: [FaultStage], _ faults: [Fault]) -> [Cell] {
        stages.flatMap { stage in
            faults.filter { stage.reasonAgainst($0) == nil }.map { Cell(stage: stage, fault: $0) }
        }
    }

    /// Creates a domain with a document for each cell, whose folders are listed and stay fresh: afterwards only the
    /// transfers send requests.
    static func with(
        _ kind: WebDAVServer.Kind, _ cells: [Cell], environment: [String: String] = [:],
        _ body: (FaultField) async throws -> Void
    ) async throws {
        var options = RemoteInstallation.Options()
        options.isAlwaysFresh = false
        // Without digests damaged content cannot be detected.
        options.server.tellsDigests = cells.contains { $0.fault == .corrupt }
        options.environment = ["DOCENT_FRESH_SECONDS": "3600", "DOCENT_POLL_SECONDS": "0"]
            .merging(environment) { _, new in new }
        try await RemoteInstallation.with(kind, options: options) { server in
            for cell in cells {
                if kind.keepsFiles {
                    let folder = "\(server.folder)/\(cell.folder)"
                    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                    guard !cell.stage.isCreation else { continue }
                    try Data(cell.old.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(cell.name)"))
                } else {
                    try await server.makeFolder(cell.folder)
                    if !cell.stage.isCreation { try await server.put(cell.old, cell.path) }
                }
            }
            // Where versions are whole seconds, a document is asked for again until it is two seconds old; the requests
            // of a save would be others.
            if !kind.keepsFiles { try await Task.sleep(for: .seconds(3)) }
        } _: { remote in
            let field = FaultField(remote: remote, proxy: try #require(remote.proxy), cells: cells)
            try await field.each { cell in
                try await remote.docent("ls", remote.location(cell.folder)).succeeded()
            }
            try await field.proxy.reset()
            for cell in cells { try await field.proxy.add(cell.rule) }
            try await body(field)
        }
    }

    /// Runs the body for every cell, a number of them at a time.
    func each(width: Int = 4, _ body: @escaping @Sendable (Cell) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, cell) in cells.enumerated() {
                if index >= width { try await group.next() }
                group.addTask { try await body(cell) }
            }
            try await group.waitForAll()
        }
    }

    func transfers() async throws -> [Transfer] {
        try await remote.docent("transfers", "list", "--json").succeeded().json([Transfer].self)
    }

    /// Waits until nothing continues automatically, and returns what needs the user.
    func settled(_ meanwhile: () async throws -> Void = {}) async throws -> [Transfer] {
        let deadline = Date().addingTimeInterval(120)
        while true {
            let left = try await transfers()
            if left.allSatisfy({ $0.state == "failed" }) { return left }
            guard Date() < deadline else { throw Problem("never settled: \(left)") }
            try await meanwhile()
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// The content of every kept version, by the name of its document.
    func versions() async throws -> [String: [String]] {
        var result: [String: [String]] = [:]
        for version in try await remote.docent("versions", "--json").succeeded().json([Version].self) {
            let text = try await remote.docent("versions", "show", version.identifier, "-o", "-").succeeded().text
            result[version.name, default: []].append(text)
        }
        return result
    }

    /// A cell counts only if its fault met its request: the proxy records which rule it applied to which request.
    ///
    /// - Returns: the cells to repeat. How often the folder is checked before something is created in it depends on
    ///   what is known at the moment, and how often the document is depends on its age where versions are whole
    ///   seconds: there the fault may have met an adjacent check, or none.
    func missed() async throws -> [Cell] {
        let all = try await proxy.requests()
        var missed: [Cell] = []
        for cell in cells {
            let there = all.filter { $0.path.contains("/\(cell.folder)") }
            let index = there.firstIndex { $0.rules.contains(cell.folder) }
            if let index, cell.stage.isMet(by: there[index], after: Array(there[..<index])) { continue }
            if cell.stage.method == "PROPFIND" {
                missed.append(cell)
            } else {
                let seen = there.map { "\($0.method) \($0.path)" }
                let what = index.map { "happened to request \($0) of \(seen)" } ?? "never happened"
                Issue.record("\(cell.folder): \(what)")
            }
        }
        return missed
    }

    /// The names in a cell's folder on the server. A lock that still exists has names too.
    func names(of cell: Cell) async throws -> Set<String> {
        Set(try await remote.server.list(cell.folder).filter { !$0.hasPrefix("opaquelocktoken:") })
    }
}
