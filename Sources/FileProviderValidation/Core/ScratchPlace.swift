import FoundationEssentials

/// Directories for the time of one case.
struct ScratchPlace: Sendable {
    private let top: String

    /// - Throws: what the file system says when there is no room.
    init() throws {
        top =
            FileManager.default.temporaryDirectory
            .appending(path: "docent-validation-\(UUID().uuidString)", directoryHint: .isDirectory).path
        for path in [top, scratch, provider] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
    }

    /// The validator's own.
    var scratch: String { top + "/scratch" }

    /// The provider's.
    var provider: String { top + "/provider" }

    /// Removes all of it. What cannot be removed is left to the system's clean-up of temporary files.
    /// Blocking: some cases leave thousands of files.
    func remove() { try? FileManager.default.removeItem(atPath: top) }
}
