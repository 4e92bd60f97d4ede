import FoundationEssentials
import Glibc
import HostCore
import Storage

/// The programs on this machine that draw pictures of documents: those of the desktop, in the folder `thumbnailers` of
/// the data directories.
actor InstalledThumbnailers {
    /// A program that is there.
    struct Found: Sendable {
        /// Its absolute path.
        let program: String
        let entry: ThumbnailerEntry
    }

    // How long what was read counts: somebody may install one.
    private static let freshness = Duration.seconds(30)
    private static let mostBytes = 64 << 10

    private let folders: [String]
    private let worker: BlockingWorker
    private let clock: any HostClock
    private var known: (programs: [String: Found], at: ContinuousClock.Instant)?

    init(environment: [String: String], worker: BlockingWorker, clock: any HostClock) {
        (self.worker, self.clock) = (worker, clock)
        let own = environment["XDG_DATA_HOME"] ?? environment["HOME"].map { $0 + "/.local/share" }
        let shared = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        folders = ([own].compactMap { $0 } + shared.split(separator: ":").map(String.init))
            .filter { $0.hasPrefix("/") }.map { $0 + "/thumbnailers" }
    }

    /// The program for the first of these MIME types that has one.
    func program(for types: [String]) async -> Found? {
        let programs = await programs()
        for type in types {
            if let found = programs[type.lowercased()] { return found }
        }
        return nil
    }

    private func programs() async -> [String: Found] {
        if let known, clock.now - known.at < Self.freshness { return known.programs }
        let programs = (try? await worker.run { [folders] _ in Self.read(folders) }) ?? [:]
        known = (programs, clock.now)
        return programs
    }

    // The first folder counts more than the next one, and a file less than one before it in the alphabet.
    private static func read(_ folders: [String]) -> [String: Found] {
        var programs: [String: Found] = [:]
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names.sorted() where name.hasSuffix(".thumbnailer") {
                guard let data = FileManager.default.contents(atPath: folder + "/" + name), data.count <= mostBytes,
                    let entry = ThumbnailerEntry(String(decoding: data, as: UTF8.self)),
                    let program = path(of: entry.command[0]),
                    entry.requiredProgram.map({ path(of: $0) != nil }) ?? true
                else { continue }
                for type in entry.types where programs[type] == nil {
                    programs[type] = Found(program: program, entry: entry)
                }
            }
        }
        return programs
    }

    // The sandbox has the same search path.
    private static func path(of program: String) -> String? {
        guard !program.isEmpty else { return nil }
        let candidates =
            program.hasPrefix("/") ? [program] : ["/usr/local/bin/", "/usr/bin/", "/bin/"].map { $0 + program }
        guard program.hasPrefix("/") || !program.contains("/") else { return nil }
        return candidates.first { access($0, X_OK) == 0 }
    }
}
