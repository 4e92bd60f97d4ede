import Foundation
import Glibc

/// Reading a large document of a server through a mounted folder, against curl and against a folder that rclone mounts.
/// Before each reading nothing of the document is on this machine.
enum RemoteViewBenchmark {
    private static let name = "video.bin"

    static func run(_ settings: Settings) async throws -> [Finding] {
        try await RemoteInstallation.with(settings) { server in
            try Installation.makeFile(at: server.data + "/" + name, size: settings.largeSize)
        } _: { remote in
            let view = try MountedFolder(remote.installation)
            defer { view.unmount() }
            // Far into the document, and a whole number of blocks.
            let offset = settings.largeSize / 1024 * 900 / 4096 * 4096
            return [try part(remote, view, settings, offset), try whole(remote, view, settings)]
        }
    }

    private static func part(
        _ remote: RemoteInstallation, _ view: MountedFolder, _ settings: Settings, _ offset: Int
    ) throws -> Finding {
        let arguments = ["bs=4096", "count=1", "skip=\(offset / 4096)", "status=none"]
        var times = ([Double](), [Double](), [Double]())
        for round in 0...settings.rounds {
            try forget(remote)
            let ours = try dd(view.path(name), arguments, remote)
            let others = try remote.curl(
                "-o", "/dev/null", "-r", "\(offset)-\(offset + 4095)", remote.server.url + name)
            let rclone = try throughRclone(remote) { try dd($0 + "/" + name, arguments, remote) }
            guard round > 0 else { continue }
            times.0.append(ours)
            times.1.append(others)
            times.2.append(rclone)
        }
        var finding = Finding.ratio(
            "view: 4 KiB at \(offset >> 20) MiB of a document that is not here", goal: 1.5, "dd", times.0,
            to: "curl -r",
            times.1, unit: "ms", scale: 1e-3)
        finding.parts.append(.init(name: "dd from rclone mount", value: times.2.median * 1000, unit: "ms"))
        return finding
    }

    private static func whole(
        _ remote: RemoteInstallation, _ view: MountedFolder, _ settings: Settings
    ) throws -> Finding {
        var times = ([Double](), [Double](), [Double]())
        for round in 0...settings.rounds {
            try forget(remote)
            let ours = try cat(view.path(name), remote)
            // Both keep the content in a file, which is removed each time.
            let file = remote.installation.root + "/curl.bin"
            let others = try remote.curl("-o", file, remote.server.url + name)
            unlink(file)
            let rclone = try throughRclone(remote) { try cat($0 + "/" + name, remote) }
            guard round > 0 else { continue }
            times.0.append(ours)
            times.1.append(others)
            times.2.append(rclone)
        }
        var finding = Finding.ratio(
            "view: \(settings.largeSize >> 20) MiB in sequence of a document that is not here", goal: 1.11, "cat",
            times.0, to: "curl -o", times.1, unit: "s", scale: 1)
        finding.parts.append(.init(name: "cat from rclone mount", value: times.2.median, unit: "s"))
        return finding
    }

    private static func dd(_ path: String, _ arguments: [String], _ remote: RemoteInstallation) throws -> Double {
        try Program.run("/bin/dd", ["if=" + path] + arguments, environment: remote.installation.environment)
    }

    private static func cat(_ path: String, _ remote: RemoteInstallation) throws -> Double {
        try Program.run("/bin/cat", [path], environment: remote.installation.environment)
    }

    /// Removes the local copy as soon as nothing uses it any more.
    private static func forget(_ remote: RemoteInstallation) throws {
        for _ in 0..<100 {
            if (try? remote.installation.docent("evict", "\(remote.location("/" + name))")) != nil { return }
            usleep(200_000)
        }
        throw Problem("the local copy of \(name) cannot be removed")
    }

    /// Does something in a folder that rclone mounts with an empty cache.
    private static func throughRclone(_ remote: RemoteInstallation, _ body: (String) throws -> Double) throws -> Double
    {
        let root = remote.installation.root + "/rclone-mount"
        try FileManager.default.createDirectory(atPath: root + "/folder", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        _ = try remote.rclone(
            "mount", ":webdav:", root + "/folder", "--vfs-cache-mode", "full", "--cache-dir", root + "/cache",
            "--daemon")
        defer {
            _ = try? Program.run(
                "/usr/bin/fusermount3", ["-u", "-z", root + "/folder"], environment: remote.installation.environment)
        }
        return try body(root + "/folder")
    }
}
