import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Testing
import Varlink

/// The scene of an attack: documents of two providers, some granted to the hostile client, and an honest client's.
///
/// The hostile client is `Tests/Programs/HostileClient`, run in a sandbox that has the system, its own program and one
/// socket.
struct HostileStage: Sendable {
    static let client = "org.example.hostile"
    static let programs = Repository.root + "/Tests/Programs/HostileClient"

    let installation: Installation
    let workshop: PluginWorkshop
    /// The items granted to the client, by the names that the attacks use; `secret` and `root` were not granted.
    let references: [String: Wire.ItemReference]
    /// A document of the honest client.
    let victim: Wire.ItemReference
    let victimBookmark: String

    /// Creates the scene, runs the body, and removes it.
    static func with(_ body: (HostileStage) async throws -> Void) async throws {
        try await Installation.withLocalFolder { installation in
            let workshop = PluginWorkshop(installation)
            try await workshop.install()
            try await body(HostileStage(installation, workshop))
        }
    }

    private init(_ installation: Installation, _ workshop: PluginWorkshop) async throws {
        self.installation = installation
        self.workshop = workshop
        for folder in ["folder", "Box.rtfd"] {
            try FileManager.default.createDirectory(
                atPath: "\(installation.documents)/\(folder)", withIntermediateDirectories: true)
        }
        for name in ["read.txt", "write.txt", "secret.txt", "victim.txt", "folder/inside.txt", "Box.rtfd/TXT.rtf"] {
            try installation.write("the content of \(name)", to: name)
        }
        let outside = installation.client("org.example.victim")
        defer { outside.close() }
        var references: [String: Wire.ItemReference] = [:]
        for (name, path, access) in [
            ("read", "/read.txt", "read"), ("write", "/write.txt", "readWrite"), ("folder", "/folder", "readWrite"),
            ("package", "/Box.rtfd", "readWrite"),
        ] {
            references[name] = try await Self.grant(outside, Self.location(path), access)
        }
        references["contained"] = try await Self.grant(
            outside, .init(provider: workshop.shape.identifier, domain: "", path: "/a.txt"), "read")
        let secret = try await outside.call(PickerInterface.GetItem.self, .init(location: Self.location("/secret.txt")))
        references["secret"] = secret.value.item.reference
        references["root"] = .init(
            provider: secret.value.item.reference.provider, domain: "", identifier: ".root")
        self.references = references
        let picked = try await outside.call(
            PickerInterface.PickOpen.self,
            .init(location: Self.location("/victim.txt"), access: "readWrite", operation: UUID().uuidString))
        victim = picked.value.item.reference
        victimBookmark = try await outside.call(
            DocumentsInterface.CreateBookmark.self, .init(reference: victim)
        ).value.bookmark
    }

    static func location(_ path: String) -> Wire.Location { .init(provider: "LocalFolder", domain: "", path: path) }

    /// Grants an item to the hostile client, as its user would.
    static func grant(
        _ outside: DocumentsClient, _ location: Wire.Location, _ access: String, expires: Double? = nil,
        to client: String = Self.client
    ) async throws -> Wire.ItemReference {
        try await outside.call(
            AdministrationInterface.AddGrant.self,
            .init(
                clientKind: "run", client: client, location: location, access: access, persist: true, expires: expires)
        ).value.item.reference
    }

    // MARK: Attacks

    /// Runs a group of attacks inside the sandbox.
    ///
    /// - Parameter more: further parameters of these attacks.
    func attack(_ group: String, as client: String = Self.client, _ more: [String: Any] = [:]) async throws
        -> [HostileLine]
    {
        let plan = try write(plan(group).merging(more) { $1 })
        var lines: [HostileLine] = []
        try await IsolationTests.withSocket(installation, client) { socket in
            let arguments = Self.sandbox(socket: socket, plan: plan, shared: shared)
            lines = try Self.lines(try await installation.run("/usr/bin/env", arguments))
        }
        return lines
    }

    /// Runs a group of attacks in the sandbox of `docent run`.
    ///
    /// - Parameter options: further options of `docent run`.
    func attackInRun(
        _ group: String, as client: String = Self.client, _ options: [String] = [], _ more: [String: Any] = [:]
    ) async throws -> [HostileLine] {
        let plan = try write(
            plan(group).merging(["skip": [Self.programs, installation.root + "/plans"]]) { $1 }.merging(more) { $1 })
        let command = ["/usr/bin/python3", Self.programs + "/hostile.py", plan]
        let arguments = [
            "run", "--client", client, "--no-picks", "--program-directory", Self.programs, "--program-directory",
            installation.root + "/plans", "--setenv", "PYTHONDONTWRITEBYTECODE=1",
        ]
        return try Self.lines(
            try await installation.run(
                Installation.binaries + "/docent", arguments + options + ["--"] + command))
    }

    private static func lines(_ outcome: Outcome) throws -> [HostileLine] {
        guard outcome.status == 0 else {
            // On one line, the exception first: summaries of test runs truncate multi-line texts.
            let met = outcome.errors.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            throw Problem(
                "the hostile client ended with status \(outcome.status): \(met.last ?? "") at \(met.joined(separator: " | "))"
            )
        }
        let lines = try outcome.text.split(separator: "\n").map {
            try JSONDecoder().decode(HostileLine.self, from: Data($0.utf8))
        }
        #expect(lines.last?.came == "done", "the hostile client did not finish")
        return lines
    }

    /// A folder that is writable inside and outside the sandbox.
    var shared: String { installation.root + "/shared" }

    private func write(_ plan: [String: Any]) throws -> String {
        let folder = installation.root + "/plans"
        for folder in [shared, folder] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let path = folder + "/\(UUID().uuidString).json"
        try JSONSerialization.data(withJSONObject: plan).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func plan(_ group: String) -> [String: Any] {
        [
            "group": group, "scratch": "/tmp/scratch", "references": references.mapValues(Self.object),
            "open": ["read", "contained"], "tokens": [String: String](), "operations": [String: String](),
            "bookmarks": [String: String](), "packageType": "com.apple.rtfd", "shared": "/shared",
            "location": ["provider": "LocalFolder", "domain": "", "path": "/secret.txt"],
            "otherProvider": workshop.shape.identifier, "sockets": [installation.socket],
            "paths": [
                "secret": installation.documents + "/secret.txt", "container": workshop.container,
                "database": installation.data + "/docent.sqlite",
            ],
        ]
    }

    static func object(_ reference: Wire.ItemReference) -> [String: String] {
        ["provider": reference.provider, "domain": reference.domain, "identifier": reference.identifier]
    }

    private static func sandbox(socket: String, plan: String, shared: String) -> [String] {
        [
            "bwrap", "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
            "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib",
            "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
            "--ro-bind", programs, "/hostile", "--ro-bind", plan, "/plan.json", "--bind", shared, "/shared",
            "--bind", socket, "/run/docent.sock", "--clearenv", "--setenv", "DOCENT_SOCKET", "/run/docent.sock",
            "--setenv", "PYTHONDONTWRITEBYTECODE", "1", "--setenv", "PATH", "/usr/bin", "--chdir", "/tmp",
            "/usr/bin/python3", "/hostile/hostile.py", "/plan.json",
        ]
    }
}
