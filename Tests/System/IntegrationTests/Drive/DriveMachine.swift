import DocentTestSupport
import Foundation
import Glibc
import Testing

/// One machine of a drive: an installation of its own, with the provider of drives installed and not enabled.
struct DriveMachine {
    static var phrase: Regex<(Substring, Substring)> { /([0-9A-Z]{5}-){7}[0-9A-Z]{5}/ }

    let installation: Installation
    /// Options of every command that stores keys: there is no keyring, and the daemon may be restarted.
    private static let storage = ["--sealed-file", "--yes"]

    static func with<Result>(_ body: (DriveMachine) async throws -> Result) async throws -> Result {
        let environment = ["DOCENT_FRESH_SECONDS": "0", "DOCENT_POLL_SECONDS": "1"]
        return try await Installation.with(environment: environment, localFolder: false) { installation in
            for point in ["FileProvider", "Picker"] {
                let name = "org.docent.Drive.\(point).plist"
                try FileManager.default.copyItem(
                    atPath: "\(Repository.root)/manifests/\(name)", toPath: "\(installation.manifests)/\(name)")
            }
            return try await body(DriveMachine(installation: installation))
        }
    }

    /// Runs `docent drive`.
    func drive(_ arguments: String..., input: String? = nil) async throws -> Outcome {
        try await installation.run(
            Installation.binaries + "/docent", ["drive"] + arguments, input: input.map { Data($0.utf8) })
    }

    /// Runs `docent drive create`, `join` or `recover` without questions.
    func comeIn(_ arguments: String..., input: String? = nil) async throws -> Outcome {
        try await installation.run(
            Installation.binaries + "/docent", ["drive"] + arguments + Self.storage,
            input: input.map { Data($0.utf8) })
    }

    /// Writes a document.
    func write(_ text: String, to name: String, in drive: String = "drive") async throws {
        try await installation.docent("write", "Drive@\(drive):/\(name)", input: Data(text.utf8)).succeeded()
    }

    /// Waits until a document has this content here.
    func sees(_ text: String, in name: String, of drive: String = "drive") async throws {
        try await installation.eventually("\(name) has the content \(text)", within: 300) {
            try await installation.docent("cat", "Drive@\(drive):/\(name)").text == text
        }
    }

    /// Invites, and runs a body with the code while the command waits.
    func inviting(_ arguments: [String] = ["--yes"], _ body: (String) async throws -> Void) async throws -> Outcome {
        let place = installation.root + "/tmp/code-\(UUID().uuidString)"
        let words = (["docent", "drive", "invite"] + arguments).joined(separator: " ")
        async let outcome = installation.run("/bin/sh", ["-c", "exec \(words) > \(place)"])
        try await installation.eventually("there is a code", within: 300) {
            installation.read(place)?.hasSuffix("\n") == true
        }
        let lines = (installation.read(place) ?? "").split(separator: "\n")
        let code = String(try #require(lines.last))
        #expect(code.wholeMatch(of: Self.phrase) != nil, "\(lines)")
        try await body(code)
        return try await outcome
    }

    /// The names of the domains of the provider.
    func accounts() async throws -> [String] {
        let outcome = try await installation.docent("domains", "--json").succeeded()
        return try CommandLineTests.objects(outcome).compactMap { domain in
            let name = domain["identifier"] as? String ?? ""
            return domain["provider"] as? String == "org.docent.Drive" && !name.isEmpty ? name : nil
        }
    }

    /// The files of this machine that contain a text.
    func files(with text: String) -> [String] {
        let needle = Data(text.utf8)
        guard let names = FileManager.default.enumerator(atPath: installation.root) else { return [] }
        return names.compactMap { $0 as? String }.filter { name in
            let path = installation.root + "/" + name
            let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
            guard type == .typeRegular else { return false }
            return (try? Data(contentsOf: URL(fileURLWithPath: path)))?.range(of: needle) != nil
        }
    }
}
