import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Varlink

/// Machines that use one server change its documents at random, lose their network and their daemons, and come to rest
/// in the end.
struct MachineRound {
    /// The outcome.
    struct Tally: Sendable, CustomStringConvertible {
        var saves = 0
        var refused = 0
        var deletions = 0
        var renames = 0
        var kills = 0
        var cuts = 0
        /// Saved contents that are nowhere.
        var lost: [String] = []
        /// What machines show that the server does not have, or the other way round.
        var differences: [String] = []
        /// Where the contents are that had to be somewhere.
        var current = 0
        var kept = 0

        var description: String {
            "saves \(saves), renames \(renames), deletions \(deletions), cuts \(cuts), kills \(kills), refused \(refused); "
                + "current \(current), kept as a version \(kept), lost \(lost.count)"
        }
    }

    private struct Machine {
        let remote: RemoteInstallation
        let client: DocumentsClient
        var isOffline = false
    }

    private static let mostDocuments = 8
    private let server: WebDAVServer
    private var machines: [Machine]
    private var random: SplitMix
    private var model = MachineModel()
    private var tally = Tally()
    private var history: [String] = []

    init(seed: Int, server: WebDAVServer, machines: [RemoteInstallation]) {
        self.server = server
        self.machines = machines.map { Machine(remote: $0, client: $0.installation.client()) }
        random = SplitMix(state: UInt64(seed) &* 0xD134_2543_DE82_EF95 &+ 7)
    }

    /// Takes steps, comes to rest and looks for everything that was saved.
    mutating func run(steps: Int) async throws -> Tally {
        for number in 0..<3 { await create("start-\(number).txt", 0) }
        for _ in 0..<steps { try await step() }
        try await settle()
        try await judge()
        for machine in machines { machine.client.close() }
        return tally
    }

    // MARK: Steps

    private mutating func step() async throws {
        let index = Int.random(in: 0..<machines.count, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<55: await save(index)
        case 55..<63: await create("new-\(history.count).txt", index)
        case 63..<71: await rename(index)
        case 71..<77: await delete(index)
        case 77..<83:
            guard !machines[index].isOffline else { break }
            try await machines[index].remote.faults().refuse()
            machines[index].isOffline = true
            tally.cuts += 1
            note(index, "has no network")
        case 83..<93:
            guard machines[index].isOffline else { break }
            try await connect(index)
        case 93..<97:
            try await machines[index].remote.killDaemon()
            tally.kills += 1
            note(index, "daemon killed")
        default:
            guard !machines[index].isOffline else { break }
            _ = try await machines[index].remote.drain(seconds: 20)
            note(index, "drained")
        }
    }

    private mutating func connect(_ index: Int) async throws {
        try await machines[index].remote.faults().accept()
        machines[index].isOffline = false
        model.isOnline(index)
        note(index, "has a network")
    }

    private mutating func create(_ name: String, _ index: Int) async {
        guard await names(index).count < Self.mostDocuments else { return }
        let content = model.newDocument()
        await attempt(index, "creates \(name): \(content.prefix(28))") { machine in
            let path = machine.remote.installation.root + "/source"
            try Data(content.utf8).write(to: URL(filePath: path))
            let source = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(source) }
            _ = try await DocumentPicker(client: machine.client).exportDocument(
                from: source, to: Self.location(""), name: name)
        } done: { round in
            round.tally.saves += 1
            round.model.note(content, by: index, isOffline: round.machines[index].isOffline)
        }
    }

    // What an editor does: it reads, and saves what follows from that version. Or what `docent write` does: it does not
    // say which version it has read, and overwrites what another machine has sent meanwhile.
    private mutating func save(_ index: Int) async {
        guard let name = await names(index).randomElement(using: &random),
            let (document, before) = try? await opened(name, index)
        else { return }
        defer { document.stopAccessing() }
        guard let content = model.next(after: before) else { return }
        let isBlind = Int.random(in: 0..<3, using: &random) == 0
        let verb = isBlind ? "overwrites it with" : "saves"
        await attempt(index, "reads \(before.prefix(24)) in \(name), \(verb) \(content.prefix(24))") { machine in
            let session = try await WriteSession.begin(
                document.reference, replacing: true, base: isBlind ? nil : document.openedVersion, for: nil,
                client: machine.client)
            try writeAll(content, to: session.descriptor)
            try await session.commit()
        } done: { round in
            round.tally.saves += 1
            round.model.note(content, by: index, isOffline: round.machines[index].isOffline)
        }
    }

    private mutating func rename(_ index: Int) async {
        guard let (name, _) = await readAny(index) else { return }
        let other = "renamed-\(history.count).txt"
        await attempt(index, "renames \(name) to \(other)") { machine in
            _ = try await machine.client.call(
                PickerInterface.MoveItem.self,
                .init(location: Self.location(name).wire, name: other, operation: UUID().uuidString))
        } done: {
            $0.tally.renames += 1
        }
    }

    private mutating func delete(_ index: Int) async {
        guard let (name, content) = await readAny(index) else { return }
        // It may be done although the answer does not come.
        model.deleted(content, by: index)
        await attempt(index, "deletes \(name)") { machine in
            _ = try await machine.client.call(
                PickerInterface.DeleteItem.self,
                .init(location: Self.location(name).wire, operation: UUID().uuidString))
        } done: {
            $0.tally.deletions += 1
        }
    }

    private mutating func attempt(
        _ index: Int, _ what: String, _ body: (Machine) async throws -> Void, done: (inout MachineRound) -> Void
    ) async {
        do {
            try await body(machines[index])
            note(index, what)
            done(&self)
        } catch {
            tally.refused += 1
            note(index, "\(what): refused: \(error)")
        }
    }

    private mutating func note(_ index: Int, _ what: String) { history.append("\(index) \(what)") }

    // MARK: Looking

    private static func location(_ name: String) -> DocumentLocation {
        DocumentLocation(
            provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: "/" + name)
    }

    private func names(_ index: Int) async -> [String] {
        var names: [String] = []
        var items = DocumentPicker(client: machines[index].client).items(in: Self.location("")).makeAsyncIterator()
        while let item = try? await items.next() { names.append(item.name) }
        return names.sorted()
    }

    private func read(_ name: String, _ index: Int) async throws -> String {
        let (document, content) = try await opened(name, index)
        document.stopAccessing()
        return content
    }

    private func opened(_ name: String, _ index: Int) async throws -> (SecurityScopedDocument, String) {
        let document = try await DocumentPicker(client: machines[index].client).openDocument(at: Self.location(name))
        do {
            return (document, try await RemoteInstallation.text(document))
        } catch {
            document.stopAccessing()
            throw error
        }
    }

    /// One of the documents that a machine can read now.
    private mutating func readAny(_ index: Int) async -> (name: String, content: String)? {
        guard let name = await names(index).randomElement(using: &random) else { return nil }
        return (try? await read(name, index)).map { (name, $0) }
    }

    // MARK: The end

    private mutating func settle() async throws {
        for index in machines.indices {
            if machines[index].isOffline { try await connect(index) }
            try await machines[index].remote.killDaemon()
        }
        for machine in machines { try await machine.remote.settle(within: 300) }
        for machine in machines {
            _ = try await machine.client.call(
                AdministrationInterface.Refresh.self, .init(location: Self.location("").wire, accept: true))
        }
    }

    private mutating func judge() async throws {
        let names = try await server.list().filter { !$0.hasPrefix(".docent-") }
        var found: Set<String> = []
        var current: [String: String] = [:]
        for name in names {
            let content = try await server.text(name) ?? ""
            current[name] = content
        }
        for index in machines.indices {
            let shown = await self.names(index)
            if shown != names { tally.differences.append("machine \(index) shows \(shown), the server has \(names)") }
            for name in names {
                let content = try? await read(name, index)
                if content != current[name] {
                    tally.differences.append(
                        "machine \(index), \(name): \(content ?? "-"), the server: \(current[name] ?? "-")")
                }
            }
            found.formUnion(try await versions(index))
        }
        for content in model.required {
            if current.values.contains(content) {
                tally.current += 1
            } else if found.contains(content) {
                tally.kept += 1
            } else {
                tally.lost.append(String(content.prefix(32)))
            }
        }
    }

    /// The contents of everything that a machine keeps beside documents.
    private func versions(_ index: Int) async throws -> [String] {
        let client = machines[index].client
        var contents: [String] = []
        for version in try await client.call(AdministrationInterface.Versions.self, .init(all: true)).value.versions {
            let reply = try await client.call(
                AdministrationInterface.OpenVersion.self, .init(identifier: version.identifier))
            let source = try reply.descriptors.take(reply.value.file)
            let file = FileHandle(fileDescriptor: source.raw, closeOnDealloc: false)
            contents.append(String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self))
        }
        return contents
    }

    /// What was done, in order.
    var report: String { history.joined(separator: "\n") }
}
