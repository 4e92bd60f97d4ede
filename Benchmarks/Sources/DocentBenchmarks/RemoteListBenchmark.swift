import Documents
import Foundation

/// A large folder that a domain lists for the first time, against `rclone lsf`.
enum RemoteListBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await RemoteInstallation.with(settings) { server in
            try FileManager.default.createDirectory(
                atPath: server.data + "/many", withIntermediateDirectories: false)
            for number in 0..<settings.remoteFolderSize {
                _ = FileManager.default.createFile(atPath: "\(server.data)/many/document \(number).txt", contents: nil)
            }
        } _: { remote in
            let list = remote.installation.root + "/list"
            var again: [Double] = []
            let (ours, others) = try await Rounds.interleaved(settings.rounds) { round in
                try remote.addDomain("round\(round)")
                let folder = "\(remote.location("/many", domain: "round\(round)"))"
                let first = try remote.installation.docent("ls", folder, output: list)
                try check(list, settings)
                let next = try remote.installation.docent("ls", folder)
                if round > 0 { again.append(next) }
                return first
            } others: { _ in
                let seconds = try remote.rclone("lsf", ":webdav:many", output: list)
                try check(list, settings)
                return seconds
            }
            var finding = Finding.ratio(
                "first listing of \(settings.remoteFolderSize) documents", goal: 1, "docent ls", ours,
                to: "rclone lsf", others, unit: "s", scale: 1)
            finding.parts.append(.init(name: "docent ls again", value: again.median, unit: "s"))
            return [finding]
        }
    }

    private static func check(_ list: String, _ settings: Settings) throws {
        let lines = try Data(contentsOf: URL(fileURLWithPath: list)).count { $0 == UInt8(ascii: "\n") }
        guard lines >= settings.remoteFolderSize else { throw Problem("\(lines) documents were listed") }
    }
}
