import Foundation

/// The mounted folder of an installation with one account.
final class MountedFolder {
    let installation: Installation
    /// The folder of the account.
    private var account = ""

    init(_ installation: Installation) throws {
        self.installation = installation
        try mount()
    }

    private var folder: String { installation.home + "/Docent" }

    private func mount() throws {
        try installation.docent("mount")
        guard let name = try FileManager.default.contentsOfDirectory(atPath: folder).first else {
            throw Problem("nothing is mounted in \(folder)")
        }
        account = folder + "/" + name
    }

    func path(_ name: String) -> String { account + "/" + name }

    func mountAgain() throws {
        try installation.docent("unmount", folder)
        try mount()
    }

    func unmount() { _ = try? installation.docent("unmount", folder, "--force") }

    /// What the process that serves it needs.
    func memory() throws -> Finding {
        let output = installation.root + "/status.json"
        try installation.docent("mount", "--status", "--json", output: output)
        struct Status: Decodable { var processIdentifier: Int }
        let data = try Data(contentsOf: URL(fileURLWithPath: output))
        guard let process = try JSONDecoder().decode([Status].self, from: data).first?.processIdentifier else {
            throw Problem("nothing is mounted")
        }
        return Finding(
            what: "view: memory after all of this", value: try Installation.memory(process), unit: "MiB", goal: 40,
            parts: [.init(name: "at most", value: try Installation.memory(process, "VmHWM"), unit: "MiB")])
    }
}
