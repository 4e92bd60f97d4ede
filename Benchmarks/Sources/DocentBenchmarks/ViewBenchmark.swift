import Foundation
import Glibc

/// Using documents through a mounted folder, against the provider's own files, all in the page cache; and what the
/// view needs of memory after that.
enum ViewBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            let view = try MountedFolder(installation)
            defer { view.unmount() }
            return try await opening(view, settings) + (try reading(view, settings)) + (try overwriting(view, settings))
                + (try await listing(view, settings)) + (try await searching(view, settings)) + [try view.memory()]
        }
    }

    // MARK: Files

    private static func opening(_ view: MountedFolder, _ settings: Settings) async throws -> [Finding] {
        let bare = try view.installation.makeFile("small.bin", size: 1 << 14)
        let shown = view.path("small.bin")
        let times = try await Rounds.interleaved(max(settings.rounds, 15)) { _ in
            try open(shown, times: 4000)
        } others: { _ in
            try open(bare, times: 4000)
        }
        return [
            .ratio(
                "view: open, read 4 KiB, close", goal: 8, "view", times.ours, to: "bare file", times.others, unit: "µs",
                scale: 1e-6)
        ]
    }

    /// The seconds per open, read and close.
    private static func open(_ path: String, times: Int) throws -> Double {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return try Stopwatch.seconds {
            for _ in 0..<times {
                let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
                let got = read(file, &buffer, buffer.count)
                close(file)
                guard got == buffer.count else { throw Problem("a read of \(path) gave \(got) bytes") }
            }
        } / Double(times)
    }

    private static func reading(_ view: MountedFolder, _ settings: Settings) throws -> [Finding] {
        let bare = try view.installation.makeFile("large.bin", size: settings.largeSize)
        let shown = view.path("large.bin")
        var (first, again, direct) = ([Double](), [Double](), [Double]())
        for round in 0...settings.rounds {
            try forget(shown)
            let times = (
                try readAll(shown, settings.largeSize), try readAll(shown, settings.largeSize),
                try readAll(bare, settings.largeSize)
            )
            guard round > 0 else { continue }
            first.append(times.0)
            again.append(times.1)
            direct.append(times.2)
        }
        let size = "\(settings.largeSize >> 20) MiB"
        return [
            .ratio(
                "view: first read of \(size) in sequence", goal: 2.2, "view", first, to: "bare file", direct, unit: "s",
                scale: 1),
            .ratio(
                "view: second read of \(size) in sequence", goal: 1.1, "view", again, to: "bare file", direct,
                unit: "s", scale: 1),
        ]
    }

    /// Removes a file's content from the cache of the view; that of the provider's file stays.
    private static func forget(_ path: String) throws {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Problem("\(path) cannot be opened") }
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        close(file)
    }

    private static func readAll(_ path: String, _ size: Int) throws -> Double {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
        defer { buffer.deallocate() }
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var total = 0
        let seconds = Stopwatch.seconds {
            while true {
                let got = read(file, buffer.baseAddress, buffer.count)
                if got <= 0 { break }
                total += got
            }
        }
        guard total == size else { throw Problem("\(total) of \(size) bytes of \(path) were read") }
        return seconds
    }

    private static func overwriting(_ view: MountedFolder, _ settings: Settings) throws -> [Finding] {
        let bare = try view.installation.makeFile("bare.bin", size: 1 << 20)
        _ = try view.installation.makeFile("shown.bin", size: 1 << 20)
        let files: [CInt] = [view.path("shown.bin"), bare].map { (path: String) in
            Glibc.open(path, O_RDWR | O_CLOEXEC)
        }
        defer { for file in files { close(file) } }
        guard files.allSatisfy({ $0 >= 0 }) else { throw Problem("a file cannot be opened for writing") }
        var times = [[Double](), [Double]()]
        for round in 0...max(settings.rounds, 15) {
            for (index, file) in files.enumerated() {
                let seconds = try overwrite(file, times: 4000)
                if round > 0 { times[index].append(seconds) }
            }
        }
        return [
            .ratio(
                "view: overwrite 4 KiB", goal: 3, "view", times[0], to: "bare file", times[1], unit: "µs", scale: 1e-6)
        ]
    }

    private static func overwrite(_ file: CInt, times: Int) throws -> Double {
        let block = [UInt8](repeating: 7, count: 4096)
        return try Stopwatch.seconds {
            for number in 0..<times {
                guard pwrite(file, block, block.count, off_t(number % 200) * 4096) == block.count else {
                    throw Problem("a write failed: \(String(cString: strerror(errno)))")
                }
            }
        } / Double(times)
    }

    // MARK: Folders

    /// The number of files in the folder.
    private static let files = 10_000

    private static func listing(_ view: MountedFolder, _ settings: Settings) async throws -> [Finding] {
        let folder = view.installation.documents + "/many"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for number in 0..<files {
            let path = "\(folder)/document \(number).txt"
            _ = FileManager.default.createFile(atPath: path, contents: Data("line \(number)\n".utf8))
        }
        let environment = view.installation.environment
        let shown = view.path("many")
        let names = try await Rounds.interleaved(settings.rounds) { _ in
            try Program.run("/bin/ls", [shown], environment: environment)
        } others: { _ in
            try Program.run("/bin/ls", [folder], environment: environment)
        }
        let long = try await Rounds.interleaved(settings.rounds) { _ in
            try view.mountAgain()
            return try Program.run("/bin/ls", ["-l", shown], environment: environment)
        } others: { _ in
            try Program.run("/bin/ls", ["-l", folder], environment: environment)
        }
        return [
            .ratio(
                "view: ls of \(files) files, warm", goal: 1, "view", names.ours, to: "bare folder", names.others,
                unit: "ms", scale: 1e-3),
            .ratio(
                "view: ls -l of \(files) files after mounting", goal: 4, "view", long.ours, to: "bare folder",
                long.others, unit: "ms", scale: 1e-3),
        ]
    }

    private static func searching(_ view: MountedFolder, _ settings: Settings) async throws -> [Finding] {
        let environment = view.installation.environment
        let (shown, bare) = (view.path("many"), view.installation.documents + "/many")
        let pattern = ["-r", "-c", "line 77\\b"]
        let first = try Program.run("/bin/grep", pattern + [shown], environment: environment)
        let times = try await Rounds.interleaved(settings.rounds) { _ in
            try Program.run("/bin/grep", pattern + [shown], environment: environment)
        } others: { _ in
            try Program.run("/bin/grep", pattern + [bare], environment: environment)
        }
        var finding = Finding.ratio(
            "view: grep -r in \(files) small files", goal: nil, "view", times.ours, to: "bare folder", times.others,
            unit: "s", scale: 1)
        finding.parts.append(.init(name: "the very first time", value: first, unit: "s"))
        return [finding]
    }
}
