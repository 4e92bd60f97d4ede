import Drive
import FileProvider
import Foundation
import Testing

/// What the commands of `docent drive` ask of the provider, with machines on one directory.
struct DriveActionTests {
    private typealias Machine = DriveProviderTests.Machine
    private typealias Person = DriveProviderTests.Person

    private final class Root: Sendable {
        let path =
            (FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp") + "/drive-\(UUID().uuidString)"
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private let root = Root()

    /// A machine that has created the drive.
    private func host() async throws -> DriveProvider {
        let machine = try Machine("host", root.path)
        let provider = try machine.provider()
        _ = try await provider.signIn(try await machine.authenticate("create"))
        return provider
    }

    private func refuses(
        _ code: FileProviderError.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: FileProviderError.self, sourceLocation: sourceLocation) { try await body() }
        #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
    }

    private func folder(_ name: String, _ provider: DriveProvider) async throws {
        _ = try await provider.createItem(
            basedOn: ItemTemplate(parent: .rootContainer, filename: name, isFolder: true), contents: nil,
            operation: ChangeOperation(identifier: UUID().uuidString), progress: TransferProgress())
    }

    private func joining() throws -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: root.path + "/store/joining")) ?? []
    }

    @Test("R8: a machine is let in by a code, sees the drive, and knows the heads that its host has seen")
    func aMachineIsLetInByACode() async throws {
        let host = try await host()
        try await folder("from the host", host)
        let invitation = try #require(try await host.perform("invite", arguments: [:]).first)
        let code = try #require(invitation["code"])
        #expect(try await host.perform("guest", arguments: ["code": code]) == [["state": "waiting"]])
        let machine = try Machine("guest", root.path)
        async let credential = machine.authenticate("join", ["code": code.lowercased()])
        var row = ["state": "waiting"]
        while row["state"] == "waiting" {
            try await Task.sleep(for: .milliseconds(50))
            row = try #require(try await host.perform("guest", arguments: ["code": code]).first)
        }
        #expect(row["state"] == "asking" && row["name"] == "guest")
        await refuses(.invalidArgument) {
            _ = try await host.perform("admit", arguments: ["code": code, "key": "another"])
        }
        #expect(try await host.perform("admit", arguments: ["code": code, "key": row["key"] ?? ""]) == [])
        let guest = try machine.provider()
        _ = try await guest.signIn(try await credential)
        #expect(try joining() == [], "the guest clears up")
        #expect(try await guest.children(of: .rootContainer, page: nil).items.map(\.filename) == ["from the host"])
        try await folder("from the guest", guest)
        _ = try await host.changes(since: nil)
        #expect(try await host.children(of: .rootContainer, page: nil).items.count == 2)
        let devices = try await host.perform("devices", arguments: [:])
        #expect(devices.map { $0["name"] } == ["host", "guest"])
        #expect(devices.map { $0["isThis"] } == ["yes", "no"])
        let others = try await guest.perform("devices", arguments: [:])
        #expect(others.map { $0["fingerprint"] } == devices.map { $0["fingerprint"] })
    }

    @Test("a code that nobody made, one that was withdrawn and one with a slip are refused with reasons")
    func wrongCodes() async throws {
        let host = try await host()
        let machine = try Machine("guest", root.path)
        let code = try #require(try await host.perform("invite", arguments: ["minutes": "1"]).first?["code"])
        _ = try await host.perform("withdraw", arguments: ["code": code])
        #expect(try await host.perform("guest", arguments: ["code": code]) == [["state": "ended"]])
        await refuses(.invalidArgument) { _ = try await machine.authenticate("join", ["code": code]) }
        await refuses(.invalidArgument) {
            _ = try await machine.authenticate("join", ["code": String(code.dropLast()) + "?"])
        }
        await refuses(.invalidArgument) { _ = try await machine.authenticate("join", ["code": "12345"]) }
        await refuses(.invalidArgument) { _ = try await host.perform("admit", arguments: ["code": code, "key": ""]) }
        await refuses(.invalidArgument) { _ = try await host.perform("invite", arguments: ["minutes": "0"]) }
        await refuses(.notSupported) { _ = try await host.perform("explode", arguments: [:]) }
        #expect(try joining() == [])
    }

    @Test("a guest that gives up takes its request back, and the code stays good")
    func aGuestThatGivesUp() async throws {
        let host = try await host()
        let machine = try Machine("guest", root.path)
        let code = try #require(try await host.perform("invite", arguments: [:]).first?["code"])
        let attempt = Task { try await machine.authenticate("join", ["code": code]) }
        while try await host.perform("guest", arguments: ["code": code]).first?["state"] == "waiting" {
            try await Task.sleep(for: .milliseconds(50))
        }
        attempt.cancel()
        await #expect(throws: CancellationError.self) { _ = try await attempt.value }
        #expect(try await host.perform("guest", arguments: ["code": code]) == [["state": "waiting"]])
    }

    @Test("a guest whose invitation is withdrawn while it waits learns that it was not let in")
    func aGuestThatIsNotLetIn() async throws {
        let host = try await host()
        let machine = try Machine("guest", root.path)
        let code = try #require(try await host.perform("invite", arguments: [:]).first?["code"])
        let attempt = Task { try await machine.authenticate("join", ["code": code]) }
        while try await host.perform("guest", arguments: ["code": code]).first?["state"] == "waiting" {
            try await Task.sleep(for: .milliseconds(50))
        }
        _ = try await host.perform("withdraw", arguments: ["code": code])
        let result = await attempt.result
        let error = #expect(throws: FileProviderError.self) { _ = try result.get() }
        #expect(error?.code == .notAuthenticated)
    }

    @Test("a place that is not empty is refused before a phrase is shown; what a disk brings along does not count")
    func aPlaceThatIsNotEmpty() async throws {
        let machine = try Machine("host", root.path)
        try Data([1]).write(to: URL(filePath: machine.store + "/letter.txt"))
        let person = Person()
        await refuses(.invalidArgument) { _ = try await machine.authenticate("create", [:], person) }
        #expect(person.phrase.isEmpty)
        try FileManager.default.removeItem(atPath: machine.store + "/letter.txt")
        for name in ["lost+found", ".Trash-1000", "probe"] {
            try FileManager.default.createDirectory(
                atPath: machine.store + "/" + name, withIntermediateDirectories: true)
        }
        _ = try await machine.authenticate("create", [:], person)
    }

    /// Lets another machine in.
    private func guest(of host: DriveProvider) async throws -> DriveProvider {
        let code = try #require(try await host.perform("invite", arguments: [:]).first?["code"])
        let machine = try Machine("guest", root.path)
        async let credential = machine.authenticate("join", ["code": code])
        var row = ["state": "waiting"]
        while row["state"] == "waiting" {
            try await Task.sleep(for: .milliseconds(50))
            row = try #require(try await host.perform("guest", arguments: ["code": code]).first)
        }
        _ = try await host.perform("admit", arguments: ["code": code, "key": row["key"] ?? ""])
        let guest = try machine.provider()
        _ = try await guest.signIn(try await credential)
        return guest
    }

    @Test("R7: a machine is shut out, is told so, and the list of machines shows it")
    func aMachineIsShutOut() async throws {
        let host = try await host()
        let guest = try await guest(of: host)
        try await folder("from the guest", guest)
        let rows = try await host.perform("devices", arguments: [:])
        let (mine, lost) = (rows[0]["identifier"] ?? "", rows[1]["identifier"] ?? "")
        await refuses(.invalidArgument) { _ = try await host.perform("remove", arguments: ["machine": mine]) }
        await refuses(.invalidArgument) { _ = try await host.perform("remove", arguments: ["machine": "x"]) }
        await refuses(.invalidArgument) {
            _ = try await host.perform("remove", arguments: ["machine": lost, "phrase": "x"])
        }
        #expect(try await host.perform("remove", arguments: ["machine": lost]) == [["state": "removed"]])
        try await folder("new", host)
        #expect(try await host.children(of: .rootContainer, page: nil).items.count == 2)
        await refuses(.notAuthenticated) { try await self.folder("too late", guest) }
        await refuses(.notAuthenticated) { _ = try await guest.perform("devices", arguments: [:]) }
        let after = try await host.perform("devices", arguments: [:])
        #expect(after.map { $0["removed"] != nil } == [false, true])
        #expect(try await host.perform("status", arguments: [:]).first?["devices"] == "1")
    }

    private func document(_ name: String, _ size: Int, _ provider: DriveProvider) async throws -> FileProviderItem {
        let path = root.path + "/\(UUID().uuidString)"
        try Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }).write(to: URL(filePath: path))
        return try await provider.createItem(
            basedOn: ItemTemplate(parent: .rootContainer, filename: name, isFolder: false),
            contents: try ContentReader(owning: Foundation.open(path, O_RDONLY)),
            operation: ChangeOperation(identifier: UUID().uuidString), progress: TransferProgress())
    }

    @Test("R6: space is freed after the other machine has looked at the drive")
    func spaceIsFreed() async throws {
        let host = try await host()
        let guest = try await guest(of: host)
        let item = try await document("document", 300_000, host)
        await refuses(.invalidArgument) { _ = try await host.perform("gc", arguments: [:]) }
        await refuses(.invalidArgument) { _ = try await host.perform("gc", arguments: ["keepDays": "-1"]) }
        #expect(try await host.perform("gc", arguments: ["keepDays": "0"]).first?["state"] == "nothing")
        try await host.deleteItem(item.identifier, baseVersion: nil, recursive: false)
        #expect(try await host.perform("gc", arguments: ["keepDays": "30"]).first?["state"] == "nothing")
        let trial = try await host.perform("gc", arguments: ["keepDays": "0", "dryRun": "yes"])
        #expect(trial.first?["state"] == "found" && trial.first?["items"] == "1" && trial.count == 1)
        let waiting = try await host.perform("gc", arguments: ["keepDays": "0"])
        #expect(waiting.first?["state"] == "waiting" && waiting.dropFirst().map { $0["waitsFor"] } == ["guest"])
        _ = try await guest.changes(since: nil)
        let freed = try await host.perform("gc", arguments: ["keepDays": "0"])
        #expect(freed.first?["state"] == "freed" && freed.first?["packs"] == "1" && freed.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path + "/store/packs").isEmpty)
        // The same content is sent again.
        _ = try await document("again", 300_000, guest)
        #expect(try await guest.perform("check", arguments: [:]).count == 1)
    }

    @Test("a repair mends what it can, and names the document that is lost")
    func repair() async throws {
        let host = try await host()
        let item = try await document("document", 300_000, host)
        #expect(try await host.perform("repair", arguments: [:]).count == 1)
        let packs = root.path + "/store/packs"
        let pack = try #require(try FileManager.default.contentsOfDirectory(atPath: packs).first)
        try FileManager.default.removeItem(atPath: packs + "/" + pack)
        let lost = try await host.perform("repair", arguments: [:])
        #expect(lost.dropFirst().map { $0["object"] } == ["packs/\(pack)", "document"])
        _ = try await document("copy", 300_000, host)
        let mended = try await host.perform("repair", arguments: [:])
        #expect(mended.dropFirst().map { $0["mended"] } == ["yes"])
        #expect(try await host.perform("check", arguments: [:]).count == 1)
        #expect(try await host.item(for: item.identifier).filename == "document")
    }

    @Test("the status counts, and a check finds a changed bit and a missing object")
    func statusAndCheck() async throws {
        let host = try await host()
        try await folder("folder", host)
        let path = root.path + "/content"
        try Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }).write(to: URL(filePath: path))
        _ = try await host.createItem(
            basedOn: ItemTemplate(parent: .rootContainer, filename: "document", isFolder: false),
            contents: try ContentReader(owning: Foundation.open(path, O_RDONLY)),
            operation: ChangeOperation(identifier: "c"), progress: TransferProgress())
        let status = try #require(try await host.perform("status", arguments: [:]).first)
        #expect(status["documents"] == "1" && status["folders"] == "1" && status["bytes"] == "300000")
        #expect(status["unsent"] == "0" && status["devices"] == "1" && status["store"] == root.path + "/store")
        let clean = try await host.perform("check", arguments: [:])
        #expect(clean.count == 1 && clean.first?["done"] == clean.first?["total"] && clean.first?["next"] == nil)
        #expect(Int(clean.first?["bytes"] ?? "") ?? 0 > 300_000)
        let packs = root.path + "/store/packs"
        let pack = packs + "/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: packs).first))
        var bytes = try Data(contentsOf: URL(filePath: pack))
        bytes[1_000] ^= 1
        try bytes.write(to: URL(filePath: pack))
        let changed = try await host.perform("check", arguments: [:])
        #expect(changed.count == 2 && changed.last?["object"]?.hasPrefix("packs/") == true)
        try FileManager.default.removeItem(atPath: pack)
        let missing = try await host.perform("check", arguments: [:])
        #expect(missing.last?["problem"]?.contains("is not in the store") == true)
    }

    @Test(
        "a directory that may not be written to is a clear refusal, not an unreachable store",
        .enabled(if: getuid() != 0, "root may write everywhere"))
    func aDirectoryThatMayNotBeWrittenTo() async throws {
        let machine = try Machine("host", root.path)
        chmod(machine.store, 0o500)
        defer { chmod(machine.store, 0o700) }
        await refuses(.notPermitted) { _ = try await machine.authenticate("create") }
    }
}
