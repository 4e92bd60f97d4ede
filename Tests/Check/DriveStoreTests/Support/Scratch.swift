import FoundationEssentials

/// A directory that is removed with its owner; in memory where there is one.
final class Scratch: Sendable {
    let path: String

    init() throws {
        let parent = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        path = "\(parent)/docent-drive-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Puts everything into another one.
    func copy(to other: Scratch) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.copyItem(atPath: path + "/" + name, toPath: other.path + "/" + name)
        }
    }

    func directory(_ name: String) throws -> String {
        let directory = path + "/" + name
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return directory
    }
}
