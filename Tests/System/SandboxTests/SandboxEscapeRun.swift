import CLinux
import Foundation
import Glibc

@testable import ExtensionHosting

/// One run of the escape plugin, with everything it looks for outside.
struct SandboxEscapeRun: Sendable {
    /// errno for each attempt, 0 for success.
    let outcomes: [String: Int32]
    /// Permissions of the secret file after the run.
    let secretMode: mode_t
    /// Which of the files that the plugin tried to create exist afterwards.
    let madeOutside: Bool
    let madeInside: Bool
    let exit: ExtensionExit
    let errorText: String

    static let confined = Task { try await run { _ in } }
    static let networked = Task { try await run { $0.network = true } }
    static let unsandboxed = Task { try await run { $0.isUnsandboxed = true } }

    private static func run(_ change: (inout SandboxProfile) -> Void) async throws -> SandboxEscapeRun {
        let world = try SandboxWorld(SandboxEscapeSources.plugin, name: "escape")
        // Short, because a socket's address is limited to 107 bytes.
        let places = try SandboxWorld.makeFolder("/tmp/docent-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        defer { try? FileManager.default.removeItem(atPath: places) }
        let home = try SandboxWorld.makeFolder(world.folder + "/home")
        let other = try SandboxWorld.makeFolder(world.folder + "/other container")
        for file in [home + "/secret", other + "/document"] {
            try Data("secret".utf8).write(to: URL(filePath: file))
            chmod(file, 0o600)
        }
        let outside = try Outside(world: world, folder: places)
        defer { outside.end() }
        var targets = try outside.targets()
        targets.merge([
            "home": home, "secret": home + "/secret", "other": other + "/document",
            "outside": world.folder + "/escaped", "library": world.library, "inside": world.container + "/inside",
            "device": world.container + "/device", "bus": places + "/bus", "daemon": places + "/daemon",
        ]) { $1 }
        var profile = world.profile()
        change(&profile)
        let process = try ExtensionProcess.start(profile)
        let request = targets.map { "\n\($0.key) \($0.value)" }.joined() + "\n\n"
        let answer = await SandboxWorld.talk(process, request)
        let exit = await process.waitForExit()
        var outcomes: [String: Int32] = [:]
        for line in answer.split(separator: "\n") where line.contains(" ") {
            let words = line.split(separator: " ")
            outcomes[String(words[0])] = Int32(words[1])
        }
        var facts = stat()
        stat(home + "/secret", &facts)
        return SandboxEscapeRun(
            outcomes: outcomes, secretMode: facts.st_mode & 0o777,
            madeOutside: access(world.folder + "/escaped", F_OK) == 0,
            madeInside: access(world.container + "/inside", F_OK) == 0, exit: exit, errorText: process.errorText)
    }

    /// The process that owns the sockets outside, and is itself a target.
    private struct Outside {
        let process = Process()
        let output = Pipe()
        let input = Pipe()

        init(world: SandboxWorld, folder: String) throws {
            let program = world.folder + "/outside"
            try SandboxWorld.compile(SandboxEscapeSources.outside, to: program, options: [])
            process.executableURL = URL(filePath: program)
            process.arguments = [folder]
            process.standardOutput = output
            process.standardInput = input
            try process.run()
        }

        func targets() throws -> [String: String] {
            var text = ""
            while text.filter({ $0 == "\n" }).count < 5 {
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { throw SandboxWorld.CompilerFailure(output: "the world outside failed") }
                text += String(decoding: data, as: UTF8.self)
            }
            return Dictionary(
                text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
                    .map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
        }

        func end() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }
}
