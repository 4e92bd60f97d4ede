import Foundation
import Testing

/// Many documents of one domain, each in a folder of its own and each with one fault, so that one installation serves all
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

        var folder: String { "\(stage.rawValue)-\(fault.rawValue)" }
        var name: String { folder + ".txt" }
        var path: String { "\(folder)/\(name)" }
        var old: String { "old content of \(folder)" }
        var new: String { "new content of \(folder), which is longer" }
        var rule: FaultRule { fault.rule.on(stage.method, stage.part(folder)).from(stage.position).named(folder) }
        var expected: FaultEnding { .expected(fault, at: stage) }
    }

    let remote: RemoteInstallation
    let proxy: FaultProxy
    let cells: [Cell]

    /// Gives a domain with a document for each cell, whose folders are listed and stay fresh: no request but those of the
    /// transfers is made afterwards.
    static func with(
        _ kind: WebDAVServer.Kind, _ cells: [Cell], environment: [String: String] = [:],
        _ body: (FaultField) async throws -> Void
    ) async throws {
        var options = RemoteInstallation.Options()
        options.isAlwaysFresh = false
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

    /// Does the same for every cell, so many at a time.
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

    /// Waits until nothing goes on by itself any more, and gives what needs the user.
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

    /// The cells whose faults really happened: all but a few, where an account that was offline meanwhile was not asked.
    func applied() async throws -> [Cell] {
        let names = Set(try await proxy.requests().flatMap(\.rules))
        let applied = cells.filter { names.contains($0.folder) }
        let wanted = cells.count { !$0.fault.needsBody }
        #expect(applied.count * 4 >= wanted * 3, "only \(applied.map(\.folder))")
        return applied
    }

    /// The names in a cell's folder on the server. A lock that is still there has names too.
    func names(of cell: Cell) async throws -> Set<String> {
        Set(try await remote.server.list(cell.folder).filter { !$0.hasPrefix("opaquelocktoken:") })
    }
}
