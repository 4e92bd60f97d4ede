import DocentTestSupport
import Foundation
import Glibc

/// One round: saves, kills during them, a restart of everything, and the outcome of each save.
struct KillRound {
    /// The outcomes of the saves.
    struct Tally: Codable, Sendable {
        var seed = 0
        var server = ""
        var killed: [String: Int] = [:]
        var tried = 0
        /// Changes by another client on the server.
        var others = 0
        var confirmed = 0
        /// Confirmed, and the current content on the server.
        var current = 0
        /// Confirmed, and replaced by a later save, or by another client that had read it.
        var replaced = 0
        /// Confirmed, and kept as a version beside another client's save.
        var keptAsVersion = 0
        var lost: [String] = []
        var duplicates: [String] = []
        /// Content that no save ever wrote completely.
        var mixed: [String] = []
        /// Temporary names left on the server.
        var leftovers = 0
    }

    private struct Save {
        var name: String
        var content: String
        var isConfirmed: Bool
        /// The content that another client replaced by this; nil for a save of ours.
        var replaced: String?
        var isOurs: Bool { replaced == nil }
    }

    let seed: Int
    let remote: RemoteInstallation
    private var saves: [Save] = []
    private var tally = Tally()

    init(seed: Int, remote: RemoteInstallation) {
        self.seed = seed
        self.remote = remote
    }

    static func original(_ document: Int) -> String { "original of \(document)" }
    static func name(_ document: Int) -> String { "document-\(document).txt" }

    /// Runs the plan, and checks the server when everything is sent.
    mutating func run(_ plan: KillPlan) async throws -> Tally {
        tally.seed = seed
        tally.server = plan.server.rawValue
        for step in plan.steps { try await run(step) }
        try await settle()
        try await judge()
        return tally
    }

    // MARK: Saving and killing

    private mutating func run(_ step: KillPlan.Step) async throws {
        let name = step.document.map(Self.name) ?? "new-\(step.number).txt"
        let text = "round \(seed) step \(step.number) "
        let content = text + String(repeating: "x", count: max(0, step.size - text.count - 1)) + "."
        let folder = remote.installation.home
        let source = "\(folder)/\(name)"
        try Data(content.utf8).write(to: URL(fileURLWithPath: source))
        let arguments =
            step.document == nil
            ? ["export", source, remote.location("")] : ["write", remote.location(name)]
        let child = try ChildProcess(
            Installation.binaries + "/docent", arguments, environment: remote.installation.environment,
            folder: folder, input: step.document == nil ? .null : .file(source), errors: .file(try errorFile()))
        tally.killed[step.victim.rawValue, default: 0] += 1
        if !step.isContested { try await strike(step, child) }
        let deadline = Date().addingTimeInterval(120)
        while child.isRunning {
            guard Date() < deadline else { throw Problem("seed \(seed) step \(step.number): the save hangs") }
            try await Task.sleep(for: .milliseconds(step.isContested ? 1 : 10))
        }
        let isConfirmed = child.terminationReason == .exit && child.terminationStatus == 0
        saves.append(Save(name: name, content: content, isConfirmed: isConfirmed))
        if step.isContested {
            try await strike(step, child)
            try await contest(step, name)
        }
    }

    // With its own size: some servers distinguish two changes within one second only by size.
    private mutating func contest(_ step: KillPlan.Step, _ name: String) async throws {
        let content =
            "another client's, round \(seed) step \(step.number) " + String(repeating: "y", count: step.number)
        guard let before = try await OtherClient(server: remote.server).replace(name, with: content) else { return }
        saves.append(Save(name: name, content: content, isConfirmed: true, replaced: before))
    }

    private func strike(_ step: KillPlan.Step, _ client: ChildProcess) async throws {
        guard step.victim != .nobody else { return }
        try await Task.sleep(for: .milliseconds(step.delay))
        try await strike(step.victim, client: client)
    }

    private func errorFile() throws -> String {
        let path = remote.installation.root + "/client-errors"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        return path
    }

    private func strike(_ victim: KillPlan.Victim, client: ChildProcess) async throws {
        switch victim {
        case .nobody: break
        case .client: client.send(SIGKILL)
        case .daemon: if let daemon = remote.installation.daemonProcess { kill(daemon, SIGKILL) }
        case .provider:
            for process in ProcessMemory.descendants(of: remote.installation.daemonProcess) { kill(process, SIGKILL) }
        case .server:
            try await remote.server.kill()
            try await remote.server.restart()
        }
    }

    // MARK: Judging

    // Like a restart of the machine: no old process is left, then everything is sent.
    private func settle() async throws {
        try await remote.killDaemon()
        do {
            try await remote.settle(within: 300)
        } catch {
            throw Problem("seed \(seed): \(error)")
        }
    }

    private mutating func judge() async throws {
        let names = try await remote.server.list()
        let versions = try await versions()
        tally.tried = saves.count(where: \.isOurs)
        tally.others = saves.count - tally.tried
        tally.leftovers = names.count { $0.hasPrefix(".docent-") || $0.hasPrefix("docent-") }
        let visible = names.filter { !$0.hasPrefix(".docent-") }
        for name in visible where !saves.contains(where: { $0.name == name }) {
            if !(0..<KillPlan.documents).contains(where: { Self.name($0) == name }) { tally.duplicates.append(name) }
        }
        for name in Set(saves.map(\.name)).sorted() { try await judge(name, versions) }
        for text in Dictionary(grouping: versions, by: \.self).filter({ $0.value.count > 1 }).keys {
            tally.duplicates.append("version: \(text.prefix(30))")
        }
    }

    private mutating func judge(_ name: String, _ versions: [String]) async throws {
        let tried = saves.filter { $0.name == name }
        let now = try await remote.server.text(name)
        if let now {
            let known = tried.map(\.content) + (0..<KillPlan.documents).map(Self.original)
            if !known.contains(now) { tally.mixed.append("\(name): \(now.prefix(40))") }
        }
        let position = tried.lastIndex { $0.content == now } ?? -1
        for (index, save) in tried.enumerated() where save.isConfirmed {
            guard save.isOurs else {
                // Never overwritten by an earlier save.
                if index > position { tally.lost.append("\(name): \(save.content.prefix(40))") }
                continue
            }
            let isReplaced = index < position && Self.isReplaced(save, by: tried[(index + 1)...position])
            tally.confirmed += 1
            if index == position {
                tally.current += 1
            } else if versions.contains(save.content) {
                tally.keptAsVersion += 1
            } else if isReplaced {
                tally.replaced += 1
            } else {
                tally.lost.append("\(name): \(save.content.prefix(24))")
            }
        }
    }

    // By a later save of ours, which is sent after it, or by another client that had read it.
    private static func isReplaced(_ save: Save, by later: ArraySlice<Save>) -> Bool {
        var candidates = [save.content]
        for one in later {
            guard one.isOurs else { return candidates.contains(one.replaced ?? "") }
            if one.isConfirmed { return true }
            candidates.append(one.content)
        }
        // The server has the last one.
        return true
    }

    private struct Version: Decodable {
        var identifier: String
    }

    private func versions() async throws -> [String] {
        let list = try await remote.docent("versions", "--json").succeeded().json([Version].self)
        var contents: [String] = []
        for version in list {
            contents.append(try await remote.docent("versions", "show", version.identifier, "-o", "-").succeeded().text)
        }
        return contents
    }
}
